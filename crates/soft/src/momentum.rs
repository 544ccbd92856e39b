//! Momentum of pieces that float: what the elements push inside a piece cannot change it, and a solve that is cut short shall not.

use drystone_geometry::{DMat3, DVec3};

use crate::convert::outer;
use crate::elements::Elements;
use crate::mesh::Mesh;
use crate::touch::Touches;
use drystone_solve::graph::union::{flatten, unite};

/// Pieces that nothing holds.
#[derive(Clone, Debug, Default)]
pub struct Floating {
    /// Particles of each, by the mesh's index.
    members: Vec<Vec<u32>>,
    /// Piece of every particle; those that are held have none.
    piece: Vec<Option<u32>>,
    /// Energy stored in each group, at the start of the step and now \[J\].
    stored: [Vec<f64>; 2],
    /// The piece that leads the group of every piece, and whether something that does not move holds it.
    leader: Vec<u32>,
    stays: Vec<bool>,
    /// Whether bodies hold particles of the group of every piece.
    bound: Vec<bool>,
    /// Particles of each group, by the piece that leads it; the group of every particle.
    groups: Vec<Vec<u32>>,
    group: Vec<Option<u32>>,
}

/// A step as the pieces see it.
pub struct Motion<'a> {
    pub mass: &'a [f64],
    pub before: &'a [DVec3],
    /// Where particles would go without elements.
    pub aim: &'a [DVec3],
    pub x: &'a [DVec3],
    pub h: f64,
}

impl Floating {
    /// The pieces without a pin, by the leader of every particle.
    pub fn new(mesh: &Mesh, leader: &[u32]) -> Self {
        let mut held = vec![false; leader.len()];
        for (node, others) in mesh.neighbours.iter().enumerate().take(mesh.free) {
            held[leader[node] as usize] |= others.iter().any(|&other| other as usize >= mesh.free);
        }
        let mut number = vec![None; leader.len()];
        let mut floating = Self { piece: vec![None; leader.len()], ..Self::default() };
        for node in (0..mesh.free).filter(|&node| !held[leader[node] as usize]) {
            let members = &mut floating.members;
            let piece = *number[leader[node] as usize].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[piece].push(node as u32);
            floating.piece[node] = Some(piece as u32);
        }
        floating.stored = [(); 2].map(|()| vec![0.0; floating.members.len()]);
        floating
    }

    /// Finds the groups of a step: pieces that may touch each other count as one, and what is pressed against something that does not
    /// move, itself and others at once, floats no more: it may be jammed, and is not where its forces lead.
    pub fn regroup(&mut self, touches: &Touches, held: &[bool]) {
        let Self { members, piece, leader, stays, bound, groups, group, .. } = self;
        leader.clear();
        leader.extend(0..members.len() as u32);
        stays.clear();
        stays.extend(members.iter().map(|members| members.iter().any(|&node| held[node as usize])));
        bound.clear();
        bound.resize(members.len(), false);
        let [mut fixed, mut tied] = [(); 2].map(|()| vec![false; members.len()]);
        for touch in touches.all() {
            let mut first = None;
            for (particle, _) in touch.corners() {
                // What is pinned, or part of what is, holds all it touches.
                let own = piece.get(particle as usize).copied().flatten();
                if let (Some(own), Some(first)) = (own, first) {
                    unite(leader, own, first);
                }
                first = first.or(own);
            }
            let all = touch.corners().all(|(particle, _)| piece.get(particle as usize).copied().flatten().is_some());
            if let Some(first) = first {
                // What a bond holds to something that does not move is as good as pinned.
                stays[first as usize] |= !all || (touch.bond.is_some() && touch.fixed);
                fixed[first as usize] |= touch.fixed;
                tied[first as usize] |= touch.ground.body.is_none();
                bound[first as usize] |= touch.bond.is_some();
            }
        }
        flatten(leader);
        for own in 0..leader.len() {
            let first = leader[own] as usize;
            fixed[first] |= fixed[own];
            tied[first] |= tied[own];
            bound[first] |= bound[own];
            stays[first] |= fixed[first] && tied[first];
        }
        for own in 0..leader.len() {
            let first = leader[own] as usize;
            stays[first] |= stays[own];
        }
        groups.iter_mut().for_each(Vec::clear);
        groups.resize(members.len(), Vec::new());
        group.clear();
        group.resize(piece.len(), None);
        for (own, members) in members.iter().enumerate() {
            let first = leader[own];
            if !stays[first as usize] {
                groups[first as usize].extend_from_slice(members);
                members.iter().for_each(|&node| group[node as usize] = Some(first));
            }
        }
    }

    /// Whether a particle belongs to what floats in this step and hangs on bodies.
    pub fn hangs_on_bodies(&self, node: usize) -> bool {
        self.group.get(node).copied().flatten().is_some_and(|first| self.bound[first as usize])
    }

    /// Shifts every piece to where its momentum takes it: its centre moves as that of what `aim` says.
    pub fn shift(&self, mass: &[f64], aim: &[DVec3], x: &mut [DVec3]) {
        for members in self.groups.iter().filter(|members| !members.is_empty()) {
            let off = centre(members, mass, aim) - centre(members, mass, x);
            members.iter().for_each(|&node| x[node as usize] += off);
        }
    }

    /// Gives the velocities of every piece the angular momentum of the start, and takes from how it shakes what that would add to
    /// its energy, or to more than `budget` says may move of what belongs to a particle \[J\].
    pub fn turn(&mut self, elements: &Elements, motion: &Motion, budget: impl Fn(u32) -> f64, v: &mut [DVec3]) {
        if self.groups.iter().all(Vec::is_empty) {
            return;
        }
        let Self { groups, group, stored, .. } = self;
        for (stored, x) in stored.iter_mut().zip([motion.before, motion.x]) {
            stored.fill(0.0);
            elements.each_stored(x, |corner, energy| {
                if let Some(group) = group[corner as usize] {
                    stored[group as usize] += energy;
                }
            });
        }
        for (group, members) in groups.iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            turn_piece(members, motion, stored[1][group] - stored[0][group], budget(members[0]), v);
        }
    }
}

/// Centre of mass of a piece.
fn centre(members: &[u32], mass: &[f64], x: &[DVec3]) -> DVec3 {
    let whole: f64 = members.iter().map(|&node| mass[node as usize]).sum();
    members.iter().map(|&node| mass[node as usize] * x[node as usize]).sum::<DVec3>() / whole
}

/// A piece that is drawn together turns faster, and what it was drawn together by may have been cut short: more than so many times the
/// energy that may move it does not turn with.
const TURNING: f64 = 4.0;

/// Turns a piece; `stored` is the energy that its elements gained in the step, `budget` what may move of it.
fn turn_piece(members: &[u32], motion: &Motion, stored: f64, budget: f64, v: &mut [DVec3]) {
    let Motion { mass, before, aim, x, h, .. } = *motion;
    let [old, now, meant] = [before, x, aim].map(|x| centre(members, mass, x));
    let drift = (meant - old) / h;
    let (mut wanted, mut inertia, mut energy) = (DVec3::ZERO, DMat3::ZERO, 0.0);
    let nodes = || members.iter().map(|&node| node as usize);
    for node in nodes() {
        let (was, is) = (before[node] - old, x[node] - now);
        let relative = (aim[node] - before[node]) / h - drift;
        wanted += mass[node] * was.cross(relative);
        energy += 0.5 * mass[node] * relative.length_squared();
        inertia += DMat3::from_diagonal(DVec3::splat(mass[node] * is.length_squared())) - outer(is, is, mass[node]);
    }
    // A piece that was stopped short is not where its momentum leads.
    let whole: f64 = nodes().map(|node| mass[node]).sum();
    wanted += whole * (old - now).cross(drift);
    // Particles on a line, or a single one, have no inertia about it.
    let slight = 1e-12 * (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z);
    if slight <= 0.0 {
        nodes().for_each(|node| v[node] = drift);
        return;
    }
    let inverse = (inertia + DMat3::from_diagonal(DVec3::splat(slight))).inverse();
    let spin = inverse * wanted;
    let carried: DVec3 = nodes().map(|node| mass[node] * (x[node] - now).cross(v[node])).sum();
    let found = inverse * carried;
    // What is neither drift nor spin.
    let mean = centre(members, mass, v);
    let shaking = |node: usize, v: DVec3| v - mean - found.cross(x[node] - now);
    let shaken: f64 = nodes().map(|node| 0.5 * mass[node] * shaking(node, v[node]).length_squared()).sum();
    let may_move = (budget - 0.5 * whole * drift.length_squared()).max(0.0);
    let turning = 0.5 * spin.dot(wanted);
    let most = TURNING * budget.max(0.0);
    let spin = if turning > most { spin * (most / turning).sqrt() } else { spin };
    let left = ((energy - stored).min(may_move) - turning).max(0.0);
    let kept = if shaken > left { (left / shaken).sqrt() } else { 1.0 };
    for node in nodes() {
        v[node] = drift + spin.cross(x[node] - now) + kept * shaking(node, v[node]);
    }
}
