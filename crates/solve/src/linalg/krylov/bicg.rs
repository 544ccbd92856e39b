//! Biconjugate gradients: the iteration of the slides, for matrices given by their products with A and Aᵀ.
//!
//! On a symmetric matrix it does what [`super::cg()`] does, at twice the products. It takes no
//! preconditioner and may break down; the answer is then the best it saw.

use super::{Ending, Outcome, Stop, Workspace, combine, dot, norm, residual_of};

/// Solves A x = b. `x` holds the first guess and receives the answer with the least residual met.
pub fn bicg(
    mut apply: impl FnMut(&[f64], &mut [f64]),
    mut apply_transpose: impl FnMut(&[f64], &mut [f64]),
    b: &[f64],
    x: &mut [f64],
    stop: Stop,
    workspace: &mut Workspace,
) -> Outcome {
    let [r, shadow, p, shadow_p, ap, best] = workspace.take(b.len());
    let mut residual = residual_of(&mut apply, b, x, r);
    shadow.copy_from_slice(r);
    p.copy_from_slice(r);
    shadow_p.copy_from_slice(r);
    best.copy_from_slice(x);
    let mut least = residual;
    let mut rho = dot(shadow, r);
    let mut iterations = 0;
    let ending = loop {
        if residual <= stop.residual {
            break Ending::Converged;
        }
        if iterations == stop.max_iterations {
            break Ending::IterationLimit;
        }
        apply(p, ap);
        iterations += 1;
        let curvature = dot(shadow_p, ap);
        if !(curvature.is_finite() && rho.is_finite()) {
            break Ending::Breakdown;
        }
        if curvature.abs() <= f64::EPSILON * norm(shadow_p) * norm(ap) {
            break Ending::Contradiction;
        }
        let step = rho / curvature;
        combine(x, step, p, 1.0);
        combine(r, -step, ap, 1.0);
        apply_transpose(shadow_p, ap);
        combine(shadow, -step, ap, 1.0);
        let next = dot(shadow, r);
        combine(p, 1.0, r, next / rho);
        combine(shadow_p, 1.0, shadow, next / rho);
        rho = next;
        residual = norm(r);
        if residual < least {
            least = residual;
            best.copy_from_slice(x);
        }
    };
    x.copy_from_slice(best);
    let residual = residual_of(&mut apply, b, x, r);
    Outcome { ending, iterations, residual }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::krylov::cg;
    use crate::testing::{Dense, max_abs_difference};
    use drystone_random::Random;

    fn random_matrix(n: usize, symmetric: bool, random: &mut Random) -> Dense {
        let mut a = Dense::zero(n);
        for i in 0..n {
            for j in 0..n {
                a.entry[i * n + j] += random.signed();
                if symmetric {
                    a.entry[j * n + i] = a.entry[i * n + j];
                }
            }
            a.entry[i * n + i] += n as f64;
        }
        a
    }

    fn transpose(a: &Dense) -> Dense {
        let mut t = Dense::zero(a.n);
        (0..a.n * a.n).for_each(|k| t.entry[k] = a.entry[k % a.n * a.n + k / a.n]);
        t
    }

    #[test]
    fn solves_unsymmetric_systems() {
        let mut random = Random::new(41);
        let a = random_matrix(20, false, &mut random);
        let t = transpose(&a);
        let b: Vec<f64> = (0..20).map(|_| random.signed()).collect();
        let mut x = vec![0.0; 20];
        let outcome = bicg(
            |v, out| out.copy_from_slice(&a.mul_vec(v)),
            |v, out| out.copy_from_slice(&t.mul_vec(v)),
            &b,
            &mut x,
            Stop::relative(1e-12, &b, 60),
            &mut Workspace::default(),
        );
        assert_eq!(outcome.ending, Ending::Converged);
        assert!(max_abs_difference(&x, &a.solve(&b)) < 1e-10);
    }

    #[test]
    fn takes_the_steps_of_conjugate_gradients_on_a_symmetric_matrix() {
        let mut random = Random::new(42);
        let a = random_matrix(15, true, &mut random);
        let b: Vec<f64> = (0..15).map(|_| random.signed()).collect();
        let product = |v: &[f64], out: &mut [f64]| out.copy_from_slice(&a.mul_vec(v));
        for iterations in 1..5 {
            let stop = Stop { residual: 0.0, max_iterations: iterations };
            let (mut one, mut other) = (vec![0.0; 15], vec![0.0; 15]);
            bicg(product, product, &b, &mut one, stop, &mut Workspace::default());
            cg(product, |r, z| z.copy_from_slice(r), &b, &mut other, stop, &mut Workspace::default());
            assert!(max_abs_difference(&one, &other) < 1e-12);
        }
    }
}
