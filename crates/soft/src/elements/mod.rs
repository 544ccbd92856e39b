//! What lies between particles: the state of every element where the particles are, and the rows it gives to the matrix.

mod fold;
mod incidence;
mod seam;
mod sheet;
mod solid;
mod spring;

use drystone_geometry::{DMat3, DVec3};
use drystone_model::Model;
use drystone_solve::parallel;

use crate::matrix::Matrix;
use crate::mesh::Mesh;
use fold::Fold;
use incidence::Incidence;
use seam::Seam;
use sheet::Sheet;
use solid::Solid;
use spring::Spring;

/// What an element tells of itself.
trait Element: Send + Sync {
    /// Its particles.
    fn corners(&self) -> &[u32];
    /// Notes its shape at the start of a step.
    fn begin(&mut self, x: &[DVec3]);
    /// Works out its state where the particles are, in a step of `h` seconds.
    fn evaluate(&mut self, x: &[DVec3], h: f64);
    /// The same, as firm across as the present load makes it.
    fn evaluate_alone(&mut self, x: &[DVec3], h: f64) {
        self.evaluate(x, h);
    }
    /// Force on a corner in the state worked out \[N\].
    fn force(&self, corner: usize) -> DVec3;
    /// Block between two corners in the state worked out \[N/m\].
    fn block(&self, a: usize, b: usize) -> DMat3;
    /// Energy that it stores where the particles are \[J\].
    fn stored(&self, x: &[DVec3]) -> f64;
    /// Energy where the particles are, with that of multipliers and of what is damped \[J\].
    fn energy(&self, x: &[DVec3], h: f64) -> f64;
}

/// The elements of a model, and where each stands in the rows of its particles.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    pub(crate) springs: Vec<Spring>,
    pub(crate) sheets: Vec<Sheet>,
    folds: Vec<Fold>,
    solids: Vec<Solid>,
    pub(crate) seams: Vec<Seam>,
    /// Where the incidences of each row start.
    start: Vec<u32>,
    incidences: Vec<Incidence>,
}

impl Elements {
    /// The elements of a model, over the particles of a mesh and the rows of a matrix.
    pub fn new(model: &Model, mesh: &Mesh, matrix: &Matrix) -> Self {
        let mut elements = Self {
            springs: spring::all(model, mesh),
            sheets: sheet::all(model, mesh),
            folds: fold::all(model, mesh),
            solids: solid::all(model, mesh),
            seams: seam::all(model, mesh),
            ..Self::default()
        };
        (elements.start, elements.incidences) = incidence::of(&elements, mesh.free, matrix);
        elements
    }

    /// Notes the shapes at the start of a step.
    pub fn begin(&mut self, x: &[DVec3]) {
        begin_all(&mut self.springs, x);
        begin_all(&mut self.sheets, x);
        begin_all(&mut self.folds, x);
        begin_all(&mut self.solids, x);
        begin_all(&mut self.seams, x);
    }

    /// Works out the state of every element where the particles are.
    pub fn evaluate(&mut self, x: &[DVec3], h: f64) {
        evaluate_all(&mut self.springs, x, h);
        evaluate_all(&mut self.sheets, x, h);
        evaluate_all(&mut self.folds, x, h);
        evaluate_all(&mut self.solids, x, h);
        evaluate_all(&mut self.seams, x, h);
    }

    /// Adds the blocks of the elements at a particle to its row, from the diagonal on.
    pub fn add_row(&self, row: usize, blocks: &mut [DMat3]) {
        for at in &self.incidences[self.start[row] as usize..self.start[row + 1] as usize] {
            let index = at.element as usize;
            match at.kind {
                incidence::Kind::Spring => at.add(&self.springs[index], blocks),
                incidence::Kind::Sheet => at.add(&self.sheets[index], blocks),
                incidence::Kind::Fold => at.add(&self.folds[index], blocks),
                incidence::Kind::Solid => at.add(&self.solids[index], blocks),
                incidence::Kind::Seam => at.add(&self.seams[index], blocks),
            }
        }
    }

    /// Adds minus the forces of the elements at a particle.
    pub fn add_forces(&self, row: usize, gradient: &mut DVec3) {
        for at in &self.incidences[self.start[row] as usize..self.start[row + 1] as usize] {
            let index = at.element as usize;
            *gradient -= match at.kind {
                incidence::Kind::Spring => self.springs[index].force(at.corner()),
                incidence::Kind::Sheet => self.sheets[index].force(at.corner()),
                incidence::Kind::Fold => self.folds[index].force(at.corner()),
                incidence::Kind::Solid => self.solids[index].force(at.corner()),
                incidence::Kind::Seam => self.seams[index].force(at.corner()),
            };
        }
    }

    /// Force of the elements at a particle with all particles at `x` \[N\], and how it grows against a motion of that one \[N/m\].
    pub fn at_row(&self, row: usize, x: &[DVec3], h: f64) -> (DVec3, DMat3) {
        let mut sum = (DVec3::ZERO, DMat3::ZERO);
        for at in &self.incidences[self.start[row] as usize..self.start[row + 1] as usize] {
            let index = at.element as usize;
            let (force, block) = match at.kind {
                incidence::Kind::Spring => at.alone(&self.springs[index], x, h),
                incidence::Kind::Sheet => at.alone(&self.sheets[index], x, h),
                incidence::Kind::Fold => at.alone(&self.folds[index], x, h),
                incidence::Kind::Solid => at.alone(&self.solids[index], x, h),
                incidence::Kind::Seam => at.alone(&self.seams[index], x, h),
            };
            sum.0 += force;
            sum.1 += block;
        }
        sum
    }

    /// Particles of every spring.
    pub fn spring_corners(&self) -> impl Iterator<Item = &[u32]> {
        self.springs.iter().map(Element::corners)
    }

    /// Particles of every sheet.
    pub fn sheet_corners(&self) -> impl Iterator<Item = &[u32]> {
        self.sheets.iter().map(Element::corners)
    }

    /// Particles of every seam.
    pub fn seam_corners(&self) -> impl Iterator<Item = &[u32]> {
        self.seams.iter().map(Element::corners)
    }

    /// Energy of all elements where the particles are \[J\].
    pub fn energy(&self, x: &[DVec3], h: f64) -> f64 {
        let elastic = sum(&self.springs, x, h) + sum(&self.sheets, x, h);
        elastic + sum(&self.folds, x, h) + sum(&self.solids, x, h) + sum(&self.seams, x, h)
    }

    /// Calls `each` with the corners of every element and its energy where the particles are, with that of multipliers and of what is
    /// damped \[J\]; `list` is room to work in.
    pub fn each_energy(&self, x: &[DVec3], h: f64, list: &mut Vec<f64>, mut each: impl FnMut(&[u32], f64)) {
        told(&self.springs, list, |spring| spring.energy(x, h), &mut each);
        told(&self.sheets, list, |sheet| sheet.energy(x, h), &mut each);
        told(&self.folds, list, |fold| fold.energy(x, h), &mut each);
        told(&self.solids, list, |solid| solid.energy(x, h), &mut each);
        told(&self.seams, list, |seam| seam.energy(x, h), &mut each);
    }

    /// Energy that all elements store where the particles are \[J\]: nothing of multipliers and damping.
    pub fn stored_energy(&self, x: &[DVec3]) -> f64 {
        let mut whole = 0.0;
        self.each_stored(x, |_, energy| whole += energy);
        whole
    }

    /// Calls `each` with a corner of every element and the energy that it stores \[J\].
    pub fn each_stored(&self, x: &[DVec3], mut each: impl FnMut(u32, f64)) {
        stored(&self.springs, x, &mut each);
        stored(&self.sheets, x, &mut each);
        stored(&self.folds, x, &mut each);
        stored(&self.solids, x, &mut each);
    }

    /// Moves the multipliers toward the forces of the state worked out.
    pub fn update_multipliers(&mut self) {
        parallel::each(&mut self.springs, |_, spring| spring.update_multiplier());
        parallel::each(&mut self.sheets, |_, sheet| sheet.update_multiplier());
        parallel::each(&mut self.seams, |_, seam| seam.update_multiplier());
    }

    /// Forgets the loads that multipliers carry.
    pub fn forget(&mut self) {
        self.springs.iter_mut().for_each(|spring| spring.multiplier = 0.0);
        self.sheets.iter_mut().for_each(|sheet| sheet.multiplier = Default::default());
        self.seams.iter_mut().for_each(|seam| seam.multiplier = DVec3::ZERO);
    }

    /// Largest and mean stretch of springs, sheets and tetrahedra along their longest direction in the state worked out, as a share of rest;
    /// the mean counts what is shorter like what is longer. None if there are no such elements.
    pub fn strain(&self) -> Option<[f64; 2]> {
        let springs = strain(self.springs.len(), |i| self.springs[i].stretch());
        let sheets = strain(self.sheets.len(), |i| self.sheets[i].stretch());
        let solids = strain(self.solids.len(), |i| self.solids[i].stretch());
        let count = self.springs.len() + self.sheets.len() + self.solids.len();
        let largest = springs[0].max(sheets[0]).max(solids[0]);
        (count > 0).then(|| [largest, (springs[1] + sheets[1] + solids[1]) / count as f64])
    }

    /// Tetrahedra that are inside out in the state worked out.
    pub fn inverted(&self) -> usize {
        self.solids.iter().filter(|solid| solid.is_inverted()).count()
    }
}

/// Largest stretch of so many elements, and the sum of all without sign, added up in their order.
fn strain(count: usize, stretch: impl Fn(usize) -> f64 + Sync) -> [f64; 2] {
    let pieces = parallel::of_pieces(count, |range| {
        range.map(&stretch).fold([0.0_f64; 2], |[largest, sum], own| [largest.max(own), sum + own.abs()])
    });
    pieces.into_iter().fold([0.0; 2], |[largest, sum], [other, added]| [largest.max(other), sum + added])
}

fn begin_all<E: Element>(elements: &mut [E], x: &[DVec3]) {
    parallel::each(elements, |_, element| element.begin(x));
}

fn evaluate_all<E: Element>(elements: &mut [E], x: &[DVec3], h: f64) {
    parallel::each(elements, |_, element| element.evaluate(x, h));
}

fn sum<E: Element>(elements: &[E], x: &[DVec3], h: f64) -> f64 {
    elements.iter().map(|element| element.energy(x, h)).sum()
}

/// Works a figure out of every element, on threads, and tells them in order.
fn told<E: Element>(
    elements: &[E],
    list: &mut Vec<f64>,
    of: impl Fn(&E) -> f64 + Sync,
    each: &mut impl FnMut(&[u32], f64),
) {
    list.clear();
    list.resize(elements.len(), 0.0);
    parallel::each(list, |index, figure| *figure = of(&elements[index]));
    elements.iter().zip(list).for_each(|(element, figure)| each(element.corners(), *figure));
}

fn stored<E: Element>(elements: &[E], x: &[DVec3], each: &mut impl FnMut(u32, f64)) {
    elements.iter().for_each(|element| each(element.corners()[0], element.stored(x)));
}

/// The particles of an element by the mesh's index.
fn here<const N: usize>(mesh: &Mesh, particles: [u32; N]) -> [u32; N] {
    particles.map(|particle| mesh.here[particle as usize])
}

/// The share of a penalty that acts beside a stiffness, and the share of a multiplier: `θ/(1+θ)` and `1/(1+θ)` for the penalty
/// `θ` times the stiffness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hardness {
    /// Share of the stiffness that acts at once.
    pub stiffness: f64,
    /// Share of the multiplier.
    pub multiplier: f64,
}

impl Hardness {
    /// All of the stiffness, no multiplier.
    pub const WHOLE: Self = Self { stiffness: 1.0, multiplier: 0.0 };

    /// A penalty beside a stiffness \[N/m\], which may be infinite.
    pub fn new(penalty: f64, stiffness: f64) -> Self {
        Self { stiffness: penalty / (stiffness + penalty), multiplier: stiffness / (stiffness + penalty) }
    }
}

/// How far a multiplier moves toward its force in an update.
pub(crate) const RELAXATION: f64 = 0.6;
