//! Nets of closed loops: chain mail, and a lattice whose parts start scattered.

use drystone::model::{BodyDef, BodyId, DQuat, DVec3, JointDef, JointKind, ModelBuilder, Pose, ShapeDef, WORLD};

use super::chains::ghost;
use crate::check::{Check, Figures, swings};
use crate::params::{Parameter, Params};
use crate::rng::Rng;
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Rings in a square net, joined by links, hung by its corners.
pub const CHAIN_MAIL: SceneEntry = SceneEntry {
    name: "chain-mail",
    summary: "a square of chain mail, a closed loop at every mesh, sags between its corners",
    parameters: &[Parameter::count("size", 6, 2, 100, "rings along an edge")],
    build: chain_mail,
};

/// Distance of neighbouring rings and how much higher every other one is at the start \[m\]: the links
/// between them are longer than the way, which is the slack the mail sags by.
const PITCH: f64 = 0.1;
const RISE: f64 = 0.05;
/// Radius of a ring and of its wire \[m\].
const RING: f64 = 0.03;
const WIRE: f64 = 0.006;

fn chain_mail(params: &Params) -> Result<Scene, SceneError> {
    let size = params.count("size");
    let mut scene = ModelBuilder::new();
    let place = |column: usize, row: usize| {
        let up = if (column + row).is_multiple_of(2) { 0.0 } else { RISE };
        DVec3::new(PITCH * column as f64, PITCH * row as f64, up)
    };
    let mut rings = Vec::with_capacity(size * size);
    for row in 0..size {
        for column in 0..size {
            let ring = add_ring(&mut scene, place(column, row));
            rings.push(ring);
            if column > 0 {
                add_link(&mut scene, [rings[rings.len() - 2], ring], [place(column - 1, row), place(column, row)]);
            }
            if row > 0 {
                add_link(
                    &mut scene,
                    [rings[rings.len() - 1 - size], ring],
                    [place(column, row - 1), place(column, row)],
                );
            }
        }
    }
    for (column, row) in [(0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)] {
        scene.add_joint(JointDef::ball(WORLD, rings[row * size + column], place(column, row)));
    }
    Scene::new(&scene, Settings::seconds(2.0).hertz(480.0).solvers(&["structured", "vbd"]), swings(1e-8, 0.01))
}

/// A ring of six straight pieces, flat.
fn add_ring(scene: &mut ModelBuilder, at: DVec3) -> BodyId {
    let mut ring = BodyDef::dynamic("").at(at);
    for piece in 0..6 {
        let around = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_3 * f64::from(piece));
        let shape = ShapeDef::capsule(WIRE, 0.5 * RING).at(around * DVec3::X * RING);
        let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        ring = ring.shape(ghost(shape.rotated(around * lying).density(7800.0)));
    }
    scene.add_body(ring)
}

/// A link between the near edges of two rings.
fn add_link(scene: &mut ModelBuilder, [from, to]: [BodyId; 2], [near, far]: [DVec3; 2]) {
    let along = (far - near).normalize();
    let (near, far) = (near + along * RING, far - along * RING);
    let half = 0.5 * (far - near).length();
    let link = BodyDef::dynamic("").at(0.5 * (near + far)).rotated(DQuat::from_rotation_arc(DVec3::Z, along));
    let link = scene.add_body(link.shape(ghost(ShapeDef::capsule(WIRE, half - WIRE).density(7800.0))));
    scene.add_joint(JointDef::ball(from, link, near));
    scene.add_joint(JointDef::ball(link, to, far));
}

/// The same net without its hooks above a ball.
pub const MAIL_ON_BALL: SceneEntry = SceneEntry {
    name: "mail-on-ball",
    summary: "a square of chain mail falls on a ball and drapes itself over it",
    parameters: &[Parameter::count("size", 8, 2, 60, "rings along an edge")],
    build: mail_on_ball,
};

/// Radius of the ball in widths of the mail, and how far below the mail it begins \[m\].
const BALL: f64 = 0.3;
const DROP: f64 = 0.02;
/// The ball and what meets it. Rings pass each other, held by their links.
const MEETS_BALL: u32 = 1 << 8;

fn mail_on_ball(params: &Params) -> Result<Scene, SceneError> {
    let size = params.count("size");
    let mut scene = ModelBuilder::new();
    let place = |column: usize, row: usize| DVec3::new(PITCH * column as f64, PITCH * row as f64, 0.0);
    let mut rings = Vec::with_capacity(size * size);
    for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        let ring = add_ring(&mut scene, place(column, row));
        // A bead in the middle of every ring is what touches the ball.
        let bead = ShapeDef::sphere(RING).groups(MEETS_BALL, MEETS_BALL).friction(0.6).density(100.0);
        scene.add_shape(ring, bead);
        rings.push(ring);
        if column > 0 {
            add_link(&mut scene, [rings[rings.len() - 2], ring], [place(column - 1, row), place(column, row)]);
        }
        if row > 0 {
            add_link(&mut scene, [rings[rings.len() - 1 - size], ring], [place(column, row - 1), place(column, row)]);
        }
    }
    let width = PITCH * (size - 1) as f64;
    let radius = BALL * width + RING;
    let centre = DVec3::new(0.5 * width, 0.5 * width, -DROP - RING - radius);
    let ball = ShapeDef::sphere(radius).groups(MEETS_BALL, MEETS_BALL).friction(0.6);
    scene.add_body(BodyDef::fixed("ball").at(centre).shape(ball));
    let corner = rings[0];
    let check =
        Check::new("its corners hang below its middle, no bead is in the ball, every joint is closed", move |run| {
            let at = |body: BodyId| run.state.body_q[body.built_index()].translation;
            let nearest = rings.iter().map(|&ring| (at(ring) - centre).length() - radius - RING);
            let highest = rings.iter().map(|&ring| at(ring).z).fold(f64::NEG_INFINITY, f64::max);
            Figures::new()
                .above("corner below the highest ring", highest - at(corner).z, 0.3 * radius, "m")
                .above("nearest bead", nearest.fold(f64::INFINITY, f64::min), -1e-4, "m")
                .below("middle below where it touched", (centre.z + radius + RING - highest).abs(), 0.2 * radius, "m")
                .below("joint gap", run.measures.max_joint_error, 1e-6, "m")
        });
    Scene::new(&scene, Settings::seconds(0.5).hertz(240.0).solvers(&["structured", "vbd"]), check)
}

/// Cubes that belong in a lattice, thrown about: the solver puts the joints together.
pub const ASSEMBLY: SceneEntry = SceneEntry {
    name: "assembly",
    summary: "parts scattered in space are pulled together into the lattice their joints describe",
    parameters: &[
        Parameter::count("size", 4, 2, 20, "parts along an edge"),
        Parameter::number("scatter", 0.5, 0.0, 2.0, "how far parts lie from their places, in lattice spacings"),
        Parameter::number("turn", 90.0, 0.0, 180.0, "largest angle parts are turned by in degrees"),
        Parameter::count("seed", 1, 0, 1_000_000, "of the random poses"),
    ],
    build: assembly,
};

/// Distance of the places of neighbouring parts, and half the edge of a part \[m\].
const SPACING: f64 = 0.1;
const HALF_PART: f64 = 0.04;

fn assembly(params: &Params) -> Result<Scene, SceneError> {
    let size = params.count("size");
    let mut rng = Rng::new(params.count("seed") as u32);
    let (scatter, turn) = (params.number("scatter") * SPACING, params.number("turn").to_radians());
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let index = |x: usize, y: usize, z: usize| (z * size + y) * size + x;
    let mut parts = Vec::with_capacity(size.pow(3));
    for z in 0..size {
        for y in 0..size {
            for x in 0..size {
                let home = DVec3::new(x as f64, y as f64, z as f64) * SPACING;
                let pose = scattered(home, scatter, turn, &mut rng);
                let part = BodyDef::dynamic(format!("part {x} {y} {z}")).pose(pose);
                parts.push(scene.add_body(part.shape(ghost(ShapeDef::cuboid(DVec3::splat(HALF_PART))))));
                let neighbours = [(x > 0, DVec3::X), (y > 0, DVec3::Y), (z > 0, DVec3::Z)];
                for (_, axis) in neighbours.into_iter().filter(|(there, _)| *there) {
                    let [dx, dy, dz] = axis.to_array().map(|step| step as usize);
                    let neighbour = parts[index(x - dx, y - dy, z - dz)];
                    scene.add_joint(face_joint(neighbour, parts[parts.len() - 1], axis));
                }
            }
        }
    }
    let check = Check::new("all joints are closed to 1 µm at the end", |run| {
        let open = (0..run.model.joint_count()).map(|joint| run.model.joint_error(run.state, joint as u32).linear);
        Figures::new().below("joint gap at the end", open.fold(0.0, f64::max), 1e-6, "m")
    });
    Scene::new(&scene, Settings::seconds(1.0).solvers(&[drystone::DEFAULT_SOLVER, "structured"]), check)
}

fn scattered(home: DVec3, scatter: f64, turn: f64, rng: &mut Rng) -> Pose {
    let mut draw =
        |reach: f64| DVec3::new(rng.normal(), rng.normal(), rng.normal()).normalize_or_zero() * rng.uniform(0.0, reach);
    let (shift, rotation) = (draw(scatter), draw(turn));
    Pose::from_parts(home + shift, DQuat::from_scaled_axis(rotation))
}

/// A ball joint between the facing sides of two neighbours along an axis, wherever they are now.
fn face_joint(from: BodyId, to: BodyId, axis: DVec3) -> JointDef {
    let reach = axis * (0.5 * SPACING);
    JointDef::new(JointKind::Ball, from, to).frames(Pose::from_translation(reach), Pose::from_translation(-reach))
}
