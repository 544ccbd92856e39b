//! Cloth and soft bodies: from grids and from meshes.

use drystone_geometry::fill::boundary;
use drystone_geometry::{DVec3, Pose};

use super::ModelBuilder;
use super::particles::{BendMaterial, ElementMaterial, ParticleDef};
use crate::error::Entity;
use crate::id::ParticleId;

/// A rectangular sheet in the xy plane of its pose, corner at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothGrid {
    /// Where it starts, world frame \[m\].
    pub pose: Pose,
    /// Number of squares along x and y.
    pub cells: [usize; 2],
    /// Side of the squares along x and y \[m\].
    pub size: [f64; 2],
    /// Mass per area \[kg/m²\].
    pub density: f64,
    /// Contact radius of the particles \[m\].
    pub radius: f64,
    /// Resistance to stretch and shear \[N/m\].
    pub membrane: ElementMaterial,
    /// Resistance to folding.
    pub bend: BendMaterial,
}

/// A block of cubes cut into tetrahedra, corner at the origin of its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftGrid {
    /// Where it starts, world frame \[m\].
    pub pose: Pose,
    /// Number of boxes along x, y and z.
    pub cells: [usize; 3],
    /// Sides of the boxes \[m\].
    pub size: DVec3,
    /// Mass per volume \[kg/m³\].
    pub density: f64,
    /// Contact radius of the particles \[m\].
    pub radius: f64,
    /// Elastic constants \[Pa\].
    pub material: ElementMaterial,
}

/// The five tetrahedra of a box, corners numbered x + 2y + 4z; odd boxes are mirrored so that the
/// diagonals of neighbouring faces agree.
const BOX_TETRAHEDRA: [[[usize; 4]; 5]; 2] = [
    [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 7, 2, 4]],
    [[1, 3, 0, 5], [2, 0, 3, 6], [4, 5, 0, 6], [7, 6, 3, 5], [0, 6, 5, 3]],
];

/// More cells than this would not fit into the memory of any machine this runs on.
const MOST_CELLS: usize = 1 << 28;

impl ModelBuilder {
    /// Adds a sheet and returns its particles, x fastest.
    pub fn add_cloth_grid(&mut self, grid: &ClothGrid) -> Vec<ParticleId> {
        if !self.grid_fits(&grid.cells) {
            return Vec::new();
        }
        let [columns, rows] = grid.cells;
        let mut points = Vec::with_capacity((columns + 1) * (rows + 1));
        for row in 0..=rows {
            for column in 0..=columns {
                let local = DVec3::new(column as f64 * grid.size[0], row as f64 * grid.size[1], 0.0);
                points.push(grid.pose.transform_point(local));
            }
        }
        let mut triangles = Vec::with_capacity(2 * columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let corner = (row * (columns + 1) + column) as u32;
                let above = corner + columns as u32 + 1;
                // Alternating diagonals, so that the sheet has no preferred direction.
                if (row + column) % 2 == 0 {
                    triangles.extend([[corner, corner + 1, above + 1], [corner, above + 1, above]]);
                } else {
                    triangles.extend([[corner, corner + 1, above], [corner + 1, above + 1, above]]);
                }
            }
        }
        self.add_cloth_mesh(&points, &triangles, grid.density, grid.radius, grid.membrane, grid.bend)
    }

    /// Adds a sheet from points \[m\] and triangles; each triangle gives a third of its mass
    /// (`density` \[kg/m²\] times area) to every corner.
    pub fn add_cloth_mesh(
        &mut self,
        points: &[DVec3],
        triangles: &[[u32; 3]],
        density: f64,
        radius: f64,
        membrane: ElementMaterial,
        bend: BendMaterial,
    ) -> Vec<ParticleId> {
        let particles = self.add_massless(points, radius);
        let first = self.deformable.triangle_particle.len();
        let corners: Vec<[ParticleId; 3]> =
            triangles.iter().map(|corners| corners.map(|c| nth(&particles, c))).collect();
        corners.iter().for_each(|&corners| self.add_triangle(corners, membrane));
        self.add_edges(&corners, bend);
        let model = &mut self.deformable;
        for triangle in first..model.triangle_particle.len() {
            let share = density * model.triangle_area[triangle] / 3.0;
            model.triangle_particle[triangle].iter().for_each(|&p| model.particle_mass[p as usize] += share);
        }
        particles
    }

    /// Adds a soft block and returns its particles, x fastest, then y.
    pub fn add_soft_grid(&mut self, grid: &SoftGrid) -> Vec<ParticleId> {
        if !self.grid_fits(&grid.cells) {
            return Vec::new();
        }
        let [nx, ny, nz] = grid.cells;
        let index = |x: usize, y: usize, z: usize| ((z * (ny + 1) + y) * (nx + 1) + x) as u32;
        let mut points = Vec::with_capacity((nx + 1) * (ny + 1) * (nz + 1));
        let mut tetrahedra = Vec::with_capacity(5 * nx * ny * nz);
        for z in 0..=nz {
            for y in 0..=ny {
                for x in 0..=nx {
                    points.push(grid.pose.transform_point(DVec3::new(x as f64, y as f64, z as f64) * grid.size));
                    if x < nx && y < ny && z < nz {
                        let corner = |c: usize| index(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
                        tetrahedra.extend(BOX_TETRAHEDRA[(x + y + z) % 2].map(|corners| corners.map(corner)));
                    }
                }
            }
        }
        self.add_soft_mesh(&points, &tetrahedra, grid.density, grid.radius, grid.material)
    }

    /// Adds a soft body from points \[m\] and tetrahedra; each gives a quarter of its mass
    /// (`density` \[kg/m³\] times volume) to every corner. Its surface is added as triangles without
    /// stiffness, facing outwards, for contact.
    pub fn add_soft_mesh(
        &mut self,
        points: &[DVec3],
        tetrahedra: &[[u32; 4]],
        density: f64,
        radius: f64,
        material: ElementMaterial,
    ) -> Vec<ParticleId> {
        let particles = self.add_massless(points, radius);
        let first = self.deformable.tet_particle.len();
        for corners in tetrahedra {
            self.add_tetrahedron(corners.map(|corner| nth(&particles, corner)), material);
        }
        let model = &mut self.deformable;
        for tet in first..model.tet_particle.len() {
            let share = density / (24.0 * model.tet_rest[tet].determinant());
            model.tet_particle[tet].iter().for_each(|&p| model.particle_mass[p as usize] += share);
        }
        let surface = boundary(&model.tet_particle[first..]);
        surface.into_iter().for_each(|face| self.add_triangle(face.map(ParticleId), ElementMaterial::default()));
        particles
    }

    /// Whether a grid has cells, and few enough to be meant; a fault is noted if not.
    fn grid_fits(&mut self, cells: &[usize]) -> bool {
        let count = cells.iter().try_fold(1usize, |count, &side| count.checked_mul(side));
        let fits = count.is_some_and(|count| (1..=MOST_CELLS).contains(&count));
        if !fits {
            let problem = format!("a grid of {cells:?} cells");
            let remedy = format!("give every side a cell or more, and {MOST_CELLS} in all at most");
            self.fault(Entity::Particle, self.deformable.particle_q.len(), "", "cells", problem, remedy);
        }
        fits
    }

    fn add_massless(&mut self, points: &[DVec3], radius: f64) -> Vec<ParticleId> {
        points.iter().map(|&point| self.add_particle(ParticleDef::new(point, 0.0).radius(radius))).collect()
    }

    /// Holds a particle where it is.
    pub fn pin(&mut self, particle: ParticleId) {
        if let Some(mass) = self.deformable.particle_mass.get_mut(particle.built_index()) {
            *mass = 0.0;
        }
    }
}

/// A particle by its place in a mesh; one that does not exist for a place that does not.
fn nth(particles: &[ParticleId], place: u32) -> ParticleId {
    particles.get(place as usize).copied().unwrap_or(ParticleId(u32::MAX))
}
