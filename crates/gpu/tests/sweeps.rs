//! The iterations of a solve on the device against the same kernels on the CPU.
#![cfg(feature = "engines")]

use drystone_device::{Device, open_from_environment};
use drystone_gpu::jacobi::{Equations, IMMOVABLE, Turn, Unknowns, sweeper};
use drystone_kernels::single::jacobi::{
    accelerated, inverse_block, multiplier_step, point_mobility, point_rate, velocity_step, wrench_on_child,
    wrench_on_parent,
};
use drystone_kernels::single::math::{Mat3, Sym3, Vec3, Vec6};
use drystone_kernels::single::rows::{RowBounds, RowJacobian, row_step, within_bounds};

/// Without a device the tests fail and say what to install.
fn device() -> Device {
    open_from_environment().unwrap_or_else(|error| panic!("{error}"))
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    fn matrix(&mut self) -> Mat3 {
        Mat3 { r0: self.vector(), r1: self.vector(), r2: self.vector() }
    }

    fn body(&mut self, bodies: usize) -> u32 {
        ((self.next() + 1.0) * 0.499 * bodies as f32) as u32
    }
}

#[derive(Clone, Copy)]
struct Body {
    inverse_mass: f32,
    inverse_inertia: Sym3,
    free: Vec6,
}

struct Point {
    ends: [u32; 2],
    lever: [Vec3; 2],
    inverse: Sym3,
    bias: Vec3,
}

struct Row {
    ends: [u32; 2],
    jacobian: RowJacobian,
    inverse: Sym3,
    softness: Vec3,
    bias: Vec3,
    bounds: RowBounds,
}

struct Scene {
    bodies: Vec<Body>,
    points: Vec<Point>,
    rows: Vec<Row>,
}

fn scene(bodies: usize, points: usize, rows: usize) -> Scene {
    let mut random = Random(11);
    let made: Vec<Body> = (0..bodies)
        .map(|_| Body {
            inverse_mass: 1.5 + random.next(),
            inverse_inertia: Sym3::scaled_identity(2.0).add(Sym3::scaled_outer(random.vector(), 0.5)),
            free: Vec6 { l: random.vector(), a: random.vector() },
        })
        .collect();
    let ends = |random: &mut Random, k: usize| {
        let first = if k.is_multiple_of(5) { IMMOVABLE } else { random.body(bodies) };
        let mut second = random.body(bodies);
        if second == first {
            second = (second + 1) % bodies as u32;
        }
        [first, second]
    };
    let points = (0..points)
        .map(|k| {
            let ends = ends(&mut random, k);
            let lever = [random.vector(), random.vector()];
            let mut block = Sym3::default();
            for (end, lever) in ends.into_iter().zip(lever).filter(|(end, _)| *end != IMMOVABLE) {
                let body = &made[end as usize];
                block = block.add(point_mobility(body.inverse_mass, body.inverse_inertia, lever));
            }
            Point { ends, lever, inverse: inverse_block(block), bias: random.vector().scale(0.1) }
        })
        .collect();
    let rows = (0..rows)
        .map(|k| Row {
            ends: ends(&mut random, k + 1),
            jacobian: RowJacobian { linear: random.matrix(), angular0: random.matrix(), angular1: random.matrix() },
            inverse: Sym3::scaled_identity(0.05),
            softness: random.vector().scale(0.01),
            bias: random.vector().scale(0.1),
            bounds: RowBounds {
                lower: Vec3::new(0.0, -0.01, f32::NEG_INFINITY),
                upper: Vec3::new(f32::INFINITY, 0.02, f32::INFINITY),
                friction: if k.is_multiple_of(2) { 0.5 } else { -1.0 },
            },
        })
        .collect();
    Scene { bodies: made, points, rows }
}

/// Component-major words of many items.
fn major(items: Vec<Vec<f32>>, components: usize) -> Vec<f32> {
    (0..components).flat_map(|c| items.iter().map(move |item| item[c]).collect::<Vec<_>>()).collect()
}

fn words(v: Vec3) -> Vec<f32> {
    vec![v.x, v.y, v.z]
}

fn sym(m: Sym3) -> Vec<f32> {
    vec![m.xx, m.xy, m.xz, m.yy, m.yz, m.zz]
}

fn matrix(m: Mat3) -> Vec<f32> {
    [words(m.r0), words(m.r1), words(m.r2)].concat()
}

/// The scene, its unknowns at the start, and the iterations on the CPU.
fn on_the_cpu(scene: &Scene, turns: &[Turn], nesterov: bool) -> (Vec<Vec6>, Vec<Vec3>, Vec<Vec3>) {
    let mut velocity: Vec<Vec6> = scene.bodies.iter().map(|body| body.free).collect();
    let mut p = vec![Vec3::default(); scene.points.len()];
    let mut p_before = p.clone();
    let mut q = vec![Vec3::default(); scene.rows.len()];
    let mut q_before = q.clone();
    let at = |velocity: &[Vec6], end: u32| velocity.get(end as usize).copied().unwrap_or_default();
    for turn in turns {
        for (k, point) in scene.points.iter().enumerate() {
            let ends = point.ends.map(|end| at(&velocity, end));
            let rate = point_rate(ends[0], ends[1], point.lever[0], point.lever[1]);
            let stepped = multiplier_step(p[k], point.inverse, rate, point.bias, turn.relaxation);
            let next = accelerated(stepped, p_before[k], turn.weight);
            p_before[k] = if nesterov { stepped } else { p[k] };
            p[k] = next;
        }
        for (k, row) in scene.rows.iter().enumerate() {
            let rate = row.jacobian.rate(at(&velocity, row.ends[0]), at(&velocity, row.ends[1]));
            let free = row_step(q[k], row.inverse, rate, row.bias, row.softness, turn.relaxation);
            let stepped = within_bounds(free, row.bounds);
            let next = accelerated(stepped, q_before[k], turn.weight);
            q_before[k] = if nesterov { stepped } else { q[k] };
            q[k] = next;
        }
        let mut wrench = vec![Vec6::default(); scene.bodies.len()];
        let mut push = |end: u32, w: Vec6| {
            if let Some(sum) = wrench.get_mut(end as usize) {
                *sum = sum.add(w);
            }
        };
        for (point, &p) in scene.points.iter().zip(&p) {
            push(point.ends[0], wrench_on_parent(p, point.lever[0]));
            push(point.ends[1], wrench_on_child(p, point.lever[1]));
        }
        for (row, &q) in scene.rows.iter().zip(&q) {
            push(row.ends[0], row.jacobian.wrench_on_parent(q));
            push(row.ends[1], row.jacobian.wrench_on_child(q));
        }
        for ((v, body), wrench) in velocity.iter_mut().zip(&scene.bodies).zip(&wrench) {
            *v = velocity_step(body.free, *wrench, body.inverse_mass, body.inverse_inertia);
        }
    }
    (velocity, p, q)
}

fn on_the_device(scene: &Scene, turns: &[Turn], nesterov: bool) -> Unknowns {
    let body = |b: &Body| [vec![b.inverse_mass], sym(b.inverse_inertia), words(b.free.l), words(b.free.a)].concat();
    let point = |p: &Point| [words(p.lever[0]), words(p.lever[1]), sym(p.inverse), words(p.bias)].concat();
    let row = |r: &Row| {
        let jacobian = [matrix(r.jacobian.linear), matrix(r.jacobian.angular0), matrix(r.jacobian.angular1)].concat();
        let rest = [words(r.softness), words(r.bias), words(r.bounds.lower), words(r.bounds.upper)].concat();
        [jacobian, sym(r.inverse), rest, vec![r.bounds.friction]].concat()
    };
    let mut lists = vec![Vec::new(); scene.bodies.len()];
    let point_ends = scene.points.iter().enumerate().map(|(k, p)| (4 * k as u32, p.ends));
    let row_ends = scene.rows.iter().enumerate().map(|(k, r)| (4 * k as u32 + 2, r.ends));
    for (code, ends) in point_ends.chain(row_ends) {
        for (side, end) in ends.into_iter().enumerate().filter(|(_, end)| *end != IMMOVABLE) {
            lists[end as usize].push(code + side as u32);
        }
    }
    let mut first = vec![0];
    for list in &lists {
        first.push(first[first.len() - 1] + list.len() as u32);
    }
    let ends = |side: usize| scene.points.iter().map(move |p| p.ends[side]);
    let row_ends = |side: usize| scene.rows.iter().map(move |r| r.ends[side]);
    let equations = Equations {
        bodies: scene.bodies.len(),
        body: &major(scene.bodies.iter().map(body).collect(), Equations::BODY),
        point_ends: &ends(0).chain(ends(1)).collect::<Vec<_>>(),
        point: &major(scene.points.iter().map(point).collect(), Equations::POINT),
        row_ends: &row_ends(0).chain(row_ends(1)).collect::<Vec<_>>(),
        row: &major(scene.rows.iter().map(row).collect(), Equations::ROW),
        first: &first,
        entry: &lists.concat(),
    };
    let velocity = |b: &Body| [words(b.free.l), words(b.free.a)].concat();
    let mut unknowns = Unknowns {
        velocity: major(scene.bodies.iter().map(velocity).collect(), Equations::VELOCITY),
        point: vec![0.0; scene.points.len() * Equations::IMPULSE],
        row: vec![0.0; scene.rows.len() * Equations::IMPULSE],
    };
    sweeper(&device()).sweep(&equations, &mut unknowns, turns, nesterov).unwrap();
    unknowns
}

/// Largest difference as a share of the largest number.
fn difference(expected: &[f32], found: &[f32]) -> f32 {
    let size = expected.iter().fold(0.0f32, |size, x| size.max(x.abs()));
    let off = expected.iter().zip(found).fold(0.0f32, |off, (a, b)| off.max((a - b).abs()));
    assert!(off.is_finite() && found.len() >= expected.len());
    if size > 0.0 { off / size } else { off }
}

#[test]
fn points_and_bounded_rows_iterate_as_on_the_cpu() {
    let turns: Vec<Turn> = (0..6).map(|k| Turn { relaxation: 0.15, weight: 0.1 * k as f32 }).collect();
    for (points, rows) in [(30, 0), (0, 20), (30, 20), (0, 0)] {
        let scene = scene(25, points, rows);
        for nesterov in [false, true] {
            let (velocity, p, q) = on_the_cpu(&scene, &turns, nesterov);
            let found = on_the_device(&scene, &turns, nesterov);
            let velocity = major(velocity.iter().map(|v| [words(v.l), words(v.a)].concat()).collect(), 6);
            let off = [
                difference(&velocity, &found.velocity),
                difference(&major(p.into_iter().map(words).collect(), 3), &found.point),
                difference(&major(q.into_iter().map(words).collect(), 3), &found.row),
            ];
            assert!(off.iter().all(|&off| off < 1e-5), "{points} points, {rows} rows, nesterov {nesterov}: {off:?}");
        }
    }
}
