//! Sheets and ropes by what they are made of: Young's modulus, thickness, density.

use std::f64::consts::PI;

use drystone_geometry::DVec3;

use super::ModelBuilder;
use super::grids::ClothGrid;
use super::particles::{BendMaterial, ElementMaterial};
use crate::error::Entity;
use crate::id::ParticleId;
use crate::model::WORLD;

/// What a sheet is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetMaterial {
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio \[1\].
    pub poisson: f64,
    /// Thickness \[m\].
    pub thickness: f64,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Time over which stretching and folding are damped \[s\].
    pub damping: f64,
    /// Factor on the resistance to folding: 1 for a plate, less for what is woven.
    pub bending: f64,
}

impl SheetMaterial {
    /// A plate without damping.
    pub fn new(young: f64, poisson: f64, thickness: f64, density: f64) -> Self {
        Self { young, poisson, thickness, density, damping: 0.0, bending: 1.0 }
    }

    /// Resistance to stretch and shear, free to become thinner.
    pub fn membrane(&self) -> ElementMaterial {
        let stretch = self.young * self.thickness;
        let mu = stretch / (2.0 * (1.0 + self.poisson));
        let lambda = stretch * self.poisson / (1.0 - self.poisson * self.poisson);
        ElementMaterial { mu, lambda, damping: self.damping * (2.0 * mu + lambda) }
    }

    /// Torque per width and curvature \[N·m\].
    pub fn rigidity(&self) -> f64 {
        let plate = self.young * self.thickness * self.thickness * self.thickness;
        self.bending * plate / (12.0 * (1.0 - self.poisson * self.poisson))
    }

    /// Mass per area \[kg/m²\].
    pub fn area_density(&self) -> f64 {
        self.density * self.thickness
    }
}

/// What a rope is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeMaterial {
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Radius \[m\].
    pub radius: f64,
    /// Time over which stretching is damped \[s\].
    pub damping: f64,
}

impl ModelBuilder {
    /// Adds a sheet from points \[m\] and triangles. Its particles have half of the thickness as radius. Every fold resists like the strip of
    /// the plate that it stands for, so that refining the mesh changes nothing.
    ///
    /// ```
    /// use drystone_model::{DVec3, ModelBuilder, SheetMaterial};
    /// let mut scene = ModelBuilder::new();
    /// let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
    /// scene.add_sheet(&points, &[[0, 1, 2], [1, 3, 2]], &SheetMaterial::new(1e6, 0.3, 1e-3, 200.0));
    /// let model = scene.finalize()?;
    /// assert!((model.particle_mass.iter().sum::<f64>() - 0.2).abs() < 1e-15);
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn add_sheet(&mut self, points: &[DVec3], triangles: &[[u32; 3]], material: &SheetMaterial) -> Vec<ParticleId> {
        let (first_edge, first_triangle) =
            (self.deformable.edge_particle.len(), self.deformable.triangle_particle.len());
        let (membrane, radius) = (material.membrane(), 0.5 * material.thickness);
        let bend = BendMaterial::default();
        let ids = self.add_cloth_mesh(points, triangles, material.area_density(), radius, membrane, bend);
        self.stiffen_folds(first_edge, first_triangle, material);
        ids
    }

    /// Adds a rectangle of a material; density, stiffness and resistance to folding of the grid are not looked at.
    pub fn add_sheet_grid(&mut self, grid: &ClothGrid, material: &SheetMaterial) -> Vec<ParticleId> {
        let (first_edge, first_triangle) =
            (self.deformable.edge_particle.len(), self.deformable.triangle_particle.len());
        let (density, membrane, bend) = (material.area_density(), material.membrane(), BendMaterial::default());
        let ids = self.add_cloth_grid(&ClothGrid { density, membrane, bend, ..*grid });
        self.stiffen_folds(first_edge, first_triangle, material);
        ids
    }

    /// Gives the folds from the first one on the stiffness D L / (A₁ + A₂) of a plate of rigidity D, with the length L of the edge and
    /// the areas at its sides.
    fn stiffen_folds(&mut self, first_edge: usize, first_triangle: usize, material: &SheetMaterial) {
        let model = &mut self.deformable;
        let mut area_at = std::collections::BTreeMap::<[u32; 2], f64>::new();
        for triangle in first_triangle..model.triangle_particle.len() {
            let [a, b, c] = model.triangle_particle[triangle];
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *area_at.entry([from.min(to), from.max(to)]).or_default() += model.triangle_area[triangle];
            }
        }
        for edge in first_edge..model.edge_particle.len() {
            let [_, second, from, to] = model.edge_particle[edge];
            let area = area_at.get(&[from.min(to), from.max(to)]).copied().unwrap_or(0.0);
            if second != WORLD && area > 0.0 {
                let stiffness = material.rigidity() * model.edge_length[edge] / area;
                model.edge_material[edge] = [stiffness, material.damping * stiffness];
            }
        }
    }

    /// Adds a rope along points \[m\], cut into about `segments` springs of one length, none of them over a corner.
    pub fn add_rope(&mut self, points: &[DVec3], segments: usize, material: &RopeMaterial) -> Vec<ParticleId> {
        let way: f64 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        if !(points.len() > 1 && way > 0.0 && way.is_finite() && segments > 0) {
            let index = self.deformable.spring_particle.len();
            let problem = format!("a rope along {} points of {way} m in {segments} segments", points.len());
            self.fault(
                Entity::Spring,
                index,
                "",
                "points",
                problem,
                "give two points or more that are apart, and a segment or more",
            );
            return Vec::new();
        }
        let mut along = vec![points[0]];
        for ends in points.windows(2) {
            let share = ends[0].distance(ends[1]) / way;
            let pieces = ((share * segments as f64).round() as usize).max(1);
            along.extend((1..=pieces).map(|k| ends[0].lerp(ends[1], k as f64 / pieces as f64)));
        }
        let RopeMaterial { young, density, radius, damping } = *material;
        let section = PI * radius * radius;
        self.add_string(&along, density * section, radius, young * section, damping * young * section)
    }
}
