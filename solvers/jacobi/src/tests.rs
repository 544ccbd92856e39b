//! The iterations against dense matrices, closed forms and conserved quantities.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, BodyId, DMat3, DVec3, JointDef, Model, ModelBuilder, State, WORLD};

#[path = "../examples/jacobi_quality/graphs.rs"]
#[expect(dead_code, reason = "the example measures more of them")]
mod graphs;

use super::*;
use drystone_random::Random;
use drystone_solve::convert::to_dvec3;
use drystone_solve::testing::Dense;

const DT: f64 = 1.0 / 60.0;

fn plain() -> JacobiOptions {
    JacobiOptions { precision: Precision::Double, ..JacobiOptions::baseline() }
}

fn relaxed() -> JacobiOptions {
    JacobiOptions { relaxation: None, ..plain() }
}

fn split() -> JacobiOptions {
    JacobiOptions { splitting: Splitting::Mass, ..relaxed() }
}

fn chebyshev() -> JacobiOptions {
    JacobiOptions { acceleration: Acceleration::Chebyshev, ..split() }
}

/// Links along x, hung from the world at the origin.
fn chain(links: usize) -> Model {
    chain_under(links, DVec3::Z * -9.81)
}

fn chain_under(links: usize, gravity: DVec3) -> Model {
    let mut scene = ModelBuilder::new();
    scene.gravity(gravity);
    let mut parent = BodyId(WORLD);
    for index in 0..links {
        let at = DVec3::X * (index as f64 + 0.5);
        let body = BodyDef::dynamic(format!("{index}")).at(at).cuboid(DVec3::new(0.4, 0.1, 0.15));
        let body = scene.add_body(body.mass(1.0 + 0.3 * index as f64));
        scene.add_joint(JointDef::ball(parent, body, DVec3::X * index as f64));
        parent = body;
    }
    scene.finalize().unwrap()
}

/// Arms around a hub.
fn star(arms: usize) -> Model {
    graphs::star(arms).0
}

/// A square net of balls hung from its upper row.
fn grid(size: usize) -> Model {
    graphs::grid(size).0
}

fn stirred(model: &Model) -> State {
    let mut random = Random::new(7);
    let mut state = model.state();
    let mut vector = || DVec3::new(random.signed(), random.signed(), random.signed());
    state.body_qd.iter_mut().for_each(|twist| (twist.linear, twist.angular) = (vector(), vector()));
    state
}

/// At rest under its weight where something holds it, which loads all modes; stirred where nothing does.
fn loaded(model: &Model) -> State {
    let held = (0..model.joint_count()).any(|joint| model.joint_parent[joint] == WORLD) || model.body_mass[0] == 0.0;
    if held { model.state() } else { stirred(model) }
}

fn history(model: &Model, options: JacobiOptions) -> Vec<f64> {
    let mut solver = Jacobi::new(model, options).unwrap();
    solver.residual_history(model, &stirred(model), &model.control(), DT)
}

/// The Delassus matrix of a model of point constraints, and the diagonal blocks it is split by.
fn delassus(model: &Model, splitting: Splitting) -> (Dense, Dense) {
    let (state, joints) = (model.state(), model.joint_count());
    let (mut a, mut d) = (Dense::zero(3 * joints), Dense::zero(3 * joints));
    let ends = |joint: usize| [model.joint_parent[joint], model.joint_child[joint]];
    let dynamic = |body: &u32| model.body_kind[*body as usize] == drystone_model::BodyKind::Dynamic;
    for body in (0..model.body_count() as u32).filter(dynamic) {
        let touching: Vec<usize> = (0..joints).filter(|&joint| ends(joint).contains(&body)).collect();
        let split = if splitting == Splitting::Mass { touching.len() as f64 } else { 1.0 };
        let inverse = model.body_inertia_world(&state, body as usize).inverse();
        let lever = |joint: usize| {
            let (parent, child) = model.joint_frames(&state, joint);
            let end = if ends(joint)[0] == body { parent } else { child };
            let sign = if ends(joint)[0] == body { -1.0 } else { 1.0 };
            (end.translation - model.body_centre(&state, body), sign)
        };
        for &row in &touching {
            for &column in &touching {
                let ((r, s), (q, t)) = (lever(row), lever(column));
                let linear = DMat3::from_diagonal(DVec3::splat(1.0 / model.body_mass[body as usize]));
                let block = (linear + cross(r) * inverse * cross(q).transpose()) * (s * t);
                let entries = block.transpose().to_cols_array_2d();
                a.add_block(3 * row, 3 * column, &entries);
                if row == column {
                    d.add_block(3 * row, 3 * column, &(block * split).transpose().to_cols_array_2d());
                }
            }
        }
    }
    (a, d)
}

fn cross(r: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, r.z, -r.y), DVec3::new(-r.z, 0.0, r.x), DVec3::new(r.y, -r.x, 0.0))
}

/// Largest |eigenvalue| of 1 − γ D⁻¹A by power iteration on its square.
fn spectral_radius(a: &Dense, d: &Dense, relaxation: f64) -> f64 {
    let mut random = Random::new(3);
    let mut x: Vec<f64> = (0..a.n).map(|_| random.signed()).collect();
    let step = |x: &[f64]| -> Vec<f64> {
        let moved = d.solve(&a.mul_vec(x));
        x.iter().zip(moved).map(|(x, moved)| x - relaxation * moved).collect()
    };
    // The iteration is self-adjoint in this norm, so that the ratio never exceeds the radius.
    let norm = |x: &[f64]| x.iter().zip(d.mul_vec(x)).map(|(x, dx)| x * dx).sum::<f64>().sqrt();
    let mut ratio = 0.0;
    for _ in 0..600 {
        let next = step(&step(&x));
        ratio = (norm(&next) / norm(&x)).sqrt();
        let scale = norm(&next);
        x = next.into_iter().map(|x| x / scale).collect();
    }
    ratio
}

#[test]
fn the_residual_falls_at_the_rate_of_the_iteration_matrix() {
    for (options, relaxation) in
        [(plain(), 1.0), (split(), 1.0), (JacobiOptions { relaxation: Some(0.4), ..plain() }, 0.4)]
    {
        let model = chain(4);
        let options = JacobiOptions { iterations: 400, ..options };
        let (a, d) = delassus(&model, options.splitting);
        let radius = spectral_radius(&a, &d, relaxation);
        let history = history(&model, options.clone());
        // Two steps together: eigenvalues of either sign may be the largest.
        let measured = (history[300] / history[100]).powf(1.0 / 200.0);
        assert!((measured / radius - 1.0).abs() < 1e-3, "{options:?}: {measured}, matrix {radius}");
        assert!(radius < 1.0);
    }
}

/// The bound the automatic choices rest on: no eigenvalue of D⁻¹A above the number of joints at a body.
#[test]
fn the_number_of_joints_at_a_body_bounds_the_spectrum() {
    for (model, most) in [(chain(6), 2.0), (star(9), 9.0), (grid(4), 4.0)] {
        let (a, d) = delassus(&model, Splitting::Diagonal);
        // At γ = 2/most an eigenvalue above the bound would give |1 − γλ| > 1.
        assert!(spectral_radius(&a, &d, 2.0 / most) <= 1.0 + 1e-9);
        let (a, d) = delassus(&model, Splitting::Mass);
        assert!(spectral_radius(&a, &d, 2.0) <= 1.0 + 1e-9);
    }
}

#[test]
fn every_graph_converges_or_says_that_it_does_not() {
    for (name, model) in [("chain", chain(20)), ("star", star(12)), ("grid", grid(6))] {
        for options in [relaxed(), split(), chebyshev()] {
            let history = history(&model, JacobiOptions { iterations: 60, ..options.clone() });
            assert!(history[60] < 0.7 * history[0], "{name} {options:?}: {} of {}", history[60], history[0]);
        }
    }
    let plain = history(&star(12), JacobiOptions { iterations: 30, ..plain() });
    assert!(plain[30] > 1e6 * plain[0], "full steps on a star must diverge: {}", plain[30]);
}

#[test]
fn acceleration_beats_what_it_accelerates() {
    // Along the chain, where it is stiff: across it links turn, and any iteration is fast.
    let hanging = chain_under(20, DVec3::X * 9.81);
    for (model, state) in [hanging, star(12), grid(6)].map(|model| (model.clone(), loaded(&model))) {
        let of = |options: JacobiOptions| {
            let mut solver = Jacobi::new(&model, JacobiOptions { iterations: 40, ..options }).unwrap();
            solver.residual_history(&model, &state, &model.control(), DT)[40]
        };
        let (slow, fast) = (of(split()), of(chebyshev()));
        assert!(fast < 0.5 * slow, "{fast} after Chebyshev, {slow} without");
    }
}

/// A diverging choice is noticed, named, and replaced by one that converges: nothing turns infinite.
#[test]
fn divergence_is_reported_and_survived() {
    for precision in [Precision::Single, Precision::Double] {
        let model = star(12);
        let mut run = Run::new(&model, JacobiOptions { precision, ..JacobiOptions::baseline() });
        run.state = stirred(&model);
        for _ in 0..120 {
            let report = run.step();
            assert_eq!(report.ending, Ending::Diverging);
        }
        assert!(run.state.body_qd.iter().all(|twist| twist.linear.length() < 100.0), "{:?}", run.state.body_qd);
        let mut run = Run::new(&model, JacobiOptions { precision, ..JacobiOptions::default() });
        run.state = stirred(&model);
        assert!((0..120).all(|_| run.step().ending != Ending::Diverging));
    }
}

struct Run {
    model: Model,
    state: State,
    solver: Jacobi,
    collide: Collide,
}

impl Run {
    fn new(model: &Model, options: JacobiOptions) -> Self {
        let solver = Jacobi::new(model, options).unwrap();
        let collide = Collide::new(model, CollideOptions::default());
        Self { state: model.state(), model: model.clone(), solver, collide }
    }

    fn step(&mut self) -> Report {
        let control = self.model.control();
        self.solver.step(&self.model, &mut self.state, &control, &mut self.collide, DT).unwrap()
    }

    fn impulses(&self) -> Vec<[f64; 3]> {
        let mut impulses = vec![[0.0; 3]; self.model.joint_count()];
        self.solver.engine.impulses(&mut impulses);
        impulses
    }
}

/// One joint is one block: a single iteration gives the physical pendulum's angular acceleration.
#[test]
fn a_single_joint_is_exact_after_one_iteration() {
    let model = chain(1);
    let mut run = Run::new(&model, JacobiOptions { iterations: 1, ..plain() });
    run.step();
    let (mass, lever) = (model.body_mass[0], 0.5);
    let inertia = model.body_inertia[0].y_axis.y + mass * lever * lever;
    let expected = DT * mass * 9.81 * lever / inertia;
    let spin = run.state.body_qd[0].angular;
    assert!((spin - DVec3::Y * expected).length() < 1e-12, "{spin} instead of {expected}");
}

/// In a hanging chain at rest each joint carries what is below it.
#[test]
fn a_hanging_chain_carries_its_weight() {
    let mut scene = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    for index in 0..8 {
        let body = BodyDef::dynamic(format!("{index}")).at(DVec3::NEG_Z * (index as f64 + 0.5)).sphere(0.4);
        let body = scene.add_body(body.mass(0.5));
        scene.add_joint(JointDef::ball(parent, body, DVec3::NEG_Z * index as f64));
        parent = body;
    }
    let model = scene.finalize().unwrap();
    for options in [plain(), relaxed(), split(), chebyshev()] {
        let mut run = Run::new(&model, JacobiOptions { iterations: 40, ..options.clone() });
        (0..60).for_each(|_| _ = run.step());
        for (joint, impulse) in run.impulses().iter().enumerate() {
            let carried = (8 - joint) as f64 * 0.5 * 9.81;
            let force = DVec3::from(*impulse) / DT;
            assert!((force - DVec3::Z * carried).length() < 1e-6 * carried, "{options:?}: joint {joint}: {force}");
        }
    }
}

/// No outside force: linear momentum stays to round-off; angular too, as the joints are closed.
#[test]
fn floating_mechanisms_keep_their_momentum() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let mut parent = scene.add_body(BodyDef::dynamic("0").cuboid(DVec3::new(0.4, 0.1, 0.2)));
    for index in 1..6 {
        let at = DVec3::X * index as f64;
        let body = scene.add_body(BodyDef::dynamic(format!("{index}")).at(at).cuboid(DVec3::new(0.4, 0.2, 0.1)));
        scene.add_joint(JointDef::ball(parent, body, at - DVec3::X * 0.5));
        parent = body;
    }
    let model = scene.finalize().unwrap();
    let mut run = Run::new(&model, JacobiOptions { precision: Precision::Double, ..chebyshev() });
    run.state = stirred(&model);
    let before = model.momentum(&run.state);
    run.step();
    let after = model.momentum(&run.state);
    assert!((after.linear - before.linear).length() < 1e-12 * before.linear.length());
    assert!((after.angular - before.angular).length() < 1e-9 * before.angular.length(), "{before:?} {after:?}");
    (0..200).for_each(|_| _ = run.step());
    let after = model.momentum(&run.state);
    assert!((after.linear - before.linear).length() < 1e-10 * before.linear.length());
}

/// Mass splitting is what its name says: every joint solved by itself between bodies of a d-th of their mass,
/// the velocities of the parts then averaged.
#[test]
fn mass_splitting_is_the_average_over_split_bodies() {
    let model = chain(5);
    let state = stirred(&model);
    let mut solver = Jacobi::new(&model, JacobiOptions { iterations: 1, ..split() }).unwrap();
    let mut moved = state.clone();
    let mut collide = Collide::new(&model, CollideOptions::default());
    solver.step(&model, &mut moved, &model.control(), &mut collide, DT).unwrap();
    let free: Vec<(DVec3, DVec3)> =
        solver.bodies.iter().map(|body| (to_dvec3(body.free.l), to_dvec3(body.free.a))).collect();
    let degree = |body: usize| if body + 1 < 5 { 2.0 } else { 1.0 };
    let mut sum = vec![(DVec3::ZERO, DVec3::ZERO); 5];
    for joint in 0..5 {
        let (frame, _) = model.joint_frames(&state, joint);
        let ends = [joint.checked_sub(1), Some(joint)];
        let lever = |body: usize| frame.translation - state.body_q[body].translation;
        let (mut block, mut rate) = (DMat3::ZERO, DVec3::ZERO);
        for (end, sign) in ends.into_iter().zip([-1.0, 1.0]) {
            let Some(body) = end else { continue };
            let r = cross(lever(body));
            let inverse = model.body_inertia_world(&state, body).inverse();
            block += (DMat3::from_diagonal(DVec3::splat(1.0 / model.body_mass[body])) + r * inverse * r.transpose())
                * degree(body);
            rate += (free[body].0 + free[body].1.cross(lever(body))) * sign;
        }
        let p = -(block.inverse() * rate);
        for (end, sign) in ends.into_iter().zip([-1.0, 1.0]) {
            let Some(body) = end else { continue };
            // The velocity of this part; a body has one for each of its joints.
            let part = (
                free[body].0 + p * (sign * degree(body) / model.body_mass[body]),
                free[body].1
                    + model.body_inertia_world(&state, body).inverse() * lever(body).cross(p * sign) * degree(body),
            );
            sum[body].0 += part.0 / degree(body);
            sum[body].1 += part.1 / degree(body);
        }
    }
    for body in 0..5 {
        let got = solver.bodies[body].free.add(solver.change[body]);
        assert!((to_dvec3(got.l) - sum[body].0).length() < 1e-12, "{body}");
        assert!((to_dvec3(got.a) - sum[body].1).length() < 1e-12, "{body}");
    }
}

/// Large systems are split among threads, small ones fused; the bits are the same.
#[test]
fn fused_and_split_passes_agree_bit_for_bit() {
    let model = grid(70);
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut run = Run::new(&model, JacobiOptions::default());
        pool.install(|| (0..3).for_each(|_| _ = run.step()));
        run.state.hash()
    };
    assert_eq!(hash(1), hash(3));
}

/// Single and double precision solve the same equations.
#[test]
fn single_precision_follows_double() {
    let model = chain(20);
    let end = |precision: Precision| {
        let mut run = Run::new(&model, JacobiOptions { precision, ..JacobiOptions::default() });
        (0..15).for_each(|_| _ = run.step());
        run.state.body_q.iter().map(|pose| pose.translation).collect::<Vec<_>>()
    };
    let (single, double) = (end(Precision::Single), end(Precision::Double));
    for (single, double) in single.iter().zip(&double) {
        assert!((single - double).length() < 2e-4, "{single} {double}");
    }
}

#[test]
fn stabilisation_takes_the_drift_back() {
    let model = chain(10);
    let drift = |stabilization: Stabilization| {
        let mut run =
            Run::new(&model, JacobiOptions { stabilization, iterations: 40, substeps: 1, ..JacobiOptions::default() });
        (0..120).map(|_| run.step().max_joint_error.unwrap()).fold(0.0, f64::max)
    };
    let (off, bias, projection) =
        (drift(Stabilization::Off), drift(Stabilization::Bias), drift(Stabilization::Projection));
    assert!(bias < 0.5 * off && projection < 0.5 * off, "off {off}, bias {bias}, projection {projection}");
}
