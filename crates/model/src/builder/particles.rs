//! Particles, and the springs, triangles, edges and tetrahedra between them.

use drystone_kernels::elementary::{atan2, powi};
use std::collections::BTreeMap;

use drystone_geometry::{DMat3, DVec3};

use super::ModelBuilder;
use crate::error::Entity;
use crate::id::ParticleId;
use crate::model::{Model, WORLD};

/// Height of a triangle, or of a tetrahedron, below which it counts as flat, relative to its longest
/// side: its rest shape could not be inverted without losing most digits.
const FLAT: f64 = 1e-10;

/// A particle to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleDef {
    /// Initial position, world frame \[m\].
    pub position: DVec3,
    /// Initial velocity, world frame \[m/s\].
    pub velocity: DVec3,
    /// Mass \[kg\]; zero pins it.
    pub mass: f64,
    /// Contact radius \[m\].
    pub radius: f64,
}

impl ParticleDef {
    /// A particle at rest, without extent.
    pub fn new(position: DVec3, mass: f64) -> Self {
        Self { position, velocity: DVec3::ZERO, mass, radius: 0.0 }
    }

    /// Sets the contact radius \[m\].
    pub fn radius(mut self, radius: f64) -> Self {
        self.radius = radius;
        self
    }

    /// Sets the initial velocity, world frame \[m/s\].
    pub fn velocity(mut self, velocity: DVec3) -> Self {
        self.velocity = velocity;
        self
    }
}

/// Elastic constants of triangles (per thickness: \[N/m\]) or tetrahedra (\[Pa\]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElementMaterial {
    /// μ \[N/m or Pa\].
    pub mu: f64,
    /// λ \[N/m or Pa\].
    pub lambda: f64,
    /// Damping \[N·s/m or Pa·s\].
    pub damping: f64,
}

impl ElementMaterial {
    /// The Lamé constants of a solid with the given Young's modulus \[Pa\] and Poisson's ratio \[1\].
    pub fn solid(young: f64, poisson: f64, damping: f64) -> Self {
        let mu = young / (2.0 * (1.0 + poisson));
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        Self { mu, lambda, damping }
    }

    fn to_array(self) -> [f64; 3] {
        [self.mu, self.lambda, self.damping]
    }
}

/// Resistance of a sheet to being folded along an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BendMaterial {
    /// Torque per angle and length of edge \[N·m/(rad·m)\].
    pub stiffness: f64,
    /// Torque per rate of angle and length of edge \[N·m·s/(rad·m)\].
    pub damping: f64,
}

/// How many particles and elements there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ElementCounts {
    /// Particles.
    pub particles: usize,
    /// Springs.
    pub springs: usize,
    /// Triangles.
    pub triangles: usize,
    /// Folds.
    pub edges: usize,
    /// Tetrahedra.
    pub tetrahedra: usize,
}

impl ElementCounts {
    /// How many there are of a kind; none of what is no element.
    pub fn of(&self, entity: Entity) -> usize {
        match entity {
            Entity::Particle => self.particles,
            Entity::Spring => self.springs,
            Entity::Triangle => self.triangles,
            Entity::Edge => self.edges,
            Entity::Tetrahedron => self.tetrahedra,
            _ => 0,
        }
    }
}

impl ModelBuilder {
    /// How many particles and elements there are so far.
    pub fn element_counts(&self) -> ElementCounts {
        let Model { particle_q, spring_particle, triangle_particle, edge_particle, tet_particle, .. } =
            &self.deformable;
        ElementCounts {
            particles: particle_q.len(),
            springs: spring_particle.len(),
            triangles: triangle_particle.len(),
            edges: edge_particle.len(),
            tetrahedra: tet_particle.len(),
        }
    }

    /// Where a particle starts \[m\]; nowhere if there is none.
    pub fn particle_position(&self, particle: ParticleId) -> Option<DVec3> {
        self.deformable.particle_q.get(particle.built_index()).copied()
    }

    /// Lets particles start with a velocity \[m/s\].
    pub fn launch(&mut self, particles: &[ParticleId], velocity: DVec3) {
        for particle in particles {
            if let Some(start) = self.deformable.particle_qd.get_mut(particle.built_index()) {
                *start = velocity;
            }
        }
    }

    /// Adds a particle to the current world.
    pub fn add_particle(&mut self, def: ParticleDef) -> ParticleId {
        let model = &mut self.deformable;
        let id = ParticleId(model.particle_q.len() as u32);
        model.particle_world.push(self.world);
        model.particle_q.push(def.position);
        model.particle_qd.push(def.velocity);
        model.particle_mass.push(def.mass);
        model.particle_radius.push(def.radius);
        model.particle_friction.push(None);
        model.particle_group.push(1);
        model.particle_mask.push(u32::MAX);
        id
    }

    /// Adds a spring with the present distance as rest length; stiffness \[N/m\], damping \[N·s/m\].
    pub fn add_spring(&mut self, a: ParticleId, b: ParticleId, stiffness: f64, damping: f64) {
        let index = self.deformable.spring_particle.len();
        let Some([p, q]) = self.corners(Entity::Spring, index, [a, b]) else { return };
        let model = &mut self.deformable;
        model.spring_particle.push([a.0, b.0]);
        model.spring_length.push(p.distance(q));
        model.spring_stiffness.push(stiffness);
        model.spring_damping.push(damping);
    }

    /// Adds a membrane triangle whose rest shape is the present one.
    pub fn add_triangle(&mut self, corners: [ParticleId; 3], material: ElementMaterial) {
        let index = self.deformable.triangle_particle.len();
        let Some([a, b, c]) = self.corners(Entity::Triangle, index, corners) else { return };
        let (along, other) = (b - a, c - a);
        let base = along.length();
        let height = along.cross(other).length() / base;
        let has_area = height > FLAT * base.max(other.length());
        if !has_area {
            self.refuse(Entity::Triangle, index, "it has no area", "move a corner off the line of the others");
            return;
        }
        let shear = along.dot(other) / base;
        let model = &mut self.deformable;
        model.triangle_particle.push(corners.map(u32::from));
        // Inverse of [[base, shear], [0, height]], column by column.
        model.triangle_rest.push([1.0 / base, 0.0, -shear / (base * height), 1.0 / height]);
        model.triangle_area.push(0.5 * base * height);
        model.triangle_material.push(material.to_array());
        model.triangle_air.push([0.0; 2]);
    }

    /// Lets the air push the triangles between these particles: drag along the stream and lift across it, each half the density of the
    /// air times a coefficient \[kg/m³\] (0.6 is a coefficient of one in air). Air at rest slows them; see [`ModelBuilder::wind`].
    pub fn air(&mut self, particles: &[ParticleId], drag: f64, lift: f64) {
        let among: std::collections::BTreeSet<u32> = particles.iter().map(|particle| particle.0).collect();
        let Model { triangle_particle, triangle_air, .. } = &mut self.deformable;
        let inside = |corners: &[u32; 3]| corners.iter().all(|corner| among.contains(corner));
        for (_, air) in triangle_particle.iter().zip(triangle_air).filter(|(corners, _)| inside(corners)) {
            *air = [drag, lift];
        }
    }

    /// Adds particles at points \[m\] and a spring between every two that follow each other: a string, a rope or a thread. `density` is
    /// its mass per length \[kg/m\], `stiffness` the force that would double its length \[N\], `damping` acts along it \[N·s\].
    pub fn add_string(
        &mut self,
        points: &[DVec3],
        density: f64,
        radius: f64,
        stiffness: f64,
        damping: f64,
    ) -> Vec<ParticleId> {
        let length = |k: usize| points[k].distance(points[k + 1]);
        let segments = points.len().saturating_sub(1);
        let mass = |k: usize| {
            let beside = [k.checked_sub(1), Some(k).filter(|&k| k < segments)];
            0.5 * density * beside.into_iter().flatten().map(length).sum::<f64>()
        };
        let ids: Vec<ParticleId> =
            (0..points.len()).map(|k| self.add_particle(ParticleDef::new(points[k], mass(k)).radius(radius))).collect();
        for k in 0..segments {
            if length(k) > 0.0 {
                self.add_spring(ids[k], ids[k + 1], stiffness / length(k), damping / length(k));
            } else {
                let index = self.deformable.spring_particle.len();
                self.refuse(
                    Entity::Spring,
                    index,
                    format!("points {k} and {} of a string are one", k + 1),
                    "leave one out",
                );
            }
        }
        ids
    }

    /// Adds the edges of triangles, each once, with the present fold as rest angle. Edges with one
    /// triangle get the world as second opposite corner: they are there for contact, not for bending.
    pub fn add_edges(&mut self, triangles: &[[ParticleId; 3]], material: BendMaterial) {
        for (ends, opposite) in edges_of(triangles) {
            let index = self.deformable.edge_particle.len();
            let [first, second] = match opposite[..] {
                [only] => [only, ParticleId(WORLD)],
                [one, two] => [one, two],
                _ => {
                    let problem = format!("{} triangles share the edge of particles {ends:?}", opposite.len());
                    self.refuse(Entity::Edge, index, problem, "separate the sheets that meet there");
                    continue;
                }
            };
            let inner = if second.0 == WORLD { first } else { second };
            let corners = [first, inner, ParticleId(ends[0]), ParticleId(ends[1])];
            let Some([p, q, a, b]) = self.corners(Entity::Edge, index, corners) else { continue };
            let model = &mut self.deformable;
            model.edge_particle.push([first.0, second.0, ends[0], ends[1]]);
            model.edge_angle.push(if second.0 == WORLD { 0.0 } else { fold_angle(p, q, a, b) });
            model.edge_length.push(a.distance(b));
            model.edge_material.push([material.stiffness, material.damping]);
        }
    }

    /// Adds a tetrahedron whose rest shape is the present one. Its signed
    /// volume, (b − a) × (c − a) · (d − a), must be positive; inverted and flat ones are refused.
    pub fn add_tetrahedron(&mut self, corners: [ParticleId; 4], material: ElementMaterial) {
        let index = self.deformable.tet_particle.len();
        let Some([a, b, c, d]) = self.corners(Entity::Tetrahedron, index, corners) else { return };
        let edges = DMat3::from_cols(b - a, c - a, d - a);
        let longest = edges.x_axis.length().max(edges.y_axis.length()).max(edges.z_axis.length());
        let volume = edges.determinant();
        let is_solid = volume > FLAT * powi(longest, 3);
        if !is_solid {
            let (problem, remedy) = if volume < -FLAT * powi(longest, 3) {
                ("it is inside out", "swap two of its corners")
            } else {
                ("it has no volume", "move a corner off the plane of the others")
            };
            self.refuse(Entity::Tetrahedron, index, problem, remedy);
            return;
        }
        let model = &mut self.deformable;
        model.tet_particle.push(corners.map(u32::from));
        model.tet_rest.push(edges.inverse());
        model.tet_material.push(material.to_array());
    }

    fn refuse(&mut self, entity: Entity, index: usize, problem: impl Into<String>, remedy: &str) {
        self.fault(entity, index, "", "particle", problem, remedy);
    }

    /// The positions of particles, if all exist and live in the same world.
    fn corners<const N: usize>(&mut self, entity: Entity, index: usize, ids: [ParticleId; N]) -> Option<[DVec3; N]> {
        let count = self.deformable.particle_q.len();
        if let Some(missing) = ids.iter().find(|id| id.built_index() >= count) {
            let problem = format!("particle {} does not exist", missing.0);
            self.refuse(entity, index, problem, "add particles before what connects them");
            return None;
        }
        let world = |id: ParticleId| self.deformable.particle_world[id.built_index()];
        if ids.iter().any(|&id| world(id) != world(ids[0])) {
            self.refuse(entity, index, "its particles live in different worlds", "connect particles of one world");
            return None;
        }
        Some(ids.map(|id| self.deformable.particle_q[id.built_index()]))
    }
}

/// The edges of triangles with the corners opposite to them, sorted by edge.
fn edges_of(triangles: &[[ParticleId; 3]]) -> BTreeMap<[u32; 2], Vec<ParticleId>> {
    let mut edges: BTreeMap<[u32; 2], Vec<ParticleId>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            edges.entry([from.0.min(to.0), from.0.max(to.0)]).or_default().push(opposite);
        }
    }
    edges
}

/// The angle between the normals of triangles (p, a, b) and (q, b, a), positive about a→b \[rad\].
fn fold_angle(p: DVec3, q: DVec3, a: DVec3, b: DVec3) -> f64 {
    let (one, other) = ((a - p).cross(b - p).normalize_or_zero(), (b - q).cross(a - q).normalize_or_zero());
    atan2(one.cross(other).dot((b - a).normalize_or_zero()), one.dot(other))
}
