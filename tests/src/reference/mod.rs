//! Mechanisms integrated in their fewest coordinates by the text book: no constraints, no joints, no
//! solver of this project. What they share with it is the data of the model: lengths and masses.

mod double_pendulum;
mod four_bar;
mod stewart;

pub use double_pendulum::DoublePendulum;
pub use four_bar::FourBar;
pub use stewart::Stewart;

/// One step of the classical Runge–Kutta method for `y' = f(y)`.
pub fn rk4<const N: usize>(y: [f64; N], dt: f64, f: impl Fn(&[f64; N]) -> [f64; N]) -> [f64; N] {
    let along = |k: &[f64; N], part: f64| -> [f64; N] { std::array::from_fn(|i| y[i] + part * dt * k[i]) };
    let k1 = f(&y);
    let k2 = f(&along(&k1, 0.5));
    let k3 = f(&along(&k2, 0.5));
    let k4 = f(&along(&k3, 1.0));
    std::array::from_fn(|i| y[i] + dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}

/// Solves `A x = b` by Gaussian elimination with partial pivoting.
pub fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for column in 0..N {
        let pivot = (column..N).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs())).unwrap_or(column);
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in column + 1..N {
            let factor = a[row][column] / a[column][column];
            for k in column..N {
                a[row][k] -= factor * a[column][k];
            }
            b[row] -= factor * b[column];
        }
    }
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|k| a[row][k] * b[k]).sum();
        b[row] = (b[row] - known) / a[row][row];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_of_fourth_order() {
        let turn = |y: &[f64; 2]| [y[1], -y[0]];
        let error = |steps: u32| {
            let y = (0..steps).fold([1.0, 0.0], |y, _| rk4(y, 1.0 / f64::from(steps), turn));
            (y[0] - 1.0_f64.cos()).abs()
        };
        let ratio = error(20) / error(40);
        assert!((12.0..20.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn elimination_solves_with_a_zero_pivot() {
        let x = solve([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, -1.0]], [5.0, 3.0, 2.0]);
        for (row, b) in [([0.0, 2.0, 1.0], 5.0), ([1.0, 1.0, 0.0], 3.0), ([3.0, 0.0, -1.0], 2.0)] {
            let product: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((product - b).abs() < 1e-14);
        }
    }
}
