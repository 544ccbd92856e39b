//! How firm the penalties beside multipliers are: by the mass of the piece they hold, so that it falls no further in a step than it
//! would without them.

use drystone_model::{BodyKind, Model, WORLD};
use drystone_solve::graph::union::{flatten, unite};

use crate::elements::{Elements, Hardness};
use crate::mesh::Mesh;

/// Strain that a multiplier answers by itself: it also sets how firm the penalty is.
const STRAIN: f64 = 0.02;
/// Stiffness over penalty from which on a multiplier carries the load. Below, the stiffness alone does.
const STIFF: f64 = 10.0;

/// Mass and shape of every connected piece.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// Piece of every spring, of every sheet and of every seam.
    of_spring: Vec<u32>,
    of_sheet: Vec<u32>,
    of_seam: Vec<u32>,
    /// Mass times length over width \[kg\].
    held: Vec<f64>,
}

impl Pieces {
    /// The pieces of a mesh.
    pub fn new(model: &Model, mesh: &Mesh, elements: &Elements) -> Self {
        let count = mesh.model.len();
        let leader = leaders(mesh);
        let mass = tied_masses(model, mesh, &leader);
        let mut nodes = vec![0u32; count];
        let mut edges = vec![(0.0, 0u32); count];
        for (node, &piece) in leader.iter().enumerate() {
            let piece = piece as usize;
            nodes[piece] += 1;
            for &other in &mesh.neighbours[node] {
                edges[piece].0 += mesh.rest[node].distance(mesh.rest[other as usize]);
                edges[piece].1 += 1;
            }
        }
        let reach = reach(mesh, &leader);
        let held = |piece: usize| {
            let (sum, count) = edges[piece];
            let edge = sum / f64::from(count.max(1));
            let area = f64::from(nodes[piece]) * edge * edge;
            let slender = if area > 0.0 { (reach[piece] * reach[piece] / area).max(1.0) } else { 1.0 };
            mass[piece] * slender
        };
        let free_piece = |corners: &[u32]| {
            corners.iter().find(|&&corner| (corner as usize) < mesh.free).map_or(0, |&corner| leader[corner as usize])
        };
        Self {
            of_spring: elements.spring_corners().map(free_piece).collect(),
            of_sheet: elements.sheet_corners().map(free_piece).collect(),
            of_seam: elements.seam_corners().map(free_piece).collect(),
            held: (0..count).map(held).collect(),
        }
    }

    /// Sets the penalties of a step of `h` seconds.
    pub fn harden(&self, elements: &mut Elements, h: f64) {
        for (spring, &piece) in elements.springs.iter_mut().zip(&self.of_spring) {
            let penalty = (self.held[piece as usize] / (h * h)).max(spring.multiplier.abs() / (STRAIN * spring.rest()));
            spring.hardness = hardness(penalty, spring.stiffness);
        }
        for (sheet, &piece) in elements.sheets.iter_mut().zip(&self.of_sheet) {
            let penalty = (self.held[piece as usize] / (h * h)).max(sheet.multiplier.norm() / STRAIN);
            sheet.hardness = hardness(penalty, sheet.stiffness());
        }
        for (seam, &piece) in elements.seams.iter_mut().zip(&self.of_seam) {
            let load = seam.multiplier.length() / (STRAIN * seam.edge);
            seam.penalty = (self.held[piece as usize] / (h * h)).max(load);
        }
    }
}

/// Mass of every piece, by the particle that leads it, with the bodies that hold it and move by forces \[kg\].
pub fn tied_masses(model: &Model, mesh: &Mesh, leader: &[u32]) -> Vec<f64> {
    let mut mass = vec![0.0; leader.len()];
    for (node, &piece) in leader.iter().enumerate() {
        mass[piece as usize] += model.particle_mass[mesh.model[node] as usize];
    }
    let moves = |body: u32| body != WORLD && model.body_kind[body as usize] == BodyKind::Dynamic;
    let holders = model.attachment_particle.iter().zip(&model.attachment_body).filter(|&(_, &body)| moves(body));
    let piece = |particle: u32| leader[mesh.here[particle as usize] as usize];
    let mut held: Vec<[u32; 2]> = holders.map(|(&particle, &body)| [piece(particle), body]).collect();
    held.sort_unstable();
    held.dedup();
    held.into_iter().for_each(|[piece, body]| mass[piece as usize] += model.body_mass[body as usize]);
    mass
}

/// The first particle of the piece that every particle belongs to. A pinned one does not make one piece of those that hang on it.
pub fn leaders(mesh: &Mesh) -> Vec<u32> {
    let mut leader: Vec<u32> = (0..mesh.model.len() as u32).collect();
    for (a, others) in (0..).zip(&mesh.neighbours).take(mesh.free) {
        others.iter().filter(|&&b| (b as usize) < mesh.free).for_each(|&b| unite(&mut leader, a, b));
    }
    flatten(&mut leader);
    leader
}

fn hardness(penalty: f64, stiffness: f64) -> Hardness {
    if stiffness > STIFF * penalty { Hardness::new(penalty, stiffness) } else { Hardness::WHOLE }
}

/// How far the particles of every piece are from what is pinned, along edges; without pins, from its first particle, halved.
fn reach(mesh: &Mesh, leader: &[u32]) -> Vec<f64> {
    let count = leader.len();
    let mut far = vec![f64::INFINITY; count];
    let mut queue = std::collections::BinaryHeap::new();
    let mut pinned = vec![false; count];
    for node in 0..mesh.free {
        let near = mesh.neighbours[node].iter().filter(|&&other| other as usize >= mesh.free);
        let nearest =
            near.map(|&other| mesh.rest[node].distance(mesh.rest[other as usize])).fold(f64::INFINITY, f64::min);
        if nearest.is_finite() {
            pinned[leader[node] as usize] = true;
            far[node] = nearest;
            queue.push((Near(nearest), node as u32));
        }
    }
    for node in (0..mesh.free).filter(|&node| leader[node] as usize == node && !pinned[node]) {
        far[node] = 0.0;
        queue.push((Near(0.0), node as u32));
    }
    while let Some((Near(distance), node)) = queue.pop() {
        if distance > far[node as usize] {
            continue;
        }
        for &other in mesh.neighbours[node as usize].iter().filter(|&&other| (other as usize) < mesh.free) {
            let through = distance + mesh.rest[node as usize].distance(mesh.rest[other as usize]);
            if through < far[other as usize] {
                far[other as usize] = through;
                queue.push((Near(through), other));
            }
        }
    }
    let mut reach = vec![0.0; count];
    for node in 0..mesh.free {
        let piece = leader[node] as usize;
        let share = if pinned[piece] { 1.0 } else { 0.5 };
        reach[piece] = f64::max(reach[piece], share * far[node]);
    }
    reach
}

/// A distance; the nearest is the greatest, so that it comes first.
#[derive(PartialEq)]
struct Near(f64);

impl Eq for Near {}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.0.total_cmp(&self.0)
    }
}
