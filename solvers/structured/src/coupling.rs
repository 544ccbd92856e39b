//! Coordinates that follow others: C = q₁ − r q₂ − b is one row over the bodies of two joints, J₁ v − r J₂ v, with an impulse λ that
//! pushes along q₁ and −r λ along q₂. Without play it is held as joints are, in a block of its own after theirs; with play each end
//! is a stop.

use drystone_model::Control;

use super::axis_laws::Coupling;
use super::block::{JointBlock, Level};
use super::loops::OuterRow;
use super::system::ConstraintSystem;
use drystone_solve::joint::JointGeometry;
use drystone_solve::linalg::matrix::{Vec6, add_scaled};

/// A coupling as it stands at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coupled {
    /// Joint and axis of both ends.
    end: [(u32, u8); 2],
    /// What an impulse of one pushes along them.
    factor: [f64; 2],
    /// C \[m or rad\].
    pub value: f64,
    /// Rows of parent and child of both joints, zero for what does not move.
    pub jacobian: [[Vec6<f64>; 2]; 2],
    /// Rate of C by the motion of all bodies, and by that of bodies that are not unknown \[m/s or rad/s\].
    rate: f64,
    pub known: f64,
    /// Velocity-product term of C̈ \[m/s² or rad/s²\].
    product: f64,
    /// What a unit of C counts as in lengths.
    pub weight: f64,
}

impl Coupling {
    /// Bodies of both joints.
    pub fn bodies(&self, geometry: &[JointGeometry]) -> [[u32; 2]; 2] {
        self.end.map(|(joint, _)| geometry[joint as usize].body.map(|body| body as u32))
    }
}

impl Coupled {
    /// Its row, if it has one, measured in lengths.
    pub fn rows(&self, body: [[u32; 2]; 2], block: &JointBlock) -> impl Iterator<Item = OuterRow> {
        let row = move |row: usize| {
            let compliance = block.compliance[row];
            OuterRow { compliance, ..OuterRow::over(body, self.jacobian) }.weighted(block.weight(row))
        };
        (0..block.count).map(row)
    }
}

impl ConstraintSystem {
    /// The rows of all couplings, measured in lengths.
    pub(super) fn coupling_rows(&self) -> impl Iterator<Item = OuterRow> {
        let blocks = self.blocks.iter().skip(self.geometry.len());
        let couplings = self.coupled.iter().zip(&self.laws.couplings).zip(blocks);
        couplings.flat_map(|((coupled, law), block)| coupled.rows(law.bodies(&self.geometry), block))
    }

    /// Whether both joints of a coupling act.
    pub(super) fn couples(&self, coupling: usize) -> bool {
        self.laws.couplings[coupling].end.iter().all(|&(joint, _)| self.active[joint as usize])
    }

    /// Bodies of both joints of a coupling.
    pub(super) fn coupled_bodies(&self, coupling: usize) -> [[u32; 2]; 2] {
        self.laws.couplings[coupling].bodies(&self.geometry)
    }

    /// A coupling of the bodies as they are.
    pub(super) fn read_coupling(&self, coupling: usize, control: &Control) -> Coupled {
        let law = &self.laws.couplings[coupling];
        let factor = [1.0, -law.ratio];
        let mut coupled = Coupled { end: law.end, factor, value: -law.offset, ..Coupled::default() };
        for (side, (joint, axis)) in law.end.into_iter().enumerate() {
            let (view, axis) = (self.view(joint as usize, control), axis as usize);
            let (axes, bodies) = (view.axes(), view.body);
            let jacobian = axes.jacobian[axis].map(|row| row.map(|entry| factor[side] * entry));
            let product = view.geometry.velocity_products(
                bodies.map(|body| body.placement),
                bodies.map(|body| body.velocity),
                &axes,
            );
            coupled.value += factor[side] * axes.value[axis];
            coupled.jacobian[side] = view.unknown_part(&jacobian);
            coupled.rate += view.rate(&jacobian);
            coupled.known += view.known_rate(&jacobian);
            coupled.product += factor[side] * product[axis];
            if side == 0 {
                coupled.weight = if axis < 3 { 1.0 } else { self.blocks[joint as usize].size };
            }
        }
        coupled
    }

    /// The rows of the couplings that act; after those of the joints.
    pub(super) fn evaluate_couplings(&mut self, control: &Control, level: Level) {
        let first = self.geometry.len();
        for coupling in 0..self.coupled.len() {
            let mut block = JointBlock::default();
            if self.couples(coupling) {
                let law = self.laws.couplings[coupling];
                let coupled = self.read_coupling(coupling, control);
                self.coupled[coupling] = coupled;
                if let Some(spring) = law.spring {
                    self.pull_together(&coupled, spring, level, &mut block);
                    block.axis[0] = law.end[0].1;
                } else if law.rigid {
                    let target = if level == Level::Acceleration { -coupled.product } else { -coupled.known };
                    (block.count, block.axis[0], block.size) = (1, law.end[0].1, coupled.weight);
                    (block.target[0], block.value[0], block.rate[0]) = (target, coupled.value, coupled.rate);
                }
            }
            self.blocks[first + coupling] = block;
        }
    }

    /// A coupling that gives way: a row over a step, and a push of both joints where accelerations are asked for.
    fn pull_together(
        &mut self,
        coupled: &Coupled,
        [stiffness, damping]: [f64; 2],
        level: Level,
        block: &mut JointBlock,
    ) {
        match level {
            Level::Step { h } => {
                // Λ = −h k (C + h Ċ⁺) − h d Ċ⁺, solved for Ċ⁺ + Λ/s.
                let s = h * (h * stiffness + damping);
                if s > 0.0 {
                    (block.count, block.size, block.rate[0]) = (1, coupled.weight, coupled.rate);
                    block.compliance[0] = 1.0 / s;
                    block.target[0] = -h * stiffness * coupled.value / s - coupled.known;
                }
            }
            Level::Acceleration => {
                let effort = -stiffness * coupled.value - damping * coupled.rate;
                for ((joint, _), jacobian) in coupled.end.into_iter().zip(&coupled.jacobian) {
                    let sides = self.blocks[joint as usize].push.iter_mut().zip(jacobian);
                    sides.for_each(|(sum, jacobian)| add_scaled(sum, effort, jacobian));
                }
            }
            Level::Projection => {}
        }
    }

    /// Adds `share` of the multipliers of the couplings to the impulses of their joints.
    pub(super) fn add_coupling_impulses(&mut self, share: f64) {
        let Self { impulse, wrench, coupled, multiplier, blocks, geometry, .. } = self;
        let blocks = blocks.iter().zip(multiplier).skip(geometry.len());
        for (coupled, (block, lambda)) in coupled.iter().zip(blocks).filter(|(_, (block, _))| block.count > 0) {
            debug_assert_eq!(block.count, 1);
            add_coupling_impulse(impulse, wrench, coupled, share * lambda[0]);
        }
    }

    /// What couplings push a body of a joint with, by the multipliers as they are.
    pub(super) fn coupling_wrench(&self, joint: usize, side: usize, sum: &mut Vec6<f64>) {
        let blocks = self.blocks.iter().zip(&self.multiplier).skip(self.geometry.len());
        for (coupled, (_, lambda)) in self.coupled.iter().zip(blocks).filter(|(_, (block, _))| block.count > 0) {
            let ends = coupled.end.iter().zip(&coupled.jacobian).filter(|((end, _), _)| *end as usize == joint);
            ends.for_each(|(_, jacobian)| add_scaled(sum, lambda[0], &jacobian[side]));
        }
    }
}

/// Adds the impulse of a coupling to those of its joints.
pub fn add_coupling_impulse(impulse: &mut [[f64; 6]], wrench: &mut [[Vec6<f64>; 2]], coupled: &Coupled, lambda: f64) {
    for ((&(joint, axis), factor), jacobian) in coupled.end.iter().zip(coupled.factor).zip(&coupled.jacobian) {
        impulse[joint as usize][axis as usize] += factor * lambda;
        let sides = wrench[joint as usize].iter_mut().zip(jacobian);
        sides.for_each(|(sum, jacobian)| add_scaled(sum, lambda, jacobian));
    }
}
