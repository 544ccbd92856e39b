//! Conjugate gradients with a multigrid cycle before every step.

use drystone_geometry::DVec3;
use drystone_solve::parallel;

use crate::hierarchy::Hierarchy;
use crate::matrix::{Matrix, dot};
use crate::step::Contact;

/// Vectors of the iteration.
#[derive(Clone, Debug, Default)]
pub struct Conjugate {
    residual: Vec<DVec3>,
    improved: Vec<DVec3>,
    direction: Vec<DVec3>,
    image: Vec<DVec3>,
}

impl Conjugate {
    /// Adds to `x`, which begins as nothing, `steps` steps toward `matrix · x = b`, where the blocks of contacts in the matrix are
    /// those on the diagonal alone.
    pub fn solve(
        &mut self,
        system: (&Matrix, Contact),
        hierarchy: &mut Hierarchy,
        b: &[DVec3],
        x: &mut [DVec3],
        steps: u32,
    ) {
        let (matrix, Contact { touches, carriers, stops }) = system;
        x.fill(DVec3::ZERO);
        let Self { residual, improved, direction, image } = self;
        residual.clear();
        residual.extend_from_slice(b);
        direction.clear();
        direction.resize(b.len(), DVec3::ZERO);
        image.resize(b.len(), DVec3::ZERO);
        let mut before = 0.0;
        for step in 0..steps {
            hierarchy.cycle(matrix, residual, improved);
            let now = dot(residual, improved);
            let kept = if step == 0 { 0.0 } else { now / before };
            parallel::each(direction, |row, p| *p = improved[row] + kept * *p);
            matrix.apply(direction, image);
            touches.correct_product(direction, image);
            carriers.correct_product(touches, direction, image);
            stops.project(image);
            let curvature = dot(direction, image);
            if now <= 0.0 || curvature <= 0.0 {
                return;
            }
            let length = now / curvature;
            parallel::each2(x, residual, |row, x, r| {
                *x += length * direction[row];
                *r -= length * image[row];
            });
            before = now;
        }
    }
}
