//! The whole step of bodies and particles against finite differences.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, DVec3, ElementMaterial, Model, ModelBuilder, ParticleDef, Pose, SoftGrid};
use drystone_solve::clock::Clock;
use drystone_solve::linalg::matrix::dot;
use drystone_solve::solver::Solver;

use super::super::affine::{Affine, Vec12};
use super::super::newton::Problem;
use super::super::surface::Placed;
use super::super::{Abd, AbdOptions};
use super::{At, Tie};

const DT: f64 = 0.01;

/// A box on a block that is held by another box, a string laid over them and a sheet below: every kind of element and contact.
fn scene() -> Model {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    let low = scene.add_body(BodyDef::dynamic("low").at(DVec3::Z * 0.1).cuboid(DVec3::splat(0.099)));
    let block = scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::new(-0.1, -0.1, 0.205)),
        cells: [2; 3],
        size: DVec3::splat(0.1),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e5, 0.3, 10.0),
    });
    block[..3].iter().for_each(|&id| scene.attach(id, low));
    scene.attach_at(block[8], low, DVec3::new(0.1, 0.1, 0.09), 300.0);
    let turned = drystone_model::DQuat::from_scaled_axis(DVec3::new(0.2, 0.1, 0.3));
    scene.add_body(BodyDef::dynamic("high").at(DVec3::new(0.02, 0.0, 0.57)).rotated(turned).cuboid(DVec3::splat(0.06)));
    let ids: Vec<_> = (0..7)
        .map(|k| scene.add_particle(ParticleDef::new(DVec3::new(0.01, 0.08 * f64::from(k) - 0.24, 0.45), 0.05)))
        .collect();
    ids.windows(2).for_each(|ends| scene.add_spring(ends[0], ends[1], 300.0, 0.2));
    scene.add_cloth_grid(&drystone_model::ClothGrid {
        pose: Pose::from_translation(DVec3::new(-0.2, -0.2, 0.43)),
        cells: [5; 2],
        size: [0.08; 2],
        density: 0.2,
        radius: 0.0,
        membrane: ElementMaterial { mu: 300.0, lambda: 200.0, damping: 0.1 },
        bend: drystone_model::BendMaterial { stiffness: 1e-3, damping: 1e-5 },
    });
    scene.ground();
    scene.finalize().unwrap()
}

struct Rig {
    abd: Abd,
    roughness: Vec<f64>,
}

impl Rig {
    /// After so many steps, moved off the solution by some hundredths of d̂.
    fn new(model: &Model, steps: usize) -> Self {
        let options = AbdOptions { contact_distance: Some(2e-3), stiffness: 1e6, ..AbdOptions::default() };
        let mut abd = Abd::new(model, options).unwrap();
        let mut collide = Collide::new(model, CollideOptions::default());
        let mut state = model.state();
        for _ in 0..steps {
            abd.step(model, &mut state, &model.control(), &mut collide, DT).unwrap();
        }
        let roughness = abd.roughness.clone();
        let mut rig = Self { abd, roughness };
        let soft = rig.abd.newton.soft.as_mut().unwrap();
        let nodes: Vec<usize> = (0..soft.tie.len()).filter(|&place| matches!(soft.tie[place], Tie::Node(_))).collect();
        for place in nodes {
            soft.here[place] += 2e-5 * wave(place as f64);
        }
        for place in 0..soft.tie.len() {
            if let Tie::Held(slot, rest) = soft.tie[place] {
                soft.here[place] = rig.abd.bodies.q[slot as usize].point(rest);
            }
        }
        rig.refresh();
        rig
    }

    /// Contacts where everything is.
    fn refresh(&mut self) {
        let scale = self.abd.scale(DT);
        let Abd { newton, bodies, surface, .. } = &mut self.abd;
        surface.place(&bodies.q, &mut newton.here);
        let soft = newton.soft.as_mut().unwrap();
        soft.find_near(surface, [&newton.here; 2], [At::Here; 2], scale.contact_distance);
        soft.contacts = soft.contacts_at(surface, &newton.here, At::Here, &bodies.contact_mass, &scale);
        newton.contacts = newton.near.contacts(surface, &newton.here, scale.contact_distance, |_| true);
    }

    fn problem(&self) -> (AbdOptions, Vec<f64>) {
        (self.abd.options.clone(), self.roughness.clone())
    }

    /// Gradient by bodies and particles, and Newton's step.
    fn newton(&mut self) -> (Vec<Vec12>, Vec<[f64; 3]>) {
        let (options, roughness) = self.problem();
        let scale = self.abd.scale(DT);
        let problem = Problem { options: &options, scale, belt: &[], roughness: &roughness };
        let Abd { newton, bodies, surface, .. } = &mut self.abd;
        newton.newton_step(&problem, bodies, surface, &mut Clock::new());
        (newton.system.gradient.clone(), newton.system.soft.as_ref().unwrap().gradient.clone())
    }

    /// Energy after a displacement of bodies and nodes.
    fn energy(&mut self, bodies_step: &[Vec12], nodes_step: &[[f64; 3]], share: f64) -> f64 {
        let (options, roughness) = self.problem();
        let scale = self.abd.scale(DT);
        let problem = Problem { options: &options, scale, belt: &[], roughness: &roughness };
        let Abd { newton, bodies, surface, .. } = &mut self.abd;
        let mut q = bodies.q.clone();
        for (slot, step) in newton.system.slots().iter().zip(bodies_step) {
            let at = q[*slot as usize].to_array();
            q[*slot as usize] = Affine::from_array(&std::array::from_fn(|i| at[i] + share * step[i]));
        }
        let mut placed = Placed::default();
        surface.place(&q, &mut placed);
        let first = newton.system.first_particle();
        let soft = newton.soft.as_mut().unwrap();
        soft.take_step(first, nodes_step);
        soft.set_trial(share, &q);
        soft.find_near(surface, [&placed; 2], [At::Trial; 2], scale.contact_distance);
        let touching = soft.contacts_at(surface, &placed, At::Trial, &bodies.contact_mass, &scale);
        let contacts = newton.near.contacts(surface, &placed, scale.contact_distance, |_| true);
        newton.trial = placed;
        let mut energy = vec![0.0; q.len()];
        newton.energies(&problem, bodies, (&q, &contacts), |_| true, &mut energy);
        energy.iter().sum::<f64>() + newton.particle_energy(&problem, At::Trial, &touching)
    }
}

fn wave(seed: f64) -> DVec3 {
    DVec3::new((1.7 * seed).sin(), (2.3 * seed + 1.0).sin(), (3.1 * seed + 2.0).sin())
}

/// Slopes of the energy along random displacements are those of the gradient, in the midst of contacts, friction and attachments.
#[test]
fn the_gradient_of_the_whole_step_is_that_of_finite_differences() {
    let model = scene();
    let mut rig = Rig::new(&model, 25);
    let (bodies, nodes) = rig.newton();
    let soft = rig.abd.newton.soft.as_ref().unwrap();
    let kinds: std::collections::BTreeSet<u32> = soft.contacts.iter().map(|contact| contact.id[0]).collect();
    assert!(soft.contacts.len() > 10 && kinds.len() > 1 && soft.rubs(), "{} {kinds:?}", soft.contacts.len());
    let size = bodies.as_flattened().iter().chain(nodes.as_flattened()).map(|g| g * g).sum::<f64>().sqrt();
    for seed in 0..40 {
        let at = |k: usize, i: usize| (f64::from(seed) + 1.3 * k as f64 + 0.7 * i as f64).sin();
        let alone = seed % 2 == 0;
        let along_bodies: Vec<Vec12> =
            (0..bodies.len()).map(|k| std::array::from_fn(|i| if alone { 0.0 } else { at(k, i) })).collect();
        let along_nodes: Vec<[f64; 3]> = (0..nodes.len()).map(|k| std::array::from_fn(|i| at(k + 7, i))).collect();
        let expected: f64 = bodies.iter().zip(&along_bodies).map(|(g, d)| dot(g, d)).sum::<f64>()
            + nodes.iter().zip(&along_nodes).map(|(g, d)| dot(g, d)).sum::<f64>();
        let h = 1e-9;
        let slope = |rig: &mut Rig, h: f64| {
            (rig.energy(&along_bodies, &along_nodes, h) - rig.energy(&along_bodies, &along_nodes, -h)) / (2.0 * h)
        };
        let (fine, coarse) = (slope(&mut rig, h), slope(&mut rig, 4.0 * h));
        let found = (4.0 * fine - coarse / 4.0) / (4.0 - 0.25);
        assert!((found - expected).abs() < 1e-5 * size, "{seed}: {found} {expected} of {size}");
    }
}

/// Where nothing touches, Newton's step leaves of a small error its square: the matrix is the second derivative.
#[test]
fn without_contact_the_step_squares_the_error() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let body = scene.add_body(BodyDef::dynamic("box").cuboid(DVec3::splat(0.1)));
    let block = scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::new(-0.1, -0.1, 0.1)),
        cells: [2; 3],
        size: DVec3::splat(0.1),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e5, 0.3, 0.0),
    });
    block[..9].iter().for_each(|&id| scene.attach(id, body));
    let model = scene.finalize().unwrap();
    let left = |size: f64| {
        let mut rig = Rig::new(&model, 1);
        let soft = rig.abd.newton.soft.as_mut().unwrap();
        for place in 0..soft.tie.len() {
            soft.here[place] = soft.before[place];
            if matches!(soft.tie[place], Tie::Node(_)) {
                soft.here[place] += size * wave(place as f64);
            }
        }
        rig.refresh();
        let norm = |(bodies, nodes): &(Vec<Vec12>, Vec<[f64; 3]>)| {
            bodies.as_flattened().iter().chain(nodes.as_flattened()).map(|g| g * g).sum::<f64>().sqrt()
        };
        let before = norm(&rig.newton());
        let newton = &mut rig.abd.newton;
        let soft = newton.soft.as_mut().unwrap();
        let step = newton.step.clone();
        for (slot, step) in newton.system.slots().iter().zip(&step) {
            let at = rig.abd.bodies.q[*slot as usize].to_array();
            rig.abd.bodies.q[*slot as usize] = Affine::from_array(&std::array::from_fn(|i| at[i] + step[i]));
        }
        soft.set_trial(1.0, &rig.abd.bodies.q);
        soft.accept(Vec::new());
        rig.refresh();
        norm(&rig.newton()) / before
    };
    let (coarse, fine) = (left(1e-4), left(1e-5));
    assert!(coarse < 0.1 && fine < 0.2 * coarse, "{coarse:e} {fine:e}");
}
