//! Whatever goes in, `finalize` answers with a sound model or with faults, never with a panic.

use drystone_model::{
    Axis, BendMaterial, BodyDef, BodyId, DMat3, DQuat, DVec3, Drive, ElementMaterial, JointDef, JointId, JointKind,
    MassProperties, Model, ModelBuilder, ParticleDef, ParticleId, Pose, RodDef, RodMaterial, ShapeDef, ShapeId,
};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    let nasty = [0.0, -0.0, -1.0, 1e-300, 5e-324, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    prop_oneof![60 => 0.05..2.0f64, 1 => prop::sample::select(nasty.to_vec())]
}

fn id() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 0..4u32, 1 => prop::sample::select(vec![7, u32::MAX - 1, u32::MAX])]
}

/// Numbers and indices, to be used up one after another.
#[derive(Clone, Debug)]
struct Noise {
    numbers: Vec<f64>,
    ids: Vec<u32>,
}

impl Noise {
    fn number(&mut self) -> f64 {
        self.numbers.rotate_left(1);
        self.numbers[0]
    }

    fn id(&mut self) -> u32 {
        self.ids.rotate_left(1);
        self.ids[0]
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn six(&mut self) -> [f64; 6] {
        std::array::from_fn(|_| self.number())
    }

    fn pose(&mut self) -> Pose {
        let exact = Pose::new(self.vector(), self.vector());
        if self.number() > 0.06 { exact } else { Pose::from_parts(self.vector(), DQuat::from_xyzw(1.0, 2.0, 0.0, 0.0)) }
    }
}

fn add_something(scene: &mut ModelBuilder, what: u8, noise: &mut Noise) {
    match what % 12 {
        0 => {
            let mass = MassProperties { mass: noise.number(), com: noise.vector(), inertia: DMat3::IDENTITY };
            scene.add_body(BodyDef::dynamic("").pose(noise.pose()).mass_properties(mass).velocity(noise.vector()));
        }
        1 => {
            scene.add_body(BodyDef::dynamic("").pose(noise.pose()).sphere(noise.number()).density(noise.number()));
        }
        2 => {
            scene.add_body(BodyDef::kinematic("").cuboid(noise.vector()).mass(noise.number()));
        }
        3 => {
            scene.add_shape(noise.id(), ShapeDef::capsule(noise.number(), noise.number()).pose(noise.pose()));
        }
        4 => {
            let kind = JointKind::ALL[noise.id() as usize % JointKind::ALL.len()];
            let frames = (noise.pose(), noise.pose());
            let joint = JointDef::new(kind, noise.id(), noise.id()).frames(frames.0, frames.1);
            scene.add_joint(joint.drive(Axis::AngX, Drive::position(noise.number(), noise.number(), noise.number())));
        }
        5 => {
            let joint = JointDef::revolute(noise.id(), noise.id(), noise.vector(), noise.vector());
            let rates = noise.six().map(|rate| rate.abs().min(1.0));
            scene.add_joint(joint.coordinates([0.0, 0.0, 0.0, noise.number(), 0.0, 0.0]).rates(rates));
        }
        6 => {
            let points = vec![noise.vector(), noise.vector(), noise.vector()];
            scene.add_rod(RodDef::new(points, noise.number(), RodMaterial::default()).twisted(noise.number()));
        }
        7 => {
            let (nodes, edges) = ([noise.vector(), noise.vector()], [[noise.id(), noise.id()], [0, 1]]);
            scene.add_rod_graph("", &nodes, &edges, noise.number(), RodMaterial::default());
        }
        8 => {
            scene.add_particle(ParticleDef::new(noise.vector(), noise.number()));
            scene.add_spring(ParticleId(noise.id()), ParticleId(noise.id()), noise.number(), noise.number());
        }
        9 => {
            let corners = [ParticleId(noise.id()), ParticleId(noise.id()), ParticleId(noise.id())];
            scene.add_triangle(corners, ElementMaterial::default());
            scene.add_edges(&[corners], BendMaterial::default());
            scene.add_tetrahedron(
                [corners[0], corners[1], corners[2], ParticleId(noise.id())],
                ElementMaterial::default(),
            );
        }
        10 => {
            scene.filter_shapes(ShapeId(noise.id()), ShapeId(noise.id()));
            scene.filter_bodies(noise.id(), noise.id());
            scene.set_attribute("demo.x", JointId(noise.id()), noise.number());
            scene.pin(ParticleId(noise.id()));
        }
        _ => {
            let copy = scene.clone();
            scene.append(&copy, noise.pose(), "copy/");
            scene.begin_world(noise.vector());
            scene.set_attribute("demo.x", BodyId(noise.id()), noise.number());
        }
    }
}

fn is_sound(model: &Model) -> bool {
    let state = model.state();
    let coordinates: Vec<[f64; 6]> = (0..model.joint_count()).map(|j| model.joint_coordinates(&state, j)).collect();
    let mut moved = state.clone();
    model.validate().is_ok()
        && coordinates.iter().flatten().all(|value| value.is_finite())
        && model.forward_kinematics(&coordinates, &vec![[0.0; 6]; coordinates.len()], &mut moved).is_ok()
        && moved.body_q.iter().all(Pose::is_finite)
        && model.hash() != 0
        && model.control().joint_f.len() == model.joint_count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn finalize_never_panics(
        numbers in prop::collection::vec(number(), 40..80),
        ids in prop::collection::vec(id(), 7..13),
        things in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let mut noise = Noise { numbers, ids };
        let mut scene = ModelBuilder::new();
        for what in things {
            add_something(&mut scene, what, &mut noise);
        }
        match scene.finalize() {
            Ok(model) => prop_assert!(is_sound(&model)),
            Err(error) => prop_assert!(!error.faults.is_empty()),
        }
    }
}
