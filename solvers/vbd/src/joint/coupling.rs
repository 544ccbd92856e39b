//! Joints that follow others: q₁ = r q₂ + b is a row at either end.
//!
//! The spring ½ k C² with C = q₁ − r q₂ − b pulls joint 1 by k C and joint 2 by −r k C. At the coordinates of an iterate these
//! are two rows of the usual kind, k (q₁ − (r q₂ + b)) and r² k (q₂ − (q₁ − b)/r), whose references follow the other
//! coordinate; forces told, momentum and errors are theirs. What the two rows lack is that one end moves while the other
//! does: −r k J₁ᵀ J₂ between the bodies of the two joints in the matrix, and the other end's part in the forces after a step.

use drystone_model::{DVec3, Follow, Model};

use super::{JointGeometry, Joints};
use crate::bodies::Bodies;

/// Every axis that follows another: joint, axis, what it follows.
pub fn followers(model: &Model) -> Vec<(usize, usize, Follow)> {
    let of_joint = |joint: usize| {
        let axes = model.joint_follow[joint].iter().enumerate();
        axes.filter_map(move |(axis, follow)| follow.map(|follow| (joint, axis, follow)))
    };
    (0..model.joint_count()).flat_map(of_joint).collect()
}

/// Coordinate of an axis, and how easily its bodies move along it.
pub fn far_end(geometry: &JointGeometry, bodies: &Bodies, hint: DVec3, axis: u8) -> (f64, f64) {
    let axes = geometry.axes(geometry.body.map(|body| bodies.placement[body]), hint);
    let jacobian = &axes.jacobian[axis as usize];
    let mobility = |side: usize| bodies.mobility(geometry.body[side], &jacobian[side]);
    (axes.value[axis as usize], mobility(0) + mobility(1))
}

impl Joints {
    /// Pairs of joints that are coupled and act.
    pub fn couplings(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let pair = |&row: &u32| {
            let partner = self.rows[row as usize].partner.filter(|partner| partner.follows)?;
            let own = self.row_start.partition_point(|&start| start <= row) - 1;
            let pair = [own, partner.joint as usize];
            pair.iter().all(|&joint| self.active[joint]).then_some(pair)
        };
        self.coupled.iter().filter_map(pair)
    }

    /// Bodies that couplings tie together, as pairs.
    pub fn coupled_bodies(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.couplings().flat_map(|pair| {
            let [one, other] = pair.map(|joint| self.geometry[joint].body.map(|body| body as u32));
            one.into_iter().flat_map(move |body| other.map(|far| [body, far]))
        })
    }

    /// Lets the ends of couplings follow the coordinates that the other ends have now.
    pub fn refresh_couplings(&mut self, bodies: &Bodies) {
        for place in 0..self.coupled.len() {
            let row = self.coupled[place] as usize;
            let Some(partner) = self.rows[row].partner else { continue };
            let there = self.axes(partner.joint as usize, bodies).value[partner.axis as usize];
            self.rows[row].reference = partner.reference(there);
        }
    }
}
