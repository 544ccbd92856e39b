//! A gripper that takes hold of cloth.

use drystone::model::{
    Axis, BendMaterial, BodyDef, BodyId, DVec3, Drive, ElementMaterial, JointDef, Model, ModelBuilder, ParticleId,
    ShapeDef, State,
};

use crate::check::{Check, Figures};
use crate::measure::{crossings, most};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Two fingers and a sheet.
pub const GRIPPER_CLOTH: SceneEntry = SceneEntry {
    name: "gripper-cloth",
    summary: "a gripper of two fingers takes a fold of a sheet and lifts it off the ground by friction alone",
    parameters: &[
        Parameter::number("friction", 0.6, 0.0, 2.0, "coefficient of the cloth; the fingers have 0.6"),
        Parameter::number("force", 2.0, 0.1, 50.0, "that closes the fingers in N"),
    ],
    build: gripper_cloth,
};

/// Squares of the sheet along a side, and their size \[m\].
const CELLS: [usize; 2] = [24, 16];
const SIZE: f64 = 0.02;
/// Half of the thickness of the sheet \[m\].
const RADIUS: f64 = 0.004;
/// Squares on either side of the fold that stand up, and half of the way between the two sides \[m\].
const STANDING: usize = 4;
const HALF_GAP: f64 = 0.01;
/// How high the hand rises \[m\], how fast \[m/s\].
const RISE: [f64; 2] = [0.35, 0.4];

/// Where a point of the sheet is that was so many squares from the fold: up to the top of it, or on the ground beside it.
fn folded(from_fold: isize) -> [f64; 2] {
    let (side, away) = (from_fold.signum() as f64, from_fold.unsigned_abs());
    let height = RADIUS + SIZE * STANDING.saturating_sub(away) as f64;
    let beside = SIZE * away.saturating_sub(STANDING) as f64;
    [side * (HALF_GAP + beside), height]
}

/// A sheet of 0.2 kg/m² on the ground with a fold that stands up along y; returns the particles of its top.
fn sheet(scene: &mut ModelBuilder, friction: f64) -> Vec<ParticleId> {
    let [columns, rows] = CELLS;
    let place = |column: usize, row: usize| {
        let [x, z] = folded(column as isize - columns as isize / 2);
        DVec3::new(x, SIZE * (row as f64 - 0.5 * rows as f64), z)
    };
    let points: Vec<DVec3> = (0..=rows).flat_map(|row| (0..=columns).map(move |column| place(column, row))).collect();
    let mut triangles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let at = |x: usize, y: usize| ((row + y) * (columns + 1) + column + x) as u32;
            triangles.extend([[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]);
        }
    }
    let membrane = ElementMaterial { mu: 400.0, lambda: 300.0, damping: 0.05 };
    let bend = BendMaterial { stiffness: 1e-4, damping: 1e-5 };
    let ids = scene.add_cloth_mesh(&points, &triangles, 0.2, RADIUS, membrane, bend);
    scene.particle_friction(&ids, friction, friction);
    (0..=rows).map(|row| ids[row * (columns + 1) + columns / 2]).collect()
}

/// A hand that rises and stops, and two fingers that close on the fold.
fn hand(scene: &mut ModelBuilder, force: f64) {
    let (half, pad) = (DVec3::new(0.008, 0.02, 0.025), 0.045);
    let fold = RADIUS + SIZE * STANDING as f64;
    let above = DVec3::Z * (fold + 0.1);
    let palm = scene.add_body(BodyDef::dynamic("palm").at(above).cuboid(DVec3::new(0.06, 0.02, 0.01)).mass(0.5));
    let [height, speed] = RISE;
    let up = JointDef::prismatic(BodyId::WORLD, palm, above, DVec3::Z).drive(Axis::X, Drive::velocity(speed, 200.0));
    scene.add_joint(up.named("lift").limit(Axis::X, 0.0, height));
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let at = DVec3::new(side * pad, 0.0, fold - half.z);
        let shape = ShapeDef::cuboid(half).friction(0.6);
        let finger = scene.add_body(BodyDef::dynamic(name).at(at).shape(shape).mass(0.05));
        // Wide enough open to close beyond the fold, if nothing were in the way.
        let close = Drive::position(pad, 200.0, 10.0).max_effort(force);
        let slide = JointDef::prismatic(palm, finger, at, DVec3::X * -side).drive(Axis::X, close);
        scene.add_joint(slide.named(name).limit(Axis::X, 0.0, pad - half.x));
    }
}

/// Height of the middle of the fold above that of the fingers \[m\].
fn above_fingers(state: &State, top: ParticleId, finger: usize) -> f64 {
    state.particle_q[top.built_index()].z - state.body_q[finger].translation.z
}

fn gripper_cloth(params: &Params) -> Result<Scene, SceneError> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let top = sheet(&mut scene, params.number("friction"));
    hand(&mut scene, params.number("force"));
    let middle = top[top.len() / 2];
    let finger = 1;
    let lifted = move |model: &Model, state: &State| {
        if crossings(model, state) > 0.0 { 1e3 } else { above_fingers(state, middle, finger).abs() }
    };
    let claim = "the whole sheet is in the air and still between the fingers, where it has slipped by less than 10 mm, and no triangle \
                 crosses another at any step";
    let check = Check::new(claim, move |run| {
        let lowest = run.state.particle_q.iter().map(|q| q.z).fold(f64::INFINITY, f64::min);
        let held = above_fingers(run.state, middle, finger);
        let start = run.model.particle_q[middle.built_index()].z - run.model.body_q[finger].translation.z;
        let rise = run.state.body_q[0].translation.z - run.model.body_q[0].translation.z;
        Figures::new()
            .below("fold above the fingers at any step, 1000 if triangles cross", most(&run.measures.trace), 0.1, "m")
            .above("lowest of the sheet above the ground", lowest, 0.1, "m")
            .near("rise of the hand", rise, RISE[0], 0.01, "m")
            .below("slipped by", (held - start).abs(), 0.01, "m")
            .below("joint gap", run.measures.max_joint_error, 1e-3, "m")
    });
    Scene::new(&scene, Settings::seconds(2.5), check.tracing(lifted))
}
