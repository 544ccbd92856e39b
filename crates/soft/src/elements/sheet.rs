//! Membrane triangles.

use drystone_geometry::{DMat3, DVec3};
use drystone_kernels::double::elements::Sym2;
use drystone_kernels::double::elements::membrane::{Membrane, SheetModuli};
use drystone_model::Model;

use super::{Element, Hardness, RELAXATION, here};
use crate::convert::{mat3, to_dvec3, vec3};
use crate::mesh::Mesh;

/// A triangle of cloth.
#[derive(Clone, Debug)]
pub struct Sheet {
    corners: [u32; 3],
    /// Inverse of the rest edges, `[[i00, i01], [0, i11]]` \[1/m\].
    inverse: [f64; 3],
    weight: [[f64; 2]; 3],
    area: f64,
    moduli: SheetModuli,
    /// \[N·s/m\].
    damping: f64,
    /// Stress kept from step to step \[N/m\].
    pub multiplier: Sym2,
    pub hardness: Hardness,
    before: Sym2,
    present: Membrane,
    strain: Sym2,
    elastic: Sym2,
    stress: Sym2,
    slope: SheetModuli,
    pull: Sym2,
}

/// Triangles of a model.
pub fn all(model: &Model, mesh: &Mesh) -> Vec<Sheet> {
    let stiff = |index: &usize| model.triangle_material[*index] != [0.0; 3];
    (0..model.triangle_particle.len()).filter(stiff).map(|index| sheet(model, mesh, index)).collect()
}

fn sheet(model: &Model, mesh: &Mesh, index: usize) -> Sheet {
    let [i00, _, i01, i11] = model.triangle_rest[index];
    let [mu, lambda, damping] = model.triangle_material[index];
    Sheet {
        corners: here(mesh, model.triangle_particle[index]),
        inverse: [i00, i01, i11],
        weight: [[-i00, -i01 - i11], [i00, i01], [0.0, i11]],
        area: model.triangle_area[index],
        moduli: SheetModuli::isotropic(mu, lambda),
        damping,
        multiplier: Sym2::default(),
        hardness: Hardness::WHOLE,
        before: Sym2::default(),
        present: Membrane::default(),
        strain: Sym2::default(),
        elastic: Sym2::default(),
        stress: Sym2::default(),
        slope: SheetModuli::default(),
        pull: Sym2::default(),
    }
}

impl Sheet {
    fn at(&self, x: &[DVec3]) -> Membrane {
        let [a, b, c] = self.corners.map(|corner| x[corner as usize]);
        Membrane::new(vec3(b - a), vec3(c - a), self.inverse[0], self.inverse[1], self.inverse[2])
    }

    /// Stress per strain along warp \[N/m\].
    pub fn stiffness(&self) -> f64 {
        self.moduli.warp
    }

    /// Stretch along the direction that is longest.
    pub fn stretch(&self) -> f64 {
        (1.0 + 2.0 * self.strain.largest()).sqrt() - 1.0
    }

    /// What resists the rate of strain, as moduli \[N/m\].
    fn viscous(&self, h: f64) -> SheetModuli {
        let rate = self.damping / h;
        SheetModuli { warp: rate, weft: rate, coupling: 0.0, shear: 0.5 * rate }
    }

    /// Moves the multiplier toward the elastic stress.
    pub fn update_multiplier(&mut self) {
        let off = self.elastic.add_scaled(self.multiplier, -1.0);
        self.multiplier = self.multiplier.add_scaled(off, RELAXATION);
    }
}

impl Element for Sheet {
    fn corners(&self) -> &[u32] {
        &self.corners
    }

    fn begin(&mut self, x: &[DVec3]) {
        self.before = self.at(x).strain();
    }

    fn evaluate(&mut self, x: &[DVec3], h: f64) {
        let present = self.at(x);
        let strain = present.strain();
        let moduli = self.moduli.scale(self.hardness.stiffness);
        let viscous = self.viscous(h);
        self.elastic = moduli.stress(strain).add_scaled(self.multiplier, self.hardness.multiplier);
        self.stress = self.elastic.add_scaled(viscous.stress(strain.add_scaled(self.before, -1.0)), 1.0);
        self.slope = SheetModuli {
            warp: moduli.warp + viscous.warp,
            weft: moduli.weft + viscous.weft,
            coupling: moduli.coupling,
            shear: moduli.shear + viscous.shear,
        };
        // Where a multiplier carries the load, its pull says how firm the sheet is across: the present one swings with the sweeps.
        let pull = if self.hardness.multiplier > 0.0 { self.multiplier } else { self.stress };
        self.pull = pull.positive_part();
        self.present = present;
        self.strain = strain;
    }

    fn evaluate_alone(&mut self, x: &[DVec3], h: f64) {
        self.evaluate(x, h);
        self.pull = self.stress.positive_part();
    }

    fn force(&self, corner: usize) -> DVec3 {
        let [b0, b1] = self.weight[corner];
        self.area * to_dvec3(self.present.force(self.stress, b0, b1))
    }

    fn block(&self, a: usize, b: usize) -> DMat3 {
        let ([a0, a1], [b0, b1]) = (self.weight[a], self.weight[b]);
        mat3(self.present.block(self.slope, self.pull, a0, a1, b0, b1)) * self.area
    }

    fn stored(&self, x: &[DVec3]) -> f64 {
        let strain = self.at(x).strain();
        0.5 * self.area * work(self.moduli.stress(strain), strain)
    }

    fn energy(&self, x: &[DVec3], h: f64) -> f64 {
        let strain = self.at(x).strain();
        let moved = strain.add_scaled(self.before, -1.0);
        let elastic = 0.5 * self.hardness.stiffness * work(self.moduli.stress(strain), strain);
        let kept = self.hardness.multiplier * work(self.multiplier, strain);
        self.area * (elastic + kept + 0.5 * work(self.viscous(h).stress(moved), moved))
    }
}

/// Stress times strain.
fn work(stress: Sym2, strain: Sym2) -> f64 {
    stress.xx * strain.xx + stress.yy * strain.yy + 2.0 * stress.xy * strain.xy
}
