//! Bodies and what links them, as equations: corrections of forces that add up to what is missing on every body.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

use drystone_model::{DMat3, DVec3};

use super::{ARM, Due, FADED, LEAST, ROUNDING};
use crate::graph::csr::Csr;
use crate::graph::union;
use crate::linalg::block6::{point_rows, spatial, split};
use crate::linalg::ldl::Ldl;
use crate::linalg::matrix::Mat6;

/// Most iterations. What they leave in large heaps, some billionths, goes along a tree.
const MOST_ITERATIONS: usize = 200;

/// A force and a torque; or a motion, that they act along.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wrench {
    pub force: DVec3,
    pub torque: DVec3,
}

impl Wrench {
    fn dot(self, other: Self) -> f64 {
        self.force.dot(other.force) + self.torque.dot(other.torque)
    }

    /// The same force elsewhere, `lever` away from where the torque is about.
    fn at(self, lever: DVec3) -> Self {
        Self { torque: self.torque + lever.cross(self.force), ..self }
    }
}

impl Add for Wrench {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { force: self.force + other.force, torque: self.torque + other.torque }
    }
}

impl Sub for Wrench {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { force: self.force - other.force, torque: self.torque - other.torque }
    }
}

impl Mul<f64> for Wrench {
    type Output = Self;
    fn mul(self, scale: f64) -> Self {
        Self { force: self.force * scale, torque: self.torque * scale }
    }
}

impl AddAssign for Wrench {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Wrench {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// A contact point or a joint.
#[derive(Clone, Debug, Default)]
pub(super) struct Link {
    /// Its bodies, of those that move.
    pub body: [Option<u32>; 2],
    /// Its place from their centres of mass \[m\].
    pub lever: [DVec3; 2],
    /// Force and couple on the second body beyond what was told.
    pub more: Wrench,
    /// Torques on either body without opposite.
    pub rest: [DVec3; 2],
    /// Size of the force told \[N\], and of the couple \[N·m\].
    load: f64,
    couple: f64,
    /// What a unit of motion along force and couple brings.
    weight: [f64; 2],
}

impl Link {
    /// Between bodies that move, at levers from their centres of mass \[m\].
    pub fn new(body: [Option<u32>; 2], lever: [DVec3; 2]) -> Self {
        Self { body, lever, ..Self::default() }
    }

    /// Force and couple on the second body where the bodies give way by `motion`.
    fn resist(&self, motion: &[Wrench]) -> Wrench {
        let of = |side: usize| self.body[side].map_or(Wrench::default(), |body| motion[body as usize]);
        let at = |side: usize| of(side).force + of(side).torque.cross(self.lever[side]);
        Wrench { force: (at(1) - at(0)) * self.weight[0], torque: (of(1).torque - of(0).torque) * self.weight[1] }
    }

    /// Adds what a force and couple on the second body do to both bodies.
    fn act(&self, exerted: Wrench, on: &mut [Wrench]) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if let Some(body) = self.body[side] {
                on[body as usize] += exerted.at(self.lever[side]) * sign;
            }
        }
    }

    fn reach_squared(&self) -> f64 {
        let moving = (0..2).filter(|&side| self.body[side].is_some());
        moving.map(|side| self.lever[side].length_squared()).fold(0.0, f64::max)
    }
}

/// All bodies and links.
#[derive(Debug)]
pub(super) struct Network {
    pub links: Vec<Link>,
    /// What is missing on every body.
    missing: Vec<Wrench>,
    /// Sum of the sizes of forces and of torques on every body.
    size: Vec<[f64; 2]>,
    inertia: Vec<f64>,
    centre: Vec<DVec3>,
}

/// The links that are used, and bodies they connect.
struct Island<'a> {
    bodies: &'a [u32],
    links: &'a [u32],
}

/// Scratch of the iterations, by body.
struct Scratch {
    factor: Vec<Ldl<f64, 6>>,
    solution: Vec<Wrench>,
    residual: Vec<Wrench>,
    direction: Vec<Wrench>,
    image: Vec<Wrench>,
}

impl Network {
    /// Bodies that are due something, of which links have told nothing yet.
    pub fn new(due: &[Due], links: Vec<Link>) -> Self {
        let of = |due: &Due| match due.moves {
            true => Wrench { force: due.force, torque: due.torque },
            false => Wrench::default(),
        };
        let missing: Vec<Wrench> = due.iter().map(of).collect();
        let size = missing.iter().map(|due| [due.force.length(), due.torque.length()]).collect();
        let (inertia, centre) = due.iter().map(|due| (due.inertia, due.centre)).unzip();
        Self { links, missing, size, inertia, centre }
    }

    /// Counts what a link told of: a wrench on either body, and the size of its couple.
    pub fn exert(&mut self, link: usize, (told, couple): ([Wrench; 2], f64)) {
        let link = &mut self.links[link];
        (link.load, link.couple) = (told[1].force.length(), couple);
        for (side, told) in told.into_iter().enumerate() {
            let Some(body) = link.body[side].map(|body| body as usize) else { continue };
            self.missing[body] -= told;
            self.size[body][0] += link.load;
            self.size[body][1] += told.torque.length() + link.lever[side].length() * link.load;
        }
    }

    /// Whether nothing is missing on any body that has a link.
    pub fn is_explained(&self) -> bool {
        let mut linked = self.links.iter().flat_map(|link| link.body).flatten().map(|body| body as usize);
        linked.all(|body| self.negligible(self.missing[body], body))
    }

    fn negligible(&self, Wrench { force, torque }: Wrench, body: usize) -> bool {
        let [forces, torques] = self.size[body];
        force.length() <= ROUNDING * forces && torque.length() <= ROUNDING * torques
    }

    fn all_negligible(&self, missing: &[Wrench], bodies: &[u32]) -> bool {
        bodies.iter().map(|&body| body as usize).all(|body| self.negligible(missing[body], body))
    }

    /// Spreads what is missing over the links that carried something, or over all of them.
    pub fn spread(&mut self, unloaded: bool) {
        self.weigh(unloaded);
        let used: Vec<u32> = (0..self.links.len() as u32).filter(|&link| self.used(link)).collect();
        let mut leader: Vec<u32> = (0..self.missing.len() as u32).collect();
        for &link in &used {
            if let [Some(a), Some(b)] = self.links[link as usize].body {
                union::unite(&mut leader, a, b);
            }
        }
        union::flatten(&mut leader);
        let (mut bodies, mut links, mut around) = (Csr::default(), Csr::default(), Csr::default());
        let ends = |link: u32| self.links[link as usize].body.into_iter().flatten();
        bodies.build(leader.len(), leader.iter().enumerate().map(|(body, &leader)| (leader as usize, body as u32)));
        let first = |link: u32| ends(link).next().map(|body| leader[body as usize] as usize);
        links.build(leader.len(), used.iter().filter_map(|&link| Some((first(link)?, link))));
        around.build(leader.len(), used.iter().flat_map(|&link| ends(link).map(move |body| (body as usize, link))));
        let mut scratch = Scratch::new(leader.len());
        for (bodies, links) in bodies.rows().zip(links.rows()).filter(|(_, links)| !links.is_empty()) {
            if !self.all_negligible(&self.missing, bodies) {
                self.spread_in(&Island { bodies, links }, &around, &mut scratch);
            }
        }
    }

    fn used(&self, link: u32) -> bool {
        let Link { body, weight, .. } = &self.links[link as usize];
        weight[0] > 0.0 && body.iter().any(Option::is_some)
    }

    fn weigh(&mut self, unloaded: bool) {
        for link in &mut self.links {
            let around = link.body.into_iter().flatten().map(|body| self.size[body as usize][0]).fold(0.0, f64::max);
            let used = unloaded || link.load > FADED * around;
            let weight = if used { link.load.max(LEAST * around) } else { 0.0 };
            let reach = link.reach_squared();
            link.weight = [weight, weight * ARM * ARM * reach + link.couple * reach.sqrt()];
        }
    }

    /// Spreads what is missing on the bodies of an island. What it misses as a whole no force between them explains: it stays.
    fn spread_in(&mut self, island: &Island, around: &Csr, scratch: &mut Scratch) {
        let held = island.links.iter().any(|&link| self.links[link as usize].body.contains(&None));
        let aside = if held { Vec::new() } else { self.put_aside(island.bodies) };
        // Iterations on what is nothing but rounding would lead anywhere.
        if !self.all_negligible(&self.missing, island.bodies) {
            self.iterate(island, scratch);
            self.finish_along_tree(island, around);
        }
        for (&body, share) in island.bodies.iter().zip(aside) {
            self.missing[body as usize] += share;
        }
    }

    /// Takes from the bodies of a floating island what it misses as a whole; returns the share of each.
    fn put_aside(&mut self, bodies: &[u32]) -> Vec<Wrench> {
        let bodies = || bodies.iter().map(|&body| body as usize);
        let all: f64 = bodies().map(|body| self.inertia[body]).sum();
        let middle = bodies().map(|body| self.centre[body] * self.inertia[body]).sum::<DVec3>() / all;
        let mut whole = Wrench::default();
        bodies().for_each(|body| whole += self.missing[body].at(self.centre[body] - middle));
        let share = |body: usize| whole * (self.inertia[body] / all);
        let shares: Vec<Wrench> = bodies().map(share).collect();
        bodies().zip(&shares).for_each(|(body, share)| self.missing[body] -= *share);
        shares
    }

    /// Conjugate gradients on the normal equations, which ask how bodies would give way.
    fn iterate(&mut self, island: &Island, scratch: &mut Scratch) {
        scratch.begin(self, island);
        let bodies = || island.bodies.iter().map(|&body| body as usize);
        let mut descent = scratch.precondition(island, 0.0);
        for _ in 0..MOST_ITERATIONS {
            bodies().for_each(|body| scratch.image[body] = Wrench::default());
            for link in island.links.iter().map(|&link| &self.links[link as usize]) {
                link.act(link.resist(&scratch.direction), &mut scratch.image);
            }
            let curvature: f64 = bodies().map(|body| scratch.direction[body].dot(scratch.image[body])).sum();
            let gives_way = curvature > 0.0;
            if !gives_way || self.all_negligible(&scratch.residual, island.bodies) {
                break;
            }
            let length = descent / curvature;
            for body in bodies() {
                scratch.solution[body] += scratch.direction[body] * length;
                scratch.residual[body] -= scratch.image[body] * length;
            }
            descent = scratch.precondition(island, descent);
        }
        for &link in island.links {
            let link = &mut self.links[link as usize];
            let exerted = link.resist(&scratch.solution);
            link.more += exerted;
            link.act(exerted * -1.0, &mut self.missing);
        }
    }

    /// Hands what is left from body to body, along a tree that grows from what does not move, or from the first body.
    fn finish_along_tree(&mut self, island: &Island, around: &Csr) {
        let mut by: Vec<Option<(u32, usize)>> = vec![None; self.missing.len()];
        let mut order: Vec<u32> = Vec::with_capacity(island.bodies.len());
        for &link in island.links {
            if let [Some(body), None] | [None, Some(body)] = self.links[link as usize].body
                && by[body as usize].is_none()
            {
                let side = usize::from(self.links[link as usize].body[1].is_some());
                by[body as usize] = Some((link, side));
                order.push(body);
            }
        }
        let root = order.is_empty().then(|| island.bodies[0]);
        order.extend(root);
        let mut next = 0;
        while let Some(&body) = order.get(next) {
            next += 1;
            for &link in around.row(body as usize) {
                let [Some(a), Some(b)] = self.links[link as usize].body else { continue };
                let (other, side) = if a == body { (b, 1) } else { (a, 0) };
                if by[other as usize].is_none() && Some(other) != root {
                    by[other as usize] = Some((link, side));
                    order.push(other);
                }
            }
        }
        for &body in order.iter().rev() {
            let Some((link, side)) = by[body as usize] else { continue };
            let link = &mut self.links[link as usize];
            let on = self.missing[body as usize].at(-link.lever[side]);
            let exerted = if side == 0 { on * -1.0 } else { on };
            link.more += exerted;
            link.act(exerted * -1.0, &mut self.missing);
            self.missing[body as usize] = Wrench::default();
        }
    }

    /// Tells torques that are left, of islands that float, at the link of every body that carries most.
    pub fn keep_the_rest(&mut self) {
        let mut heaviest: Vec<Option<(f64, usize, usize)>> = vec![None; self.missing.len()];
        for (place, link) in self.links.iter().enumerate() {
            for side in 0..2 {
                let Some(body) = link.body[side] else { continue };
                let best = &mut heaviest[body as usize];
                if best.is_none_or(|(load, ..)| link.load > load) {
                    *best = Some((link.load, place, side));
                }
            }
        }
        for (body, heaviest) in heaviest.into_iter().enumerate() {
            if let Some((_, link, side)) = heaviest.filter(|_| !self.negligible(self.missing[body], body)) {
                self.links[link].rest[side] += self.missing[body].torque;
            }
        }
    }
}

impl Scratch {
    fn new(bodies: usize) -> Self {
        let none = || vec![Wrench::default(); bodies];
        let factor = vec![Ldl::default(); bodies];
        Self { factor, solution: none(), residual: none(), direction: none(), image: none() }
    }

    /// Factors the block of every body and starts from no motion.
    fn begin(&mut self, network: &Network, island: &Island) {
        let mut blocks = vec![Mat6::ZERO; island.bodies.len()];
        for link in island.links.iter().map(|&link| &network.links[link as usize]) {
            for side in 0..2 {
                let Some(body) = link.body[side] else { continue };
                let block = &mut blocks[island.bodies.partition_point(|&other| other < body)];
                point_rows(link.lever[side]).iter().for_each(|row| block.add_outer(link.weight[0], row, row));
                block.add_angular(DMat3::from_diagonal(DVec3::splat(link.weight[1])));
            }
        }
        for (&body, block) in island.bodies.iter().zip(&blocks) {
            let body = body as usize;
            self.factor[body] = Ldl::semidefinite(block);
            self.residual[body] = network.missing[body];
            (self.solution[body], self.direction[body]) = Default::default();
        }
    }

    /// Next direction, given the descent of the last; returns its own.
    fn precondition(&mut self, island: &Island, last: f64) -> f64 {
        let bodies = || island.bodies.iter().map(|&body| body as usize);
        let mut descent = 0.0;
        for body in bodies() {
            let Wrench { force, torque } = self.residual[body];
            let (force, torque) = split(&self.factor[body].solve(&spatial(force, torque)));
            self.image[body] = Wrench { force, torque };
            descent += self.residual[body].dot(self.image[body]);
        }
        let carry = if last > 0.0 { descent / last } else { 0.0 };
        for body in bodies() {
            self.direction[body] = self.image[body] + self.direction[body] * carry;
        }
        descent
    }
}
