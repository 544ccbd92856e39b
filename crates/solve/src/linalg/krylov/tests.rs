use super::minres;
use super::*;
use crate::linalg::ldl::Ldl;
use crate::linalg::matrix::{Mat6, Vec6};
use crate::testing::{Dense, max_abs_difference};
use drystone_random::Random;

type Method = fn(&Dense, &Dense, &[f64], &mut [f64], Stop) -> Outcome;

fn by_cg(a: &Dense, p: &Dense, b: &[f64], x: &mut [f64], stop: Stop) -> Outcome {
    let product = |m: &Dense, v: &[f64], out: &mut [f64]| out.copy_from_slice(&m.mul_vec(v));
    cg(|v, out| product(a, v, out), |v, out| product(p, v, out), b, x, stop, &mut Workspace::default())
}

fn by_minres(a: &Dense, p: &Dense, b: &[f64], x: &mut [f64], stop: Stop) -> Outcome {
    let product = |m: &Dense, v: &[f64], out: &mut [f64]| out.copy_from_slice(&m.mul_vec(v));
    minres(|v, out| product(a, v, out), |v, out| product(p, v, out), b, x, stop, &mut Workspace::default())
}

const METHODS: [Method; 2] = [by_cg, by_minres];

fn diagonal(d: &[f64]) -> Dense {
    let mut dense = Dense::zero(d.len());
    d.iter().enumerate().for_each(|(i, &d)| dense.add_block(i, i, &[[d]]));
    dense
}

/// Σ sign_k v_k v_kᵀ of random vectors, scaled to very different units by row.
fn symmetric(n: usize, signs: &[f64], scale: &[f64], random: &mut Random) -> Dense {
    let mut dense = Dense::zero(n);
    for sign in signs {
        let v: Vec<f64> = scale.iter().map(|s| s * random.signed()).collect();
        for i in 0..n {
            for j in 0..n {
                dense.entry[i * n + j] += sign * v[i] * v[j];
            }
        }
    }
    dense
}

fn jacobi(a: &Dense) -> Dense {
    diagonal(&(0..a.n).map(|i| 1.0 / a.entry[i * a.n + i].abs()).collect::<Vec<_>>())
}

fn vector(n: usize, random: &mut Random) -> Vec<f64> {
    (0..n).map(|_| random.signed()).collect()
}

/// Norm of the part of b that no x can produce: b less its projections on an orthonormal basis of the
/// first `rank` columns of A, each orthogonalised twice.
fn out_of_range(a: &Dense, rank: usize, b: &[f64]) -> f64 {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let project = |basis: &[Vec<f64>], v: &mut [f64]| {
        for e in basis.iter().chain(basis) {
            combine(v, -dot(e, v), e, 1.0);
        }
    };
    for column in a.entry.chunks(a.n).take(rank) {
        let mut v = column.to_vec();
        project(&basis, &mut v);
        let length = norm(&v);
        basis.push(v.iter().map(|v| v / length).collect());
    }
    let mut rest = b.to_vec();
    project(&basis, &mut rest);
    norm(&rest)
}

#[test]
fn definite_systems_with_and_without_preconditioner() {
    let mut random = Random::new(1);
    let n = 40;
    let scale: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { 1.0 } else { 1e-3 }).collect();
    let a = symmetric(n, &[1.0; 90], &scale, &mut random);
    let b = a.mul_vec(&vector(n, &mut random));
    for method in METHODS {
        let stop = Stop::relative(1e-12, &b, 2000);
        let mut x = vec![0.0; n];
        let outcome = method(&a, &jacobi(&a), &b, &mut x, stop);
        assert_eq!(outcome.ending, Ending::Converged);
        assert!(outcome.residual <= 2.0 * stop.residual && outcome.iterations < 80, "{outcome:?}");
        let mut plain = vec![0.0; n];
        let unaided = method(&a, &diagonal(&vec![1.0; n]), &b, &mut plain, stop);
        assert!(unaided.iterations > outcome.iterations, "{unaided:?} {outcome:?}");
        // A good first guess is made use of.
        let warm = method(&a, &jacobi(&a), &b, &mut x, Stop::relative(1e-9, &b, 100));
        assert_eq!((warm.iterations, warm.ending), (0, Ending::Converged));
    }
}

#[test]
fn minimal_residuals_solve_indefinite_systems() {
    let mut random = Random::new(2);
    let n = 30;
    let signs: Vec<f64> = (0..60).map(|k| if k % 3 == 0 { -1.0 } else { 1.0 }).collect();
    let a = symmetric(n, &signs, &vec![1.0; n], &mut random);
    let expected = vector(n, &mut random);
    let b = a.mul_vec(&expected);
    let mut x = vec![0.0; n];
    let outcome = by_minres(&a, &jacobi(&a), &b, &mut x, Stop::relative(1e-13, &b, 500));
    assert_eq!(outcome.ending, Ending::Converged);
    assert!(max_abs_difference(&x, &expected) < 1e-9);
}

#[test]
fn singular_but_consistent_systems_converge() {
    let mut random = Random::new(3);
    let n = 30;
    let a = symmetric(n, &[1.0; 17], &vec![1.0; n], &mut random);
    let b = a.mul_vec(&vector(n, &mut random));
    for method in METHODS {
        let mut x = vec![0.0; n];
        let outcome = method(&a, &jacobi(&a), &b, &mut x, Stop::relative(1e-11, &b, 200));
        assert_eq!(outcome.ending, Ending::Converged, "{outcome:?}");
        assert!(max_abs_difference(&a.mul_vec(&x), &b) < 1e-9);
    }
}

#[test]
fn contradictions_end_at_least_squares() {
    let mut random = Random::new(4);
    for trial in 0..400 {
        let n = 6 + trial % 20;
        let rank = 1 + random.below(n - 1);
        let a = symmetric(n, &vec![1.0; rank], &vec![1.0; n], &mut random);
        let b = vector(n, &mut random);
        let identity = diagonal(&vec![1.0; n]);
        let mut x = vec![0.0; n];
        let outcome = by_minres(&a, &identity, &b, &mut x, Stop::relative(1e-12, &b, 400));
        assert_eq!(outcome.ending, Ending::Contradiction, "n {n} rank {rank}: {outcome:?}");
        // Least squares: A of the residual vanishes, while the residual does not.
        let r: Vec<f64> = b.iter().zip(a.mul_vec(&x)).map(|(b, ax)| b - ax).collect();
        assert!(norm(&a.mul_vec(&r)) < 1e-6 * norm(&b), "{:e}", norm(&a.mul_vec(&r)));
        let least = out_of_range(&a, rank, &b);
        assert!(outcome.residual < (1.0 + 1e-9) * least, "{} for {least}", outcome.residual);
        let mut y = vec![0.0; n];
        let by_gradients = by_cg(&a, &identity, &b, &mut y, Stop::relative(1e-12, &b, 400));
        assert_ne!(by_gradients.ending, Ending::Converged);
        assert!(by_gradients.residual >= outcome.residual * (1.0 - 1e-12));
        assert!(x.iter().chain(&y).all(|x| x.is_finite()));
    }
}

#[test]
fn a_right_side_wholly_out_of_reach_leaves_the_guess() {
    // To rounding: 10⁻¹⁸ beside 1 is what a sum that should cancel leaves.
    for (method, rest) in [(by_cg as Method, 0.0), (by_minres, 0.0), (by_minres, 1e-18)] {
        let a = diagonal(&[1.0, 2.0, 0.0, rest]);
        let mut x = [0.5, 0.25, 0.0, 0.0];
        let b = [0.5, 0.5, 1.0, 1.0];
        let outcome = method(&a, &diagonal(&[1.0; 4]), &b, &mut x, Stop::relative(1e-10, &b, 50));
        assert_eq!(outcome.residual, 2f64.sqrt());
        assert_eq!(x[..2], [0.5, 0.25]);
    }
}

#[test]
fn nothing_to_do_and_nothing_finite() {
    let identity = diagonal(&[1.0; 3]);
    let stop = Stop { residual: 0.0, max_iterations: 10 };
    for method in METHODS {
        let mut x = [0.0; 3];
        assert_eq!(method(&identity, &identity, &[0.0; 3], &mut x, stop).ending, Ending::Converged);
        assert_eq!(x, [0.0; 3]);
        let ending = method(&identity, &identity, &[1.0, f64::NAN, 0.0], &mut x, stop).ending;
        assert_eq!((ending, x), (Ending::Breakdown, [0.0; 3]));
        let ending = method(&diagonal(&[1.0, f64::INFINITY, 1.0]), &identity, &[1.0; 3], &mut x, stop).ending;
        assert_eq!((ending, x), (Ending::Breakdown, [0.0; 3]));
        assert_eq!(method(&diagonal(&[]), &diagonal(&[]), &[], &mut [], stop).ending, Ending::Converged);
        let outcome =
            method(&diagonal(&[1.0, 2.0, 3.0]), &identity, &[1.0; 3], &mut x, Stop { max_iterations: 1, ..stop });
        assert_eq!((outcome.ending, outcome.iterations), (Ending::IterationLimit, 1));
    }
    let mut x = [0.0; 2];
    let saddle = by_cg(&diagonal(&[1.0, -3.0]), &diagonal(&[1.0; 2]), &[1.0; 2], &mut x, stop);
    assert_eq!((saddle.ending, x), (Ending::Breakdown, [0.0; 2]));
}

#[test]
fn a_block_diagonal_preconditioner_on_a_chain_of_bodies() {
    // Masses from 1 to 10⁴ coupled by springs; blocks factored once.
    let n = 60;
    let mass = |i: usize| 10f64.powf(4.0 * i as f64 / n as f64);
    let block = |i: usize| Mat6::diagonal([mass(i) + 2.0; 6]);
    let factors: Vec<Ldl<f64, 6>> = (0..n).map(|i| Ldl::new(&block(i)).unwrap()).collect();
    let apply = |v: &[f64], out: &mut [f64]| {
        for i in 0..6 * n {
            let neighbours = if i >= 6 { v[i - 6] } else { 0.0 } + v.get(i + 6).copied().unwrap_or(0.0);
            out[i] = (mass(i / 6) + 2.0) * v[i] - neighbours;
        }
    };
    let precondition = |r: &[f64], out: &mut [f64]| {
        let (from, to): (&[Vec6<f64>], &mut [Vec6<f64>]) = (r.as_chunks().0, out.as_chunks_mut().0);
        to.iter_mut().zip(from).zip(&factors).for_each(|((to, from), factor)| *to = factor.solve(from));
    };
    let b = vec![1.0; 6 * n];
    let stop = Stop::relative(1e-10, &b, 500);
    let mut workspace = Workspace::default();
    let (mut x, mut y) = (vec![0.0; 6 * n], vec![0.0; 6 * n]);
    let aided = cg(apply, precondition, &b, &mut x, stop, &mut workspace);
    let plain = cg(apply, |r, out| out.copy_from_slice(r), &b, &mut y, stop, &mut workspace);
    assert!(aided.ending == Ending::Converged && 3 * aided.iterations < plain.iterations, "{aided:?} {plain:?}");
}

#[test]
fn inner_products_do_not_depend_on_threads() {
    let mut random = Random::new(7);
    let (a, b) = (vector(100_003, &mut random), vector(100_003, &mut random));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| dot(&a, &b))
    };
    assert_eq!(run(1).to_bits(), run(4).to_bits());
    let exact: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    assert!((run(2) - exact).abs() < 1e-9);
}
