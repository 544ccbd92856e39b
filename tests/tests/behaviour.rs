//! Every scene of the library, small, under every solver that claims it, judged by its own check.

use drystone_scenes::{Check, Figures, SCENES, Scene};
use drystone_tests::puppet::Puppet;
use drystone_tests::runner::{self, judge, judge_puppet};

/// A scene, its settings and, where its end is too far off, how long it is run here and how far its bodies may then have
/// moved: the scene's own claim is about its end, and a short run would keep it whatever happened.
struct Case {
    name: &'static str,
    settings: &'static [&'static str],
    cut: &'static [(f64, f64)],
}

/// One test per line, so that they run side by side and fail by name.
macro_rules! scenes {
    ($($test:ident: $name:literal $settings:tt $(for $seconds:literal s within $limit:literal m)?;)*) => {
        const LISTED: &[Case] = &[$(
            Case { name: $name, settings: &$settings, cut: &[$(($seconds, $limit))?] }
        ),*];
        $(#[test]
        fn $test() {
            holds(&Case { name: $name, settings: &$settings, cut: &[$(($seconds, $limit))?] });
        })*
    };
}

scenes! {
    pyramid: "pyramid" ["rows=8"];
    wall: "wall" ["rows=6", "columns=6"];
    stack: "stack" ["count=10"];
    mass_ratio: "mass-ratio" [];
    large_pyramid: "large-pyramid" ["rows=12"];
    keva: "keva" ["stages=1"] for 0.1 s within 0.002 m;
    pile: "pile" ["count=100"];
    card_house: "card-house" ["levels=3"];
    card_house_falls: "card-house" ["levels=1", "mu=0.4"];
    arch: "arch" ["stones=25"];
    incline_holds: "incline" ["angle=26.5", "mu=0.5"];
    incline_slides: "incline" ["angle=27", "mu=0.5"];
    sliding_box: "sliding-box" [];
    sliding_row: "sliding-row" [];
    sliding_slabs: "sliding-slabs" [];
    overhang_holds: "overhang" ["factor=0.95"];
    overhang_falls: "overhang" ["factor=1.05"];
    thrown_stack: "thrown-stack" [];
    chain: "chain" [];
    chain_with_a_very_heavy_end: "chain" ["ratio=50000"];
    necklace: "necklace" ["chains=4"];
    joint_grid: "joint-grid" ["size=12"];
    pendulum: "pendulum" ["angle=60"];
    pendulum_small: "pendulum" ["angle=10"];
    double_pendulum: "double-pendulum" [];
    gyroscope: "gyroscope" [];
    cable: "cable" ["segments=24"];
    gears: "gears" [];
    bridge: "bridge" [];
    chain_hits_stack: "chain-hits-stack" [];
    newton_cradle: "newton-cradle" [];
    domino_row: "domino" ["count=10"];
    wrecking_ball: "wrecking-ball" [];
    ragdolls: "ragdolls" ["count=2"];
    tree: "tree" ["levels=4"];
    random_tree: "random-tree" [];
    four_bar: "four-bar" [];
    six_bar: "six-bar" [];
    klann_walker: "klann-walker" [];
    walker_on_rubble: "walker-on-rubble" [];
    thousand_loops: "thousand-loops" ["legs=12"];
    mail_on_ball: "mail-on-ball" ["size=4"];
    signs: "signs" ["count=5"];
    stewart_platform: "stewart-platform" [];
    chain_mail: "chain-mail" ["size=4"];
    humanoid: "humanoid" [];
    assembly: "assembly" ["size=3"];
    domino: "domino" ["count=4"];
    tunnelling: "tunnelling" [];
    peg_in_hole: "peg-in-hole" [];
    turntable_holds: "turntable" [];
    turntable_slips: "turntable" ["mu=0.3"];
    chain_net: "chain-net" ["size=3"] for 0.5 s within 0.6 m;
    published_demolition: "wrecking-ball" ["size=16"];
    published_card_house: "card-house" ["levels=2", "boxes=2"];
    gear_train: "gears" ["train=4"];
    screw: "screw" [] for 0.2 s within 0.1 m;
    creature: "creature" ["parts=2"];
    cloth_hang: "cloth-hang" ["cells=20"];
    cloth_sphere: "cloth-sphere" ["cells=24"];
    cloth_box: "cloth-box" [];
    soft_cube: "soft-cube" ["cells=4"];
    trampoline: "trampoline" [];
    cloth_stack: "cloth-stack" ["count=3"];
    flag: "flag" ["cells=15"];
    soft_stack: "soft-stack" [];
    beam: "beam" [];
    squeeze: "squeeze" ["cells=3"];
    soft_net: "soft-net" ["meshes=6"];
    twist_beam: "twist-beam" [];
    garment: "garment" ["cells=8"];
    spikes: "spikes" ["count=2"];
    erleben_cliff_edges: "erleben-cliff-edges" [];
    erleben_internal_edges: "erleben-internal-edges" [];
    erleben_sliding_spike: "erleben-sliding-spike" [];
    erleben_sliding_wedge: "erleben-sliding-wedge" [];
    erleben_spike_and_wedge: "erleben-spike-and-wedge" [];
    erleben_spike_in_crack: "erleben-spike-in-crack" [];
    erleben_spike_in_hole: "erleben-spike-in-hole" [];
    erleben_spikes: "erleben-spikes" [];
    erleben_wedge_in_crack: "erleben-wedge-in-crack" [];
    erleben_wedges: "erleben-wedges" [];
}

impl Case {
    fn scene(&self) -> Scene {
        let mut scene = runner::scene(self.name, self.settings);
        if let Some(&(seconds, limit)) = self.cut.first() {
            scene.settings.seconds = seconds;
            let own = scene.check;
            scene.check = Check::new(format!("{}; no body moves more than {limit} m", own.claim), move |run| {
                let verdict = own.judge(run);
                let figures = Figures::new().require(&verdict.measured, verdict.passed);
                figures.below("moved", run.measures.max_moved, limit, "m")
            });
        }
        scene
    }
}

fn holds(case: &Case) {
    let scene = case.scene();
    for solver in scene.settings.solvers {
        let (verdict, _) = judge(&scene, solver);
        assert!(verdict.passed, "{} under {solver}: {}: {}", case.name, scene.check.claim, verdict.measured);
    }
}

#[test]
fn every_scene_is_listed() {
    let is_listed = |name: &str| LISTED.iter().any(|case| case.name == name);
    let missing: Vec<&str> = SCENES.iter().map(|entry| entry.name).filter(|name| !is_listed(name)).collect();
    assert!(missing.is_empty(), "scenes without a behaviour test: {missing:?}");
}

/// The cases whose check a puppet passes.
fn passed_by(puppet: Puppet) -> Vec<String> {
    let passed = LISTED.iter().filter(|case| judge_puppet(&case.scene(), puppet).passed);
    passed.map(|case| format!("{} {}", case.name, case.settings.join(" ")).trim().to_owned()).collect()
}

/// No claim but that of free flight is kept by bodies that fall through everything and out of their joints: a limit beyond
/// free fall would show here.
#[test]
fn free_fall_keeps_no_claim() {
    assert_eq!(passed_by(Puppet::Falls), ["thrown-stack"]);
}

/// Standing still keeps the claims of what shall stand, and no other.
#[test]
fn standing_still_keeps_only_claims_of_rest() {
    assert_eq!(passed_by(Puppet::Stands), STANDING);
}

/// Cases that claim that nothing moves far, or nothing of motion.
const STANDING: [&str; 11] = [
    "pyramid rows=8",
    "wall rows=6 columns=6",
    "stack count=10",
    "mass-ratio",
    "large-pyramid rows=12",
    "keva stages=1",
    "card-house levels=3",
    "arch stones=25",
    "incline angle=26.5 mu=0.5",
    "overhang factor=0.95",
    "joint-grid size=12",
];
