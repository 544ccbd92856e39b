//! Trees whose joints are all single numbers, and what other engines are asked about them.

use drystone::mechanism::{Freedom, JointSpace};
use drystone::model::{BodyDef, BodyId, DQuat, DVec3, JointDef, Model, ModelBuilder, WORLD};
use drystone_random::Random;
use serde::{Deserialize, Serialize};

/// Seeds and numbers of bodies of the trees compared.
pub const TREES: &[(u64, usize)] = &[(1, 4), (2, 9), (3, 20)];

/// What is asked about a tree, in the order of its freedoms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// Names of the freedoms in the model file.
    pub freedom: Vec<String>,
    /// Coordinates \[m or rad\].
    pub coordinate: Vec<f64>,
    /// Rates \[m/s or rad/s\].
    pub rate: Vec<f64>,
    /// Accelerations \[m/s² or rad/s²\].
    pub acceleration: Vec<f64>,
    /// Body that Jacobians are asked of.
    pub body: String,
    /// A point fixed to it, in its frame \[m\].
    pub point: [f64; 3],
}

/// What an engine says, matrices row by row in the order of the question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The mass matrix.
    pub mass_matrix: Vec<Vec<f64>>,
    /// Efforts of the accelerations asked about \[N or N·m\].
    pub effort: Vec<f64>,
    /// Efforts at rest, against weight alone \[N or N·m\].
    pub weight: Vec<f64>,
    /// Velocity of the point and angular velocity of its body per rate, six rows.
    pub jacobian: Vec<Vec<f64>>,
    /// Centre of mass \[m\].
    pub centre: Vec<f64>,
    /// Velocity of the centre of mass per rate, three rows.
    pub centre_jacobian: Vec<Vec<f64>>,
}

/// A tree of bodies on hinges and slides, hung from the world, in motion.
///
/// # Panics
/// Never for the seeds of [`TREES`].
pub fn tree(seed: u64, bodies: usize) -> Model {
    let mut random = Random::new(seed);
    let mut builder = ModelBuilder::new();
    let mut places = Vec::new();
    for index in 0..bodies {
        let mut draw = || DVec3::new(random.signed(), random.signed(), random.signed());
        let (way, turn, half, axis) = (draw(), draw(), draw(), draw());
        let from = if index == 0 { None } else { Some(random.below(index)) };
        let near: DVec3 = from.map_or(DVec3::ZERO, |from: usize| places[from]);
        let at = near + 0.6 * way;
        let half = DVec3::splat(0.05) + 0.1 * half.abs();
        let def = BodyDef::dynamic(format!("link {index}")).at(at).rotated(DQuat::from_scaled_axis(turn));
        let body = builder.add_body(def.cuboid(half));
        let parent = from.map_or(BodyId(WORLD), |from| BodyId(from as u32));
        let anchor = near + 0.3 * way;
        let slides = random.unit() < 0.3;
        let make = if slides { JointDef::prismatic } else { JointDef::revolute };
        let mut joint = make(parent, body, anchor, axis.normalize_or(DVec3::X));
        joint.name = format!("joint {index}");
        let mut some = |size: f64| {
            let mut values = [0.0; 6];
            values[if slides { 0 } else { 3 }] = size * random.signed();
            values
        };
        let (coordinates, rates) = (some(0.8), some(2.0));
        builder.add_joint(joint.coordinates(coordinates).rates(rates));
        places.push(at);
    }
    builder.finalize().unwrap_or_else(|error| panic!("{error}"))
}

/// What is asked about a tree.
///
/// # Panics
/// If the joints form loops.
pub fn question(model: &Model) -> Question {
    let joints = JointSpace::new(model).unwrap_or_else(|error| panic!("{error}"));
    let state = model.state();
    let mut random = Random::new(9);
    let mut question = Question {
        freedom: Vec::new(),
        coordinate: Vec::new(),
        rate: joints.rates(&state),
        acceleration: joints.freedoms().iter().map(|_| 3.0 * random.signed()).collect(),
        body: model.body_name[model.body_count() - 1].clone(),
        point: [0.1, -0.2, 0.3],
    };
    for freedom in joints.freedoms() {
        let Freedom::Joint { joint, axis } = *freedom else { panic!("the tree is fixed to the world") };
        question.freedom.push(format!("{}:{axis:?}", model.joint_name[joint as usize]));
        question.coordinate.push(model.joint_coordinates(&state, joint as usize)[axis as usize]);
    }
    question
}
