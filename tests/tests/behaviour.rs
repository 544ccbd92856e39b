//! Every scene of the library, small, under every solver that claims it, judged by its own check.

use drystone_scenes::SCENES;
use drystone_tests::runner::{judge, scene};

/// One test per line, so that they run side by side and fail by name. Scenes too large to be run to
/// their end here are run for the time given.
macro_rules! scenes {
    ($($test:ident: $name:literal $settings:tt $(for $seconds:literal s)?;)*) => {
        const LISTED: &[&str] = &[$($name),*];
        $(#[test]
        fn $test() {
            holds($name, &$settings, None$(.or(Some($seconds)))?);
        })*
    };
}

scenes! {
    pyramid: "pyramid" ["rows=8"];
    wall: "wall" ["rows=6", "columns=6"];
    stack: "stack" ["count=10"];
    mass_ratio: "mass-ratio" [];
    large_pyramid: "large-pyramid" ["rows=12"];
    keva: "keva" ["stages=1"] for 0.1 s;
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
    stewart_platform: "stewart-platform" [];
    chain_mail: "chain-mail" ["size=4"];
    humanoid: "humanoid" [];
    assembly: "assembly" ["size=3"];
    domino: "domino" ["count=4"];
    tunnelling: "tunnelling" [];
    peg_in_hole: "peg-in-hole" [];
    turntable_holds: "turntable" [];
    turntable_slips: "turntable" ["mu=0.3"];
    chain_net: "chain-net" ["size=3"] for 0.5 s;
    published_demolition: "wrecking-ball" ["size=16"];
    published_card_house: "card-house" ["levels=2", "boxes=2"];
    gear_train: "gears" ["train=4"];
    screw: "screw" [] for 0.2 s;
    creature: "creature" ["parts=2"];
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

fn holds(name: &str, settings: &[&str], seconds: Option<f64>) {
    let mut scene = scene(name, settings);
    scene.settings.seconds = seconds.unwrap_or(scene.settings.seconds);
    for solver in scene.settings.solvers {
        let (verdict, _) = judge(&scene, solver);
        assert!(verdict.passed, "{name} under {solver}: {}: {}", scene.check.claim, verdict.measured);
    }
}

#[test]
fn every_scene_is_listed() {
    let missing: Vec<&str> = SCENES.iter().map(|entry| entry.name).filter(|name| !LISTED.contains(name)).collect();
    assert!(missing.is_empty(), "scenes without a behaviour test: {missing:?}");
}
