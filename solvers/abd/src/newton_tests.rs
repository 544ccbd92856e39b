//! The whole energy of a step against finite differences.

use drystone_model::{BodyDef, DMat3, DQuat, DVec3, Model, ModelBuilder};

use super::*;

/// Sizes at which all terms matter.
const SCALE: Scale = Scale { h: 0.01, contact_distance: 0.05, stiffness: 30.0, edge: 0.01, tolerance: 1e-9 };

struct Rig {
    options: AbdOptions,
    bodies: Bodies,
    surface: Surface,
    newton: Newton,
    roughness: Vec<f64>,
}

/// Bodies slightly deformed and moved, with friction lagged where they started.
fn rig(model: &Model) -> Rig {
    let options = AbdOptions { stiffness: 1e5, ..AbdOptions::default() };
    let surface = Surface::new(model, 8, 0.0);
    let mut bodies = Bodies::new(model, &options, &surface.radius);
    let (state, mut newton) = (model.state(), Newton::default());
    bodies.load(model, &state);
    let control = model.control();
    bodies.predict(model, &state, &control, &control.body_f, SCALE.h);
    newton.system.number(&bodies.moves);
    newton.active.begin(&bodies.moves);
    (0..bodies.q.len()).for_each(|slot| newton.active.add(slot));
    surface.place(&bodies.q, &mut newton.here);
    let slack = vec![2.0 * SCALE.contact_distance; bodies.q.len()];
    newton.near.search(&surface, &newton.here, &slack, SCALE.contact_distance);
    newton.contacts = newton.near.contacts(&surface, &newton.here, SCALE.contact_distance, |_| true);
    let roughness = vec![0.8; model.shape_count()];
    newton.lag_friction(&Problem { options: &options, scale: SCALE, roughness: &roughness, belt: &[] }, &bodies);
    for slot in 0..model.body_count() {
        let mut q = bodies.q[slot].to_array();
        (0..12).for_each(|i| q[i] += 2e-3 * ((7 * slot + 3 * i) as f64).sin());
        bodies.q[slot] = Affine::from_array(&q);
    }
    Rig { options, bodies, surface, newton, roughness }
}

impl Rig {
    fn problem(&self) -> Problem<'_> {
        Problem { options: &self.options, scale: SCALE, roughness: &self.roughness, belt: &[] }
    }

    fn energy(&mut self) -> f64 {
        let mut placed = Placed::default();
        self.surface.place(&self.bodies.q, &mut placed);
        let contacts = self.newton.near.contacts(&self.surface, &placed, SCALE.contact_distance, |_| true);
        let mut energy = vec![0.0; self.bodies.q.len()];
        self.newton.energies(&self.problem(), &self.bodies, (&self.bodies.q, &contacts), |_| true, &mut energy);
        energy.iter().sum()
    }

    /// Gradient of all moving bodies, and how many contacts there are.
    fn gradient(&mut self) -> (Vec<Vec12>, usize) {
        let mut newton = std::mem::take(&mut self.newton);
        self.surface.place(&self.bodies.q, &mut newton.here);
        newton.contacts = newton.near.contacts(&self.surface, &newton.here, SCALE.contact_distance, |_| true);
        newton.newton_step(&self.problem(), &self.bodies, &self.surface, &mut Clock::new());
        let answer = (newton.system.gradient.clone(), newton.contacts.len());
        self.newton = newton;
        answer
    }

    fn nudge(&mut self, slot: usize, i: usize, h: f64) {
        let mut q = self.bodies.q[slot].to_array();
        q[i] += h;
        self.bodies.q[slot] = Affine::from_array(&q);
    }
}

/// Two cubes above the ground, near by a face, an edge or a corner, turned or exactly aligned.
fn pair(turn: DQuat, offset: DVec3) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("low").at(DVec3::Z * 0.52).cuboid(DVec3::splat(0.5)));
    scene.add_body(BodyDef::dynamic("high").at(offset).rotated(turn).cuboid(DVec3::splat(0.5)));
    scene.finalize().unwrap()
}

#[test]
fn the_gradient_of_a_step_is_that_of_finite_differences() {
    let corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let edge = DQuat::from_rotation_z(0.7) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let cases = [
        (DQuat::IDENTITY, DVec3::new(0.013, -0.021, 1.55)),
        (DQuat::from_rotation_z(0.4), DVec3::new(0.2, 0.3, 1.54)),
        (corner, DVec3::new(0.1, 0.05, 1.02 + 0.75_f64.sqrt() + 0.03)),
        (edge, DVec3::new(0.5, 0.1, 1.02 + 0.5_f64.sqrt() + 0.02)),
        (edge, DVec3::new(0.9, 0.9, 1.3)),
    ];
    let h = 1e-6;
    let mut found = 0;
    for (turn, offset) in cases {
        let mut rig = rig(&pair(turn, offset));
        let (gradient, contacts) = rig.gradient();
        found += contacts;
        let size = gradient.iter().flatten().fold(0.0_f64, |most, g| most.max(g.abs()));
        for slot in 0..2 {
            for i in 0..12 {
                let mut at = |h: f64| {
                    rig.nudge(slot, i, h);
                    let energy = rig.energy();
                    rig.nudge(slot, i, -h);
                    energy
                };
                let slope = (at(h) - at(-h)) / (2.0 * h);
                let off = (slope - gradient[slot][i]).abs() / size;
                assert!(off < 1e-6, "{turn} {offset}: body {slot}, {i}: {slope} instead of {}", gradient[slot][i]);
            }
        }
    }
    assert!(found > 50, "only {found} contacts");
}

/// Against a half-space nothing is left out of Newton's matrix: a quadratic model with it is right to third order.
#[test]
fn newtons_matrix_is_exact_on_the_ground() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("cube").at(DVec3::Z * 0.52).cuboid(DVec3::splat(0.5)));
    let mut rig = rig(&scene.finalize().unwrap());
    // Stretched, so that the rigid potential is convex there and its projection changes nothing.
    rig.bodies.q[0].linear *= 1.004;
    let (_, contacts) = rig.gradient();
    assert!(contacts >= 4);
    let matrix = rig.newton.system.diagonal_block(0);
    let (h, size) = (1e-6, matrix.0.as_flattened().iter().fold(0.0_f64, |most, x| most.max(x.abs())));
    for i in 0..12 {
        rig.nudge(0, i, h);
        let after = rig.gradient().0[0];
        rig.nudge(0, i, -2.0 * h);
        let before = rig.gradient().0[0];
        rig.nudge(0, i, h);
        for j in 0..12 {
            let expected = (after[j] - before[j]) / (2.0 * h);
            assert!((expected - matrix.0[i][j]).abs() < 1e-6 * size, "{i} {j}: {expected} {}", matrix.0[i][j]);
        }
    }
}

/// Cubes exactly on top of each other: the corners of either are near dozens of features of the other that are all the
/// same point. Every pair of features counts, each point is looked at once.
#[test]
fn features_that_meet_in_one_point_are_one_contact() {
    let model = pair(DQuat::IDENTITY, DVec3::new(0.0, 0.0, 1.55));
    let (surface, state) = (Surface::new(&model, 8, 0.0), model.state());
    let mut bodies = Bodies::new(&model, &AbdOptions::default(), &surface.radius);
    bodies.load(&model, &state);
    let (mut near, mut placed) = (Near::default(), Placed::default());
    surface.place(&bodies.q, &mut placed);
    near.search(&surface, &placed, &[0.0; 3], SCALE.contact_distance);
    let contacts = near.contacts(&surface, &placed, SCALE.contact_distance, |slot| slot == [0, 1]);
    // At every corner: all triangles around both, and three edges by three less the parallel ones.
    let corner = |contact: &&Contact| contact.fade() == 1.0;
    let around = surface.stencils.triangle_vertex.iter().flatten();
    let top = |v: &&u32| ((placed.x[**v as usize].z - 1.035).abs()) < 0.03;
    let triangles = around.filter(top).count();
    let weight: f64 = contacts.iter().filter(corner).map(|contact| contact.weight).sum();
    assert_eq!(weight, (triangles + 4 * (9 - 3)) as f64);
    // Four corners, and four pairs each of lying and of standing edges, which are parallel.
    assert_eq!((contacts.iter().filter(corner).count(), contacts.len()), (4, 12));
}

/// Bodies that wander: a solver that keeps what it knows and one that searches anew every time give the same answers.
#[test]
fn what_is_kept_makes_no_difference() {
    const REACH: f64 = 2e-3;
    let mut scene = ModelBuilder::new();
    scene.ground();
    for k in 0..4 {
        let body =
            BodyDef::dynamic(format!("{k}")).at(DVec3::new(0.02 * f64::from(k), 0.0, 0.502 + 1.002 * f64::from(k)));
        scene.add_body(if k == 2 { body.sphere(0.5) } else { body.cuboid(DVec3::splat(0.5)) });
    }
    let model = scene.finalize().unwrap();
    let surface = Surface::new(&model, 12, 0.0);
    let mut bodies = Bodies::new(&model, &AbdOptions::default(), &surface.radius);
    bodies.load(&model, &model.state());
    let (mut kept, mut here, mut there) = (Near::default(), Placed::default(), Placed::default());
    surface.place(&bodies.q, &mut here);
    kept.search(&surface, &here, &[10.0; 5], REACH);
    let (mut hits, mut touches) = (0, 0);
    for step in 0..200 {
        let mut q = bodies.q.clone();
        for (slot, q) in q.iter_mut().enumerate().take(4) {
            let size = [1e-4, 2e-3, 0.2][step % 3];
            let at = |i: usize| size * ((7 * slot + 3 * i + 11 * step) as f64).sin();
            let turn = Turn {
                translation: DVec3::new(at(0), at(1), at(2)),
                rotation: DVec3::new(at(3), at(4), at(5)),
                stretch: DMat3::ZERO,
            };
            *q = q.stepped(&turn, 1.0);
        }
        surface.place(&bodies.q, &mut here);
        surface.place(&q, &mut there);
        let mut fresh = Near::default();
        fresh.search(&surface, &here, &[10.0; 5], REACH);
        let mut answers = [&mut kept, &mut fresh].map(|near| {
            let motion = SweptMotion { from: &here, to: &there };
            let mut met = Vec::new();
            near.meeting(&surface, motion, REACH, |slot| met.push(slot));
            let contacts = near.contacts(&surface, &here, REACH, |_| true);
            let known = contacts.iter().map(|c| (c.id, c.weight, c.distance)).collect::<Vec<_>>();
            (met, near.collisions(&surface, (motion, &[1.0; 5]), REACH, |_| true), known)
        });
        let [first, second] = &mut answers;
        assert_eq!(first, second, "step {step}");
        hits += first.1.len();
        touches += first.2.len();
        // As far as nothing is hit, or all the way.
        let free = first.1.iter().map(|(_, share)| *share).fold(1.0, f64::min);
        for (here, there) in bodies.q.iter_mut().zip(&q) {
            here.linear += (there.linear - here.linear) * free;
            here.position += (there.position - here.position) * free;
        }
    }
    assert!(hits > 100 && touches > 100, "{hits} {touches}");
}
