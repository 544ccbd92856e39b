//! What particles remember from step to step.

use std::collections::BTreeMap;

use drystone_geometry::DVec3;
use drystone_kernels::double::elements::Sym2;
use drystone_model::ModelMap;
use serde::{Deserialize, Serialize};

use crate::step::Soft;
use crate::touch::TouchMemory;

/// Everything a step takes from the one before. Particles are in the order of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoftMemory {
    acceleration: Vec<DVec3>,
    frozen: Vec<bool>,
    /// Forces that springs carry \[N\], and stresses of sheets \[N/m\], with their particles.
    spring: Vec<([u32; 2], f64)>,
    sheet: Vec<([u32; 3], [f64; 3])>,
    /// Forces of seams \[N\], with their particles.
    seam: Vec<([u32; 2], DVec3)>,
    touch: Vec<TouchMemory>,
}

impl SoftMemory {
    /// The memory of particles.
    pub fn of(soft: &Soft) -> Self {
        let mesh = &soft.mesh;
        let here = |place: &u32| *place as usize;
        let name = |corner: u32| mesh.model[corner as usize];
        let acceleration = |place: &u32| soft.acceleration.get(*place as usize).copied().unwrap_or_default();
        let springs = soft.elements.spring_corners().zip(&soft.elements.springs);
        let sheets = soft.elements.sheet_corners().zip(&soft.elements.sheets);
        let seams = soft.elements.seam_corners().zip(&soft.elements.seams);
        Self {
            seam: seams.map(|(ends, seam)| ([name(ends[0]), name(ends[1])], seam.multiplier)).collect(),
            acceleration: mesh.here.iter().map(acceleration).collect(),
            frozen: mesh.here.iter().map(|place| soft.frozen[here(place)]).collect(),
            spring: springs.map(|(ends, spring)| ([name(ends[0]), name(ends[1])], spring.multiplier)).collect(),
            sheet: sheets
                .map(|(ends, sheet)| {
                    let Sym2 { xx, yy, xy } = sheet.multiplier;
                    ([name(ends[0]), name(ends[1]), name(ends[2])], [xx, yy, xy])
                })
                .collect(),
            touch: soft.touches.memory().to_vec(),
        }
    }

    /// Whether it is of as many particles and elements.
    pub fn fits(&self, soft: &Soft) -> bool {
        let elements = &soft.elements;
        self.acceleration.len() == soft.mesh.model.len()
            && self.frozen.len() == self.acceleration.len()
            && self.spring.len() == elements.springs.len()
            && self.sheet.len() == elements.sheets.len()
            && self.seam.len() == elements.seams.len()
    }

    /// Into particles of a model, as far as they and their elements are known.
    pub fn put_back(self, soft: &mut Soft) {
        for (particle, &place) in soft.mesh.here.iter().enumerate() {
            let place = place as usize;
            if let Some(slot) = soft.acceleration.get_mut(place) {
                *slot = self.acceleration.get(particle).copied().unwrap_or_default();
            }
            soft.frozen[place] = self.frozen.get(particle).copied().unwrap_or_default();
        }
        let springs: BTreeMap<[u32; 2], f64> = self.spring.into_iter().collect();
        let sheets: BTreeMap<[u32; 3], [f64; 3]> = self.sheet.into_iter().collect();
        let seams: BTreeMap<[u32; 2], DVec3> = self.seam.into_iter().collect();
        let name = |corner: u32| soft.mesh.model[corner as usize];
        let seam_names: Vec<[u32; 2]> =
            soft.elements.seam_corners().map(|ends| [name(ends[0]), name(ends[1])]).collect();
        for (seam, name) in soft.elements.seams.iter_mut().zip(seam_names) {
            seam.multiplier = seams.get(&name).copied().unwrap_or_default();
        }
        let spring_names: Vec<[u32; 2]> =
            soft.elements.spring_corners().map(|ends| [name(ends[0]), name(ends[1])]).collect();
        let sheet_names: Vec<[u32; 3]> =
            soft.elements.sheet_corners().map(|ends| [name(ends[0]), name(ends[1]), name(ends[2])]).collect();
        for (spring, name) in soft.elements.springs.iter_mut().zip(spring_names) {
            spring.multiplier = springs.get(&name).copied().unwrap_or_default();
        }
        for (sheet, name) in soft.elements.sheets.iter_mut().zip(sheet_names) {
            let [xx, yy, xy] = sheets.get(&name).copied().unwrap_or_default();
            sheet.multiplier = Sym2 { xx, yy, xy };
        }
        soft.touches.remember(self.touch);
    }

    /// The same for an edited model: what is gone is left out, what is new has nothing.
    pub fn edited(&self, map: &ModelMap) -> Self {
        let now = |particle: u32| map.particle.now(particle as usize).map(|now| now as u32);
        let spring = |&([a, b], load): &([u32; 2], f64)| Some(([now(a)?, now(b)?], load));
        let sheet = |&([a, b, c], load): &([u32; 3], [f64; 3])| Some(([now(a)?, now(b)?, now(c)?], load));
        let seam = |&([a, b], load): &([u32; 2], DVec3)| Some(([now(a)?, now(b)?], load));
        let mut touch: Vec<TouchMemory> = self
            .touch
            .iter()
            .filter_map(|touch| Some(TouchMemory { key: crate::contact_key::edited(touch.key, map)?, ..*touch }))
            .collect();
        touch.sort_by_key(|touch| touch.key);
        Self {
            acceleration: map.particle.carry(&self.acceleration, DVec3::ZERO),
            frozen: map.particle.carry(&self.frozen, false),
            spring: self.spring.iter().filter_map(spring).collect(),
            sheet: self.sheet.iter().filter_map(sheet).collect(),
            seam: self.seam.iter().filter_map(seam).collect(),
            touch,
        }
    }
}
