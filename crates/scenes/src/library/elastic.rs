//! Elastic things between stiff ones, where nothing may pass through anything.

use drystone_kernels::elementary::cos;

use drystone::geometry::Pose;
use drystone::model::{
    BodyDef, DQuat, DVec3, ElementMaterial, ModelBuilder, ParticleDef, ParticleId, ShapeDef, SoftGrid,
};

use crate::check::{Check, Figures, Run};
use crate::measure::{crossings, fastest, most};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// The figures that all claims here share: nothing cuts, by the solver and by a count of its own.
fn uncut(run: &Run) -> Figures {
    let figures = Figures::new().below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m");
    figures.below("triangles that cross", most(&run.measures.trace), 0.5, "")
}

/// A soft cube through a slot.
pub const SQUEEZE: SceneEntry = SceneEntry {
    name: "squeeze",
    summary: "a cube of rubber is pushed through a slot between two bars that is a third narrower than it",
    parameters: &[
        Parameter::count("cells", 5, 2, 16, "boxes of five tetrahedra along a side"),
        Parameter::number("slot", 0.14, 0.11, 0.3, "width of the slot in m; the cube is 0.2 m wide"),
    ],
    build: squeeze,
};

fn squeeze(params: &Params) -> Result<Scene, SceneError> {
    let (cells, slot, side, bar) = (params.count("cells"), params.number("slot"), 0.2, 0.06);
    let mut scene = ModelBuilder::new();
    scene.ground();
    for (name, sign) in [("left bar", -1.0), ("right bar", 1.0)] {
        let at = DVec3::new(sign * (0.5 * slot + bar), 0.0, 0.4);
        let along = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let shape = ShapeDef::capsule(bar, 0.2).friction(0.1);
        scene.add_body(BodyDef::fixed(name).at(at).rotated(along).shape(shape));
    }
    let bottom = 0.4 + bar + 0.002;
    scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::new(-0.5 * side, -0.5 * side, bottom)),
        cells: [cells; 3],
        size: DVec3::splat(side / cells as f64),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(5e4, 0.4, 50.0),
    });
    let piston = BodyDef::kinematic("piston").at(DVec3::Z * (bottom + side + 0.022)).velocity(DVec3::NEG_Z * 0.4);
    scene.add_body(piston.shape(ShapeDef::cuboid(DVec3::new(0.045, 0.12, 0.02)).friction(0.1)));
    let claim = "the cube ends between the bars and the ground and none of it inside out, and nothing cuts through anything at any step";
    let check = Check::new(claim, move |run| {
        let heights = || run.state.particle_q.iter().map(|x| x.z);
        let (lowest, highest) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        let between = uncut(run).above("lowest of the cube", lowest, 0.0, "m").below("highest", highest, 0.4, "m");
        between.below("tetrahedra inside out", inside_out(run), 0.5, "")
    });
    Scene::new(&scene, Settings::seconds(1.1).hertz(100.0).solvers(&["abd"]), check.tracing(crossings))
}

/// Tetrahedra that are inside out at the end.
fn inside_out(run: &Run) -> f64 {
    let x = &run.state.particle_q;
    let turned = |corners: &&[u32; 4]| {
        let [a, b, c, d] = corners.map(|corner| x[corner as usize]);
        (b - a).cross(c - a).dot(d - a) < 0.0
    };
    run.model.tet_particle.iter().filter(turned).count() as f64
}

/// A ball in an elastic net.
pub const SOFT_NET: SceneEntry = SceneEntry {
    name: "soft-net",
    summary: "a net of elastic strings held by its rim catches a ball of stone",
    parameters: &[
        Parameter::count("meshes", 10, 4, 40, "meshes of the net along a side"),
        Parameter::number("mass", 20.0, 0.1, 200.0, "mass of the ball in kg"),
    ],
    build: soft_net,
};

fn soft_net(params: &Params) -> Result<Scene, SceneError> {
    let (meshes, mass, side, ball) = (params.count("meshes"), params.number("mass"), 1.0, 0.2);
    let (per_mesh, thick) = (3, 0.004);
    let last = meshes * per_mesh;
    let step = side / last as f64;
    let mut scene = ModelBuilder::new();
    let mut knots: Vec<Vec<Option<ParticleId>>> = vec![vec![None; last + 1]; last + 1];
    for (i, row) in knots.iter_mut().enumerate() {
        for (j, knot) in row.iter_mut().enumerate().filter(|(j, _)| i % per_mesh == 0 || j % per_mesh == 0) {
            let at = DVec3::new(step * i as f64 - 0.5 * side, step * j as f64 - 0.5 * side, 1.0);
            let id = scene.add_particle(ParticleDef::new(at, 0.002).radius(thick));
            if i == 0 || j == 0 || i == last || j == last {
                scene.pin(id);
            }
            *knot = Some(id);
        }
    }
    let stiffness = 1200.0 * per_mesh as f64;
    for i in 0..=last {
        for j in 0..=last {
            let along = [(i + 1, j, j % per_mesh == 0), (i, j + 1, i % per_mesh == 0)];
            for (next_i, next_j, on_string) in along {
                let next = knots.get(next_i).and_then(|row| row.get(next_j)).copied().flatten();
                if let (Some(a), Some(b), true) = (knots[i][j], next, on_string) {
                    scene.add_spring(a, b, stiffness, 5.0);
                }
            }
        }
    }
    let start = 1.0 + ball + 0.05;
    let stone = ShapeDef::sphere(ball);
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::new(0.03, 0.02, start)).shape(stone).mass(mass));
    let claim = "the net holds the ball: it ends slower than 0.5 m/s, lower than the rim and above the lowest of the net, and no string passes \
                 through it at any step";
    let check = Check::new(claim, move |run| {
        let place = run.state.body_q[0].translation;
        let lowest = run.state.particle_q.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        let inside = run.state.particle_q.iter().map(|x| ball - x.distance(place)).fold(f64::NEG_INFINITY, f64::max);
        let figures = Figures::new().below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m");
        let figures = figures.below("height of the ball", place.z, 1.0, "m");
        let figures = figures.above("over the lowest", place.z - lowest, 0.9 * ball, "m");
        figures.below("string inside the ball by", inside, 1e-9, "m").below("fastest", fastest(run.state), 0.5, "m/s")
    });
    Scene::new(&scene, Settings::seconds(3.0).hertz(100.0).solvers(&["abd"]), check)
}

/// A beam wrung out.
pub const TWIST_BEAM: SceneEntry = SceneEntry {
    name: "twist-beam",
    summary: "a beam of rubber is twisted by its ends until it lies in folds on itself",
    parameters: &[
        Parameter::count("cells", 3, 2, 8, "boxes of five tetrahedra across; eight times as many along"),
        Parameter::number("turns", 1.5, 0.1, 4.0, "turns of either end"),
    ],
    build: twist_beam,
};

fn twist_beam(params: &Params) -> Result<Scene, SceneError> {
    let (cells, turns, width, seconds) = (params.count("cells"), params.number("turns"), 0.1, 2.0);
    let (length, size) = (8.0 * width, width / cells as f64);
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let upright = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let ids = scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_parts(DVec3::new(-0.5 * length, -0.5 * width, 0.5 * width), upright),
        cells: [cells, cells, 8 * cells],
        size: DVec3::splat(size),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e5, 0.4, 200.0),
    });
    let layer = (cells + 1) * (cells + 1);
    let rate = turns * std::f64::consts::TAU / seconds;
    for (name, sign, first) in [("left", -1.0, 0), ("right", 1.0, ids.len() - layer)] {
        let jaw = BodyDef::kinematic(name).at(DVec3::X * sign * (0.5 * length + 0.023)).spin(DVec3::X * sign * rate);
        let jaw = scene.add_body(jaw.cuboid(DVec3::new(0.02, 0.08, 0.08)));
        ids[first..first + layer].iter().for_each(|&id| scene.attach(id, jaw));
    }
    let claim = "the middle of the beam stays within 2 cm, its ends turn with their jaws, and no triangle crosses another at any step";
    let count = ids.len();
    let check = Check::new(claim, move |run| {
        let centre = run.state.particle_q.iter().sum::<DVec3>() / count as f64;
        let turned = |k: usize| {
            let (from, to) = (run.model.particle_q[k].with_x(0.0), run.state.particle_q[k].with_x(0.0));
            from.dot(to) / (from.length() * to.length())
        };
        let asked = cos(rate * seconds);
        uncut(run).below("middle off by", centre.length(), 0.02, "m").below(
            "end off the turn of its jaw",
            (turned(0) - asked).abs(),
            1e-3,
            "",
        )
    });
    Scene::new(&scene, Settings::seconds(seconds).hertz(100.0).solvers(&["abd"]), check.tracing(crossings))
}
