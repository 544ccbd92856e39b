//! Cloth and soft bodies.

use drystone::geometry::Pose;
use drystone::model::{BendMaterial, BodyDef, ClothGrid, DQuat, DVec3, ElementMaterial, ModelBuilder, SoftGrid};

use crate::check::{Check, Figures};
use crate::measure::{crossings, fastest, largest_stretch, most};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A square of cloth of 0.2 kg/m² with a side \[m\], at a pose, as stiff as said \[N/m\].
fn square(pose: Pose, cells: usize, side: f64, stiffness: f64, radius: f64) -> ClothGrid {
    ClothGrid {
        pose,
        cells: [cells; 2],
        size: [side / cells as f64; 2],
        density: 0.2,
        radius,
        membrane: ElementMaterial { mu: 0.4 * stiffness, lambda: 0.3 * stiffness, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-4, damping: 0.0 },
    }
}

/// A sheet that swings down.
pub const CLOTH_HANG: SceneEntry = SceneEntry {
    name: "cloth-hang",
    summary: "a sheet held along one edge swings down and hardly stretches, though it is stiff",
    parameters: &[
        Parameter::count("cells", 32, 2, 256, "squares along a side"),
        Parameter::number("stiffness", 1e5, 1e2, 1e9, "of the cloth in N/m"),
    ],
    build: cloth_hang,
};

fn cloth_hang(params: &Params) -> Result<Scene, SceneError> {
    let (cells, stiffness) = (params.count("cells"), params.number("stiffness"));
    let mut scene = ModelBuilder::new();
    let ids = scene.add_cloth_grid(&square(Pose::from_translation(DVec3::Z * 1.2), cells, 1.0, stiffness, 0.0));
    ids[..=cells].iter().for_each(|&id| scene.pin(id));
    // What its own weight stretches it by where it is held, twice as much while it swings through.
    let still = 3.0 * 0.2 * 9.81 / stiffness;
    let claim = "an edge is stretched by less than 2 % beyond what the load asks for at every step, and the free rim swings down";
    let check = Check::new(claim, move |run| {
        let weight = 9.81 * run.model.particle_mass.iter().sum::<f64>();
        let fallen = (run.measures.start_potential - run.measures.min_potential) / weight;
        let figures = Figures::new().below("stretch", most(&run.measures.trace), 0.02 + still, "");
        figures.above("the middle fell by", fallen, 0.4, "m")
    });
    Scene::new(&scene, Settings::seconds(1.0).solvers(&["vbd", "abd"]), check.tracing(largest_stretch))
}

/// A sheet over a ball.
pub const CLOTH_SPHERE: SceneEntry = SceneEntry {
    name: "cloth-sphere",
    summary: "a sheet falls over a ball and drapes it in folds that do not cross",
    parameters: &[Parameter::count("cells", 40, 4, 128, "squares along a side")],
    build: cloth_sphere,
};

fn cloth_sphere(params: &Params) -> Result<Scene, SceneError> {
    let cells = params.count("cells");
    let (ball, radius) = (0.3, 0.006);
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::fixed("ball").at(DVec3::Z * ball).sphere(ball));
    let turn = DQuat::from_rotation_z(0.3);
    let pose = Pose::from_parts(turn * DVec3::new(-0.5, -0.5, 0.0) + DVec3::Z * 0.65, turn);
    scene.add_cloth_grid(&square(pose, cells, 1.0, 1e3, radius));
    let check = Check::new(
        "no triangle crosses another at any step, nothing is inside the ball, and the sheet hangs on it",
        move |run| {
            let inside = |q: &DVec3| ball - (*q - DVec3::Z * ball).length();
            let deepest = run.state.particle_q.iter().map(inside).fold(f64::NEG_INFINITY, f64::max);
            let highest = run.state.particle_q.iter().map(|q| q.z).fold(0.0, f64::max);
            let figures = Figures::new().below("triangles that cross", most(&run.measures.trace), 0.5, "");
            let figures = figures.below("particle inside the ball by", deepest + radius, radius, "m");
            figures.near("top of the sheet", highest, 2.0 * ball + radius, 0.01, "m").below(
                "fastest",
                fastest(run.state),
                0.5,
                "m/s",
            )
        },
    );
    Scene::new(&scene, Settings::seconds(3.0), check.tracing(crossings))
}

/// A box in a cloth.
pub const CLOTH_BOX: SceneEntry = SceneEntry {
    name: "cloth-box",
    summary: "a sheet held by its corners catches a box of a hundred times its mass",
    parameters: &[Parameter::number("ratio", 100.0, 0.1, 1000.0, "mass of the box over that of the cloth")],
    build: cloth_box,
};

fn cloth_box(params: &Params) -> Result<Scene, SceneError> {
    let (cells, ratio) = (24, params.number("ratio"));
    let mut scene = ModelBuilder::new();
    let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 1.0));
    let ids = scene.add_cloth_grid(&square(pose, cells, 1.0, 1e3 * ratio.max(10.0), 0.01));
    let last = (cells + 1) * (cells + 1) - 1;
    [0, cells, last - cells, last].into_iter().for_each(|corner| scene.pin(ids[corner]));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 1.2).cuboid(DVec3::splat(0.1)).mass(0.2 * ratio));
    let check = Check::new(
        "the box is held: it ends above the lowest of the cloth, in the middle and nearly at rest",
        move |run| {
            let place = run.state.body_q[0].translation;
            let lowest = run.state.particle_q.iter().map(|q| q.z).fold(f64::INFINITY, f64::min);
            let figures = Figures::new().above("height over the lowest of the cloth", place.z - lowest, 0.08, "m");
            let figures = figures.below("height of the box", place.z, 1.15, "m").below(
                "off the middle",
                place.truncate().length(),
                0.05,
                "m",
            );
            figures.below("speed", run.state.body_qd[0].linear.length(), 0.2, "m/s").below(
                "overlap",
                run.measures.max_penetration,
                0.02,
                "m",
            )
        },
    );
    Scene::new(&scene, Settings::seconds(5.0).solvers(&["vbd", "abd"]), check)
}

/// Sheets on each other.
pub const CLOTH_STACK: SceneEntry = SceneEntry {
    name: "cloth-stack",
    summary: "sheets dropped on each other lie on each other and do not cross",
    parameters: &[Parameter::count("count", 5, 1, 20, "sheets")],
    build: cloth_stack,
};

fn cloth_stack(params: &Params) -> Result<Scene, SceneError> {
    let (count, cells, radius) = (params.count("count"), 14, 0.01);
    let mut scene = ModelBuilder::new();
    scene.ground();
    for layer in 0..count {
        let turn = DQuat::from_rotation_z(0.2 * layer as f64);
        let place = turn * DVec3::new(-0.35, -0.35, 0.0) + DVec3::Z * (0.03 + 0.05 * layer as f64);
        scene.add_cloth_grid(&square(Pose::from_parts(place, turn), cells, 0.7, 1e3, radius));
    }
    let particles = (cells + 1) * (cells + 1);
    let check = Check::new(
        "no triangle crosses another at any step, and the sheets lie on each other in their order",
        move |run| {
            let middle = |layer: usize| run.state.particle_q[layer * particles + particles / 2].z;
            let off =
                (0..count).map(|layer| (middle(layer) - radius * (1 + 2 * layer) as f64).abs()).fold(0.0, f64::max);
            let figures = Figures::new().below("triangles that cross", most(&run.measures.trace), 0.5, "");
            figures.below("middle of a sheet off its place", off, 0.3 * radius * count as f64, "m")
        },
    );
    Scene::new(&scene, Settings::seconds(4.0), check.tracing(crossings))
}

/// A soft cube.
pub const SOFT_CUBE: SceneEntry = SceneEntry {
    name: "soft-cube",
    summary: "a cube of rubber falls on an edge, bounces and comes to rest with its volume",
    parameters: &[Parameter::count("cells", 6, 1, 20, "boxes of five tetrahedra along a side")],
    build: soft_cube,
};

fn soft_cube(params: &Params) -> Result<Scene, SceneError> {
    let cells = params.count("cells");
    let side = 0.4;
    let mut scene = ModelBuilder::new();
    scene.ground();
    let turn = DQuat::from_rotation_y(0.6);
    scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_parts(DVec3::new(-0.2, -0.2, 0.5), turn),
        cells: [cells; 3],
        size: DVec3::splat(side / cells as f64),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e5, 0.4, 20.0),
    });
    let check = Check::new("it comes to rest on the ground, with its volume within 2 %", move |run| {
        let q = |particle: u32| run.state.particle_q[particle as usize];
        let volume = |&[a, b, c, d]: &[u32; 4]| (q(b) - q(a)).cross(q(c) - q(a)).dot(q(d) - q(a)) / 6.0;
        let whole: f64 = run.model.tet_particle.iter().map(volume).sum();
        let lowest = run.state.particle_q.iter().map(|q| q.z).fold(f64::INFINITY, f64::min);
        let figures = Figures::new().near("volume", whole, side * side * side, 0.02, "m³");
        let figures = figures.below("height of the lowest particle", lowest.abs(), 1e-3, "m");
        figures.below("fastest", fastest(run.state), 0.05, "m/s")
    });
    Scene::new(&scene, Settings::seconds(5.0).solvers(&["vbd", "abd"]), check)
}

/// A ball on a trampoline.
pub const TRAMPOLINE: SceneEntry = SceneEntry {
    name: "trampoline",
    summary: "a ball falls on a stretched sheet held all around and is thrown back",
    parameters: &[],
    build: trampoline,
};

fn trampoline(_: &Params) -> Result<Scene, SceneError> {
    let cells = 24;
    let mut scene = ModelBuilder::new();
    let pose = Pose::from_translation(DVec3::new(-1.0, -1.0, 0.5));
    let ids = scene.add_cloth_grid(&square(pose, cells, 2.0, 2e4, 0.01));
    for row in 0..=cells {
        for column in 0..=cells {
            if row % cells == 0 || column % cells == 0 {
                scene.pin(ids[row * (cells + 1) + column]);
            }
        }
    }
    let (ball, from) = (0.15, 1.5);
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * from).sphere(ball).mass(5.0));
    let check =
        Check::new("the ball is thrown back, no higher than it fell from, and does not pass the sheet", move |run| {
            let trace = &run.measures.trace;
            let lowest = trace
                .iter()
                .copied()
                .enumerate()
                .fold((0, f64::INFINITY), |least, now| if now.1 < least.1 { now } else { least });
            let back = trace[lowest.0..].iter().copied().fold(0.0, f64::max);
            let figures = Figures::new()
                .below("lowest", lowest.1, 0.65, "m")
                .above("thrown back to", back, 0.7, "m")
                .below("which is no higher than", back, from + 0.01, "m");
            figures.below("overlap", run.measures.max_penetration, 0.03, "m")
        });
    let settings = Settings::seconds(1.5).solvers(&["vbd", "abd"]);
    Scene::new(&scene, settings, check.tracing(|_, state| state.body_q[0].translation.z))
}
