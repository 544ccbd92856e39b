//! The turn that takes one set of directions nearest to another (Davenport: the dominant eigenvector of a 4 × 4 matrix),
//! however far away it is.

use drystone_model::{DQuat, DVec3};

/// Squarings of the matrix whose eigenvector is looked for: 2ⁿ steps of the power method.
const SQUARINGS: u32 = 12;

type Mat4 = [[f64; 4]; 4];

/// The rotation R with the largest Σ pᵢ · R aᵢ; of several the one nearest to `now`.
pub(super) fn best_turn(pairs: impl Iterator<Item = (DVec3, DVec3)>, now: DQuat) -> DQuat {
    let mut k = [[0.0; 4]; 4];
    let mut size = 0.0;
    for (a, p) in pairs {
        size += a.length() * p.length();
        let cross = a.cross(p);
        for i in 0..3 {
            for j in 0..3 {
                k[i][j] += a[i] * p[j] + p[i] * a[j] - if i == j { a.dot(p) } else { 0.0 };
            }
            k[i][3] += cross[i];
            k[3][i] += cross[i];
        }
        k[3][3] += a.dot(p);
    }
    if size == 0.0 {
        return now;
    }
    // Shifted to be positive, so that the largest eigenvalue is also the dominant one.
    (0..4).for_each(|i| k[i][i] += size);
    for _ in 0..SQUARINGS {
        let trace = (0..4).map(|i| k[i][i]).sum::<f64>();
        k = squared(&k.map(|row| row.map(|entry| entry / trace)));
    }
    let product = |q: [f64; 4]| DQuat::from_array(k.map(|row| (0..4).map(|j| row[j] * q[j]).sum()));
    let turn = product(now.to_array());
    if turn.length() > 1e-3 * k[0][0].max(k[1][1]).max(k[2][2]).max(k[3][3]) {
        return turn.normalize();
    }
    // The answer is opposite to what the part is turned by now: any column is a multiple of it.
    let largest = (0..4).max_by(|&i, &j| k[i][i].total_cmp(&k[j][j])).unwrap_or(3);
    DQuat::from_array(k[largest]).normalize()
}

fn squared(m: &Mat4) -> Mat4 {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|l| m[i][l] * m[l][j]).sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_turn_is_found_from_any_other() {
        let arms = [DVec3::X, DVec3::Y * 2.0, DVec3::new(-1.0, 0.5, 3.0)];
        for angle in [0.1f64, 1.0, 3.0, std::f64::consts::PI] {
            for axis in [DVec3::X, DVec3::new(1.0, -2.0, 0.5).normalize()] {
                let turn = DQuat::from_axis_angle(axis, angle);
                let found = best_turn(arms.iter().map(|&a| (a, turn * a)), DQuat::IDENTITY);
                assert!((found.dot(turn).abs() - 1.0).abs() < 1e-12, "{angle} {axis}");
            }
        }
    }

    #[test]
    fn what_the_points_leave_open_stays_as_it_is() {
        // A single arm does not tell how the part is turned about it.
        let now = DQuat::from_rotation_x(0.7);
        let found = best_turn([(DVec3::X, DVec3::Y)].into_iter(), now);
        assert!((found * DVec3::X - DVec3::Y).length() < 1e-9);
        let swung = DQuat::from_rotation_arc(DVec3::X, DVec3::Y) * now;
        assert!((found.dot(swung).abs() - 1.0).abs() < 1e-9);
    }
}
