//! Contact points of the last step and what they carried, read when the host asks.

use cubecl::prelude::*;
use drystone_collide::gpu::{CELL_WORDS, CONTACT_WORDS, PAIR_WORDS, PLACE_WORDS};
use drystone_device::DeviceError;
use drystone_model::{BodyId, BodyKind, DVec3, Model, ShapeId, WORLD};
use drystone_solve::forces::{ContactForce, ContactKey};

use super::super::layout::{DUAL_WORDS, MEMORY_WORDS, POINT_WORDS, ROW_POINTS, ROW_WORDS};
use super::Resident;

/// What the host knows of the bodies of shapes.
#[derive(Debug)]
pub struct Owners {
    /// Body of every shape.
    body: Vec<u32>,
    /// Centre of mass of the body of every shape that stands still \[m\]; none of what moves.
    still: Vec<Option<DVec3>>,
}

impl Owners {
    pub fn new(model: &Model) -> Self {
        let still = |&body: &u32| match body {
            WORLD => Some(DVec3::ZERO),
            _ if model.body_kind[body as usize] != BodyKind::Static => None,
            _ => Some(model.body_q[body as usize].transform_point(model.body_com[body as usize])),
        };
        Self { body: model.shape_body.clone(), still: model.shape_body.iter().map(still).collect() }
    }
}

fn vector(words: &[f32], at: usize) -> DVec3 {
    DVec3::new(f64::from(words[at]), f64::from(words[at + 1]), f64::from(words[at + 2]))
}

/// Where shapes and bodies were when the last step began.
struct Places {
    cell: Vec<i32>,
    place: Vec<f32>,
    frame: Vec<f32>,
}

impl Places {
    fn cell(&self, shape: usize) -> DVec3 {
        let cell = &self.cell[shape * CELL_WORDS as usize..][..3];
        DVec3::new(f64::from(cell[0]), f64::from(cell[1]), f64::from(cell[2]))
    }

    fn shape(&self, shape: usize) -> DVec3 {
        self.cell(shape) + vector(&self.place, shape * PLACE_WORDS as usize)
    }

    /// Centre of mass of the body of a shape; what moves is in the cell of its shapes.
    fn centre(&self, owners: &Owners, shape: usize) -> DVec3 {
        let body = || vector(&self.frame, owners.body[shape] as usize * PLACE_WORDS as usize);
        owners.still[shape].unwrap_or_else(|| self.cell(shape) + body())
    }
}

impl<R: Runtime> Resident<R> {
    /// Impulses of all contact points in the last step of `h` seconds, in ascending order of their shapes.
    pub fn impulses(&self, h: f64) -> Result<Vec<ContactForce>, DeviceError> {
        let (gpu, side) = (&self.gpu, self.side());
        let remembered = &self.collide.remembered[side];
        let start = remembered.start.read(gpu)?;
        let pairs = start.last().copied().unwrap_or(0) as usize;
        let words = |each: u32| pairs * each as usize;
        let pair = remembered.pair.read_first(gpu, words(PAIR_WORDS))?;
        let contact = self.collide.contact.read_first(gpu, words(CONTACT_WORDS))?;
        let row = self.row.read_first(gpu, words(ROW_WORDS))?;
        let dual = self.dual.read_first(gpu, words(DUAL_WORDS))?;
        let memory = self.memory[side].read_first(gpu, if self.tables.rolls { words(MEMORY_WORDS) } else { 0 })?;
        let places = Places {
            cell: self.collide.cell.read(gpu)?,
            place: self.collide.place.read(gpu)?,
            frame: self.frame.read(gpu)?,
        };
        let mut points = Vec::new();
        for owner in 0..self.collide.shapes.count {
            for index in start[owner] as usize..start[owner + 1] as usize {
                let [other, _, count, names] = *pair[index * PAIR_WORDS as usize..].first_chunk().unwrap_or(&[0; 4]);
                let (a, b) = (owner.min(other as usize), owner.max(other as usize));
                let (found, at_row) = (index * CONTACT_WORDS as usize, index * ROW_WORDS as usize);
                let normal = vector(&contact, found);
                let body = [a, b].map(|shape| BodyId(self.owners.body[shape]));
                let centre = [a, b].map(|shape| places.centre(&self.owners, shape));
                for lane in 0..count as usize {
                    let on = places.shape(a) + vector(&contact, found + 4 + 4 * lane);
                    let gap = f64::from(contact[found + 7 + 4 * lane]);
                    let at = at_row + (ROW_POINTS + POINT_WORDS * lane as u32) as usize;
                    let state = index * DUAL_WORDS as usize + 8 * lane;
                    // As it acted where the bodies are: the multipliers went only the share of their gain towards it.
                    let rest = 1.0 - f64::from(dual[state]);
                    let load = f64::from(row[at + 7]) + rest * f64::from(dual[state + 1]);
                    let friction = vector(&row, at + 8) + rest * vector(&dual, state + 2);
                    // Torsional and rolling friction belong to the manifold: they are told once.
                    let rolls = self.tables.rolls && lane == 0;
                    let torque = if rolls { vector(&memory, index * MEMORY_WORDS as usize + 13) } else { DVec3::ZERO };
                    let name = (names >> (8 * lane)) & 0xff;
                    let key = ContactKey { shape: [a, b].map(|shape| ShapeId(shape as u32)), feature: [0, 0, name, 0] };
                    let point = ContactForce::new(key, body, [on, on + gap * normal], normal);
                    points.push(point.pushed(h * (load * normal + friction), h * torque, centre));
                }
            }
        }
        points.sort_by_key(|point| point.key);
        Ok(points)
    }
}
