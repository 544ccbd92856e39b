//! Removing particles, with the springs, triangles, edges and tetrahedra that hang on them.

use super::ModelBuilder;
use super::retain::keep;
use crate::map::IndexMap;
use crate::model::{Model, WORLD};

impl ModelBuilder {
    /// Number of particles added so far.
    pub fn particle_count(&self) -> usize {
        self.deformable.particle_q.len()
    }

    /// Drops particles that are not kept; what stays keeps its order and moves up. Springs, triangles and tetrahedra go with
    /// any of their particles. An edge goes with either end or with its last triangle; with one triangle left it is an edge of
    /// the border, there for contact and not for bending. What held a particle goes with it.
    ///
    /// ```
    /// use drystone_model::{DVec3, ModelBuilder, ParticleDef};
    /// let mut scene = ModelBuilder::new();
    /// let [a, b, c] = [0.0, 1.0, 3.0].map(|x| scene.add_particle(ParticleDef::new(DVec3::X * x, 1.0)));
    /// scene.add_spring(a, b, 10.0, 0.0);
    /// scene.add_spring(b, c, 20.0, 0.0);
    /// scene.retain_particles(&[false, true, true]);
    /// let model = scene.finalize()?;
    /// assert_eq!((model.particle_count(), &model.spring_particle[..]), (2, &[[0, 1]][..]));
    /// assert_eq!(model.spring_length, [2.0]);
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn retain_particles(&mut self, particles: &[bool]) {
        if particles.iter().all(|&kept| kept) {
            return;
        }
        let moved = IndexMap::new(particles, 0);
        let Model { particle_world, particle_q, particle_qd, particle_mass, particle_radius, .. } =
            &mut self.deformable;
        keep(particle_world, particles);
        keep(particle_q, particles);
        keep(particle_qd, particles);
        keep(particle_mass, particles);
        keep(particle_radius, particles);
        let Model { particle_friction, particle_group, particle_mask, particle_filter, .. } = &mut self.deformable;
        keep(particle_friction, particles);
        keep(particle_group, particles);
        keep(particle_mask, particles);
        renumber(particle_filter, |pair| all_of(pair, &moved));

        let Model { spring_particle, spring_length, spring_stiffness, spring_damping, .. } = &mut self.deformable;
        let springs = renumber(spring_particle, |ends| all_of(ends, &moved));
        keep(spring_length, &springs);
        keep(spring_stiffness, &springs);
        keep(spring_damping, &springs);

        let Model { triangle_particle, triangle_rest, triangle_area, triangle_material, triangle_air, .. } =
            &mut self.deformable;
        let triangles = renumber(triangle_particle, |corners| all_of(corners, &moved));
        keep(triangle_rest, &triangles);
        keep(triangle_area, &triangles);
        keep(triangle_material, &triangles);
        keep(triangle_air, &triangles);

        let Model { edge_particle, edge_angle, edge_length, edge_material, .. } = &mut self.deformable;
        let edges = renumber(edge_particle, |corners| edge_of(corners, &moved));
        keep(edge_angle, &edges);
        keep(edge_length, &edges);
        keep(edge_material, &edges);
        for (corners, angle) in edge_particle.iter().zip(edge_angle) {
            if corners[1] == WORLD {
                *angle = 0.0;
            }
        }

        let Model { tet_particle, tet_rest, tet_material, .. } = &mut self.deformable;
        let tetrahedra = renumber(tet_particle, |corners| all_of(corners, &moved));
        keep(tet_rest, &tetrahedra);
        keep(tet_material, &tetrahedra);
        self.retain_attached_particles(&moved);
    }
}

/// Replaces elements by what they are now, drops those that are gone, and says which stayed.
fn renumber<T: Copy>(elements: &mut Vec<T>, now: impl Fn(T) -> Option<T>) -> Vec<bool> {
    let moved: Vec<Option<T>> = elements.iter().map(|&element| now(element)).collect();
    *elements = moved.iter().flatten().copied().collect();
    moved.iter().map(Option::is_some).collect()
}

/// The corners of an element, if all are still there.
fn all_of<const N: usize>(corners: [u32; N], moved: &IndexMap) -> Option<[u32; N]> {
    let mut now = corners;
    for corner in &mut now {
        *corner = moved.now(*corner as usize)? as u32;
    }
    Some(now)
}

/// An edge: the corners opposite to it, then its ends. What is left of the first two comes first.
fn edge_of([first, second, from, to]: [u32; 4], moved: &IndexMap) -> Option<[u32; 4]> {
    let [from, to] = all_of([from, to], moved)?;
    let mut opposite = [first, second].into_iter().filter_map(|corner| Some(moved.now(corner as usize)? as u32));
    let first = opposite.next()?;
    Some([first, opposite.next().unwrap_or(WORLD), from, to])
}

#[cfg(test)]
mod tests {
    use drystone_geometry::{DVec3, Pose};

    use super::*;
    use crate::builder::{BendMaterial, ClothGrid, ElementMaterial, ParticleDef};

    /// A sheet without one of its corners is the sheet that would have been made without it.
    #[test]
    fn a_sheet_without_a_corner_is_one_that_never_had_it() {
        let (membrane, bend) =
            (ElementMaterial { mu: 3.0, lambda: 2.0, damping: 0.1 }, BendMaterial { stiffness: 0.5, damping: 0.0 });
        // Folded, so that angles of rest are not zero.
        let point = |index: u32| DVec3::new(f64::from(index % 3), f64::from(index / 3), 0.3 * f64::from(index % 2));
        let triangle = |corners: [u32; 3], gone: u32| {
            (!corners.contains(&gone)).then(|| corners.map(|c| if c > gone { c - 1 } else { c }))
        };
        let faces = [[0, 1, 4], [0, 4, 3], [1, 2, 4], [2, 5, 4]];
        for gone in 0..6 {
            let mut whole = ModelBuilder::new();
            let all: Vec<DVec3> = (0..6).map(point).collect();
            let ids = whole.add_cloth_mesh(&all, &faces, 0.0, 0.1, membrane, bend);
            whole.add_spring(ids[1], ids[4], 7.0, 0.2);
            let kept: Vec<bool> = (0..6).map(|index| index != gone).collect();
            whole.retain_particles(&kept);

            let mut part = ModelBuilder::new();
            let rest: Vec<DVec3> = (0..6).filter(|&index| index != gone).map(point).collect();
            let faces: Vec<[u32; 3]> = faces.into_iter().filter_map(|face| triangle(face, gone)).collect();
            let ids = part.add_cloth_mesh(&rest, &faces, 0.0, 0.1, membrane, bend);
            if gone != 1 && gone != 4 {
                let place = |index: u32| ids[(if index > gone { index - 1 } else { index }) as usize];
                part.add_spring(place(1), place(4), 7.0, 0.2);
            }
            assert_eq!(whole.finalize().unwrap(), part.finalize().unwrap(), "without particle {gone}");
        }
    }

    #[test]
    fn a_block_that_loses_all_its_particles_leaves_nothing() {
        let mut scene = ModelBuilder::new();
        let last = scene.add_particle(ParticleDef::new(DVec3::ZERO, 1.0));
        let grid = ClothGrid {
            pose: Pose::IDENTITY,
            cells: [2, 2],
            size: [0.1, 0.1],
            density: 1.0,
            radius: 0.01,
            membrane: ElementMaterial::default(),
            bend: BendMaterial::default(),
        };
        scene.add_cloth_grid(&grid);
        let kept: Vec<bool> = (0..scene.particle_count()).map(|index| index == last.built_index()).collect();
        scene.retain_particles(&kept);
        let mut alone = ModelBuilder::new();
        alone.add_particle(ParticleDef::new(DVec3::ZERO, 1.0));
        assert_eq!(scene.finalize().unwrap(), alone.finalize().unwrap());
    }
}
