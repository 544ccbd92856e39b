//! The iterations of a solve on the device against the same kernels on the CPU.

use super::tools::{Random, device, vector};
use drystone_jacobi::gpu::{Equations, IMMOVABLE, SweepTimes, Tiles, Turn, Turns, Unknowns, sweeper};
use drystone_kernels::single::jacobi::{
    accelerated, inverse_block, multiplier_step, point_mobility, point_rate, velocity_step, wrench_on_child,
    wrench_on_parent,
};
use drystone_kernels::single::math::{Mat3, Sym3, Vec3, Vec6};
use drystone_kernels::single::rows::{RowBounds, RowJacobian, row_step, within_bounds};

fn matrix(random: &mut Random) -> Mat3 {
    Mat3 { r0: vector(random), r1: vector(random), r2: vector(random) }
}

fn body(random: &mut Random, bodies: usize) -> u32 {
    random.below(bodies) as u32
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
    let mut random = Random::new(11);
    let made: Vec<Body> = (0..bodies)
        .map(|_| Body {
            inverse_mass: 1.5 + random.signed() as f32,
            inverse_inertia: Sym3::scaled_identity(2.0).add(Sym3::scaled_outer(vector(&mut random), 0.5)),
            free: Vec6 { l: vector(&mut random), a: vector(&mut random) },
        })
        .collect();
    let ends = |random: &mut Random, k: usize| {
        let first = if k.is_multiple_of(5) { IMMOVABLE } else { body(random, bodies) };
        let mut second = body(random, bodies);
        if second == first {
            second = (second + 1) % bodies as u32;
        }
        [first, second]
    };
    let points = (0..points)
        .map(|k| {
            let ends = ends(&mut random, k);
            let lever = [vector(&mut random), vector(&mut random)];
            let mut block = Sym3::default();
            for (end, lever) in ends.into_iter().zip(lever).filter(|(end, _)| *end != IMMOVABLE) {
                let body = &made[end as usize];
                block = block.add(point_mobility(body.inverse_mass, body.inverse_inertia, lever));
            }
            Point { ends, lever, inverse: inverse_block(block), bias: vector(&mut random).scale(0.1) }
        })
        .collect();
    let rows = (0..rows)
        .map(|k| Row {
            ends: ends(&mut random, k + 1),
            jacobian: RowJacobian {
                linear: matrix(&mut random),
                angular0: matrix(&mut random),
                angular1: matrix(&mut random),
            },
            inverse: Sym3::scaled_identity(0.05),
            softness: vector(&mut random).scale(0.01),
            bias: vector(&mut random).scale(0.1),
            bounds: RowBounds {
                lower: Vec3::new(0.0, -0.01, f32::NEG_INFINITY),
                upper: Vec3::new(f32::INFINITY, 0.02, f32::INFINITY),
                friction: if k.is_multiple_of(2) { 0.5 } else { -1.0 },
            },
        })
        .collect();
    Scene { bodies: made, points, rows }
}

fn words(v: Vec3) -> [f32; 3] {
    [v.x, v.y, v.z]
}

/// The numbers of several parts as one item.
fn item<const N: usize>(parts: &[&[f32]]) -> [f32; N] {
    parts.concat().try_into().expect("as many words as an item has")
}

fn sym(m: Sym3) -> [f32; 6] {
    [m.xx, m.xy, m.xz, m.yy, m.yz, m.zz]
}

fn rows(m: Mat3) -> [f32; 9] {
    item(&[&words(m.r0), &words(m.r1), &words(m.r2)])
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

fn equations(scene: &Scene) -> Equations {
    let Scene { bodies, points, rows: blocks } = scene;
    let mut equations = Equations::default();
    equations.body.fill(bodies.len(), |i| {
        let body = &bodies[i];
        let (inertia, free) = (sym(body.inverse_inertia), [words(body.free.l), words(body.free.a)]);
        item(&[&[body.inverse_mass], &inertia, &free[0], &free[1]])
    });
    equations.point_ends.fill(points.len(), |i| points[i].ends);
    equations.point.fill(points.len(), |i| {
        let point = &points[i];
        item(&[&words(point.lever[0]), &words(point.lever[1]), &sym(point.inverse), &words(point.bias)])
    });
    equations.row_ends.fill(blocks.len(), |i| blocks[i].ends);
    equations.row.fill(blocks.len(), |i| {
        let Row { jacobian: j, inverse, softness, bias, bounds, .. } = &blocks[i];
        let directions: [f32; 27] = item(&[&rows(j.linear), &rows(j.angular0), &rows(j.angular1)]);
        let limits: [f32; 7] = item(&[&words(bounds.lower), &words(bounds.upper), &[bounds.friction]]);
        item(&[&directions, &sym(*inverse), &words(*softness), &words(*bias), &limits])
    });
    list_constraints(scene, &mut equations);
    equations
}

fn list_constraints(scene: &Scene, equations: &mut Equations) {
    let mut lists = vec![Vec::new(); scene.bodies.len()];
    let point_ends = scene.points.iter().enumerate().map(|(k, p)| (4 * k as u32, p.ends));
    let row_ends = scene.rows.iter().enumerate().map(|(k, r)| (4 * k as u32 + 2, r.ends));
    for (code, ends) in point_ends.chain(row_ends) {
        for (side, end) in ends.into_iter().enumerate().filter(|(_, end)| *end != IMMOVABLE) {
            lists[end as usize].push(code + side as u32);
        }
    }
    equations.first.push(0);
    for list in &lists {
        equations.entry.extend(list);
        equations.first.push(equations.entry.len() as u32);
    }
}

fn on_the_device(scene: &Scene, turns: &Turns, each_kernel: bool) -> Unknowns {
    let mut unknowns = Unknowns::default();
    unknowns.point.fill(scene.points.len(), |_| [0.0; 3]);
    unknowns.row.fill(scene.rows.len(), |_| [0.0; 3]);
    let mut times = SweepTimes { each_kernel, ..SweepTimes::default() };
    sweeper(&device()).sweep(&equations(scene), &mut unknowns, turns, &mut times).unwrap();
    assert!(times.upload > 0.0 && times.download > 0.0);
    assert_eq!(times.bodies > 0.0 && times.constraints > 0.0, each_kernel);
    unknowns
}

/// Largest difference as a share of the largest number.
fn difference<const N: usize>(expected: &[[f32; N]], found: &Tiles<f32, N>) -> f32 {
    assert_eq!(expected.len(), found.len());
    assert!(found.words().iter().all(|word| word.is_finite()));
    let size = expected.iter().flatten().fold(0.0f32, |size, x| size.max(x.abs()));
    let apart = |i: usize| expected[i].into_iter().zip(found.item(i)).map(|(a, b)| (a - b).abs());
    let off = (0..expected.len()).flat_map(apart).fold(0.0, f32::max);
    if size > 0.0 { off / size } else { off }
}

#[test]
fn points_and_bounded_rows_iterate_as_on_the_cpu() {
    let turn: Vec<Turn> = (0..6).map(|k| Turn { relaxation: 0.15, weight: 0.1 * k as f32 }).collect();
    for (points, rows) in [(50, 0), (0, 40), (50, 40), (0, 0)] {
        let scene = scene(45, points, rows);
        for nesterov in [false, true] {
            let (velocity, p, q) = on_the_cpu(&scene, &turn, nesterov);
            let found = on_the_device(&scene, &Turns { turn: turn.clone(), nesterov }, nesterov);
            let velocity: Vec<[f32; 6]> = velocity.iter().map(|v| item(&[&words(v.l), &words(v.a)])).collect();
            let off = [
                difference(&velocity, &found.velocity),
                difference(&p.into_iter().map(words).collect::<Vec<_>>(), &found.point),
                difference(&q.into_iter().map(words).collect::<Vec<_>>(), &found.row),
            ];
            assert!(off.iter().all(|&off| off < 1e-5), "{points} points, {rows} rows, nesterov {nesterov}: {off:?}");
        }
    }
}
