//! The three methods against a plain one: projected Gauss–Seidel run until it stands still.

use super::mprgp::mprgp;
use super::*;
use drystone_random::Random;
use drystone_solve::linalg::krylov::{Stop, Workspace};
use drystone_solve::testing::Dense;

/// A random symmetric positive semi-definite problem and its bounds.
struct Problem {
    a: Dense,
    rhs: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Problem {
    fn new(n: usize, rank: usize, random: &mut Random) -> Self {
        let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..rank).map(|_| random.signed()).collect()).collect();
        let mut a = Dense::zero(n);
        for i in 0..n {
            for j in 0..n {
                a.entry[i * n + j] = rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum();
            }
        }
        // b = A z + (something contacts can push against): keeps the minimum finite for singular A.
        let z: Vec<f64> = (0..n).map(|_| 2.0 * random.signed()).collect();
        let rhs = a.mul_vec(&z).iter().map(|b| b - 0.3 * random.signed().abs()).collect();
        let (mut lower, mut upper) = (vec![0.0; n], vec![f64::INFINITY; n]);
        for i in 0..n {
            match random.below(4) {
                0 if rank >= n => (lower[i], upper[i]) = (f64::NEG_INFINITY, f64::INFINITY),
                1 => (lower[i], upper[i]) = (-0.4, 0.4),
                _ => {}
            }
        }
        Self { a, rhs, lower, upper }
    }

    fn bounds(&self) -> Bounds<'_> {
        Bounds { rhs: &self.rhs, lower: &self.lower, upper: &self.upper }
    }

    /// w = A x − b.
    fn slack(&self, x: &[f64]) -> Vec<f64> {
        self.a.mul_vec(x).iter().zip(&self.rhs).map(|(ax, b)| ax - b).collect()
    }

    fn by_sweeps(&self) -> Vec<f64> {
        let n = self.rhs.len();
        let mut x = vec![0.0; n];
        for _ in 0..200_000 {
            let mut moved: f64 = 0.0;
            for i in 0..n {
                let row = &self.a.entry[i * n..(i + 1) * n];
                let rest = self.rhs[i] - row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>();
                let next = (x[i] + rest / row[i]).max(self.lower[i]).min(self.upper[i]);
                moved = moved.max((next - x[i]).abs());
                x[i] = next;
            }
            if moved < 1e-15 {
                break;
            }
        }
        x
    }
}

fn agree(problem: &Problem, x: &[f64], expected: &[f64], what: &str) {
    let (own, other) = (problem.slack(x), problem.slack(expected));
    for i in 0..x.len() {
        assert!((own[i] - other[i]).abs() < 1e-8, "{what}: slack {i} is {} for {}", own[i], other[i]);
        assert!(x[i] >= problem.lower[i] && x[i] <= problem.upper[i], "{what}");
    }
}

#[test]
fn all_methods_find_the_minimum() {
    let mut random = Random::new(51);
    let (mut work, mut pivoted) = (Pivoting::default(), 0);
    for trial in 0..300 {
        let n = 1 + trial % 12;
        let rank = if trial % 3 == 0 { 1 + n / 2 } else { n + 2 };
        let problem = Problem::new(n, rank, &mut random);
        let expected = problem.by_sweeps();
        let stop = Stop { residual: 1e-11, max_iterations: 20_000 };
        let product = |v: &[f64], out: &mut [f64]| out.copy_from_slice(&problem.a.mul_vec(v));
        let mut x = vec![0.0; n];
        let outcome = active_set(product, problem.bounds(), &mut x, stop, &mut Workspace::default());
        assert!(outcome.converged, "active set, trial {trial}: {outcome:?}");
        agree(&problem, &x, &expected, "active set");
        x.fill(0.0);
        let outcome = mprgp(product, problem.bounds(), &mut x, stop, &mut Workspace::default());
        assert!(outcome.converged, "mprgp, trial {trial}: {outcome:?}");
        agree(&problem, &x, &expected, "mprgp");
        x.fill(0.0);
        let outcome = pivot(&problem.a.entry, problem.bounds(), &mut x, &mut work);
        if outcome.violation > 1e-10 {
            assert!(rank < n, "pivoting, trial {trial}: {outcome:?}");
            continue;
        }
        agree(&problem, &x, &expected, "pivoting");
        pivoted += 1;
    }
    assert!(pivoted > 250, "pivoting gave up on all but {pivoted}");
}

#[test]
fn a_problem_that_cannot_be_met_ends() {
    // Two contacts that push apart what cannot give: w₁ = −1 − … has no solution with A singular.
    let a = [1.0, -1.0, -1.0, 1.0];
    let problem = |rhs: [f64; 2]| rhs;
    let rhs = problem([1.0, 1.0]);
    let bounds = Bounds { rhs: &rhs, lower: &[0.0; 2], upper: &[f64::INFINITY; 2] };
    let product = |v: &[f64], out: &mut [f64]| {
        out.copy_from_slice(&[a[0] * v[0] + a[1] * v[1], a[2] * v[0] + a[3] * v[1]]);
    };
    let stop = Stop { residual: 1e-10, max_iterations: 500 };
    let mut x = [0.0; 2];
    let outcome = active_set(product, bounds, &mut x, stop, &mut Workspace::default());
    assert!(!outcome.converged && outcome.violation.is_finite() && outcome.iterations < 600, "{outcome:?}");
    let outcome = pivot(&a, bounds, &mut x, &mut Pivoting::default());
    assert!(outcome.violation.is_finite() && outcome.violation > 0.5, "{outcome:?}");
}

/// Against projected gradient steps of fixed length, run until they stand still.
#[test]
fn cones_and_bounds_end_at_the_minimum() {
    let mut random = Random::new(57);
    let mut work = ConeWorkspace::default();
    for trial in 0..200 {
        let contacts = 1 + trial % 5;
        let n = 3 * contacts + 2;
        let rank = if trial % 3 == 0 { 1 + n / 2 } else { n + 3 };
        let problem = Problem::new(n, rank, &mut random);
        let cone: Vec<Cone> =
            (0..contacts).map(|c| Cone { first: 3 * c as u32, friction: [0.0, 0.3, 1.0][trial % 3] }).collect();
        let coned: Vec<bool> = (0..n).map(|i| i < 3 * contacts).collect();
        let cones = Cones { bounds: problem.bounds(), cone: &cone, coned: &coned };
        let size: f64 = (0..n).map(|i| problem.a.entry[i * n + i]).sum();
        let mut expected = vec![0.0; n];
        for _ in 0..200_000 {
            let before = expected.clone();
            let w = problem.slack(&expected);
            expected.iter_mut().zip(&w).for_each(|(x, w)| *x -= w / size);
            cones.project(&mut expected);
            if expected.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-15) {
                break;
            }
        }
        let product = |v: &[f64], out: &mut [f64]| out.copy_from_slice(&problem.a.mul_vec(v));
        let mut x = vec![0.5; n];
        let stop = Stop { residual: 1e-10, max_iterations: 20_000 };
        let outcome = cone_descent(product, cones, &mut x, stop, &mut work);
        assert!(outcome.converged, "trial {trial}: {outcome:?}");
        let energy = |x: &[f64]| {
            let ax = problem.a.mul_vec(x);
            (0..n).map(|i| x[i] * (0.5 * ax[i] - problem.rhs[i])).sum::<f64>()
        };
        let (own, other) = (energy(&x), energy(&expected));
        assert!(own <= other + 1e-9 * (1.0 + other.abs()), "trial {trial}: {own} {other}");
        let mut inside = x.clone();
        cones.project(&mut inside);
        assert!(x.iter().zip(&inside).all(|(a, b)| (a - b).abs() < 1e-12), "trial {trial}");
    }
}
