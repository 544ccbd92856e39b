//! Vertex block descent as published: every particle goes where its own forces balance, colour by colour, and Chebyshev's semi-iterative
//! method carries the iterates on (A. H. Chen et al., "Vertex Block Descent", 2024). No multipliers, no multigrid: what is stiff over long
//! ways takes many sweeps. It is kept to compare with.

use drystone_geometry::{DMat3, DVec3};
use drystone_solve::parallel;

use super::{Soft, Sweep};

/// The iterates of a step.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    /// Estimate of how much of the error a sweep leaves, below one; zero does not accelerate.
    radius: f64,
    omega: f64,
    sweeps: u32,
    /// Where the sweep before the last left the particles \[m\].
    last: Vec<DVec3>,
    before_last: Vec<DVec3>,
}

impl Plain {
    /// With an estimate of the spectral radius, at least zero and below one.
    pub fn new(radius: f64) -> Self {
        Self { radius, ..Self::default() }
    }

    /// Begins a step.
    pub(super) fn begin(&mut self) {
        (self.omega, self.sweeps) = (1.0, 0);
    }

    /// Carries on where a sweep led.
    fn accelerate(&mut self, x: &mut [DVec3]) {
        let squared = self.radius * self.radius;
        self.omega = match self.sweeps {
            0 => 1.0,
            1 => 2.0 / (2.0 - squared),
            _ => 4.0 / (4.0 - squared * self.omega),
        };
        let Self { omega, last, before_last, sweeps, .. } = self;
        if *sweeps > 0 && *omega != 1.0 {
            parallel::each(x, |row, x| *x = before_last[row] + (*x - before_last[row]) * *omega);
        }
        std::mem::swap(last, before_last);
        last.clear();
        last.extend_from_slice(x);
        // The first sweep has one iterate before it.
        if *sweeps == 0 {
            before_last.clone_from(last);
        }
        *sweeps += 1;
    }
}

impl Soft {
    /// One sweep over all particles.
    pub(super) fn sweep_plainly(&mut self) -> Sweep {
        self.elements.evaluate(&self.x, self.h);
        self.touches.linearise(&self.x);
        self.carriers.list(&self.touches);
        self.carriers.prepare(&self.touches, self.mesh.free, &mut self.push);
        let Self { relax, mesh, elements, touches, held, inertial, x, aim, step, h, .. } = self;
        step.copy_from_slice(&x[..mesh.free]);
        relax.choose_all(mesh);
        let stays = (DVec3::ZERO, DMat3::IDENTITY);
        relax.round(x, |row, x| {
            if held[row] {
                return stays;
            }
            let inertia = inertial[row] / (*h * *h);
            let (elastic, firm) = elements.at_row(row, x, *h);
            let (touched, pressed) = touches.at_row(row, x);
            let push = elastic + touched - inertia * (x[row] - aim[row]);
            (push, firm + pressed + DMat3::from_diagonal(DVec3::splat(inertia)))
        });
        if let Some(plain) = &mut self.plain {
            plain.accelerate(&mut x[..mesh.free]);
        }
        parallel::each(step, |row, step| *step = x[row] - *step);
        self.stop();
        self.elements.evaluate(&self.x, self.h);
        self.touches.linearise(&self.x);
        let [longest] = parallel::largest(self.step.len(), |i| [self.step[i].length()]);
        Sweep { moved: longest, taken: 1.0 }
    }
}
