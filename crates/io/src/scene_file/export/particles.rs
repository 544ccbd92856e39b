//! Particles and elements, with their rest shapes stated.

use drystone_model::{Model, WORLD};

use super::super::spec::{
    AttachmentSpec, EdgeSpec, FilterSpec, ParticleSpec, SceneSpec, SpringSpec, SurfaceSpec, TetrahedronSpec,
    TriangleSpec,
};
use super::entities::vector;
use super::{Exporter, same, unless};

/// How a particle rubs and whom it meets, where that is said of it.
fn surface(model: &Model, particle: usize) -> Option<SurfaceSpec> {
    let friction = model.particle_friction[particle];
    let both = friction.filter(|[sticking, sliding]| same(*sticking, *sliding)).map(|[friction, _]| friction);
    let apart = friction.filter(|_| both.is_none());
    let spec = SurfaceSpec {
        friction: both,
        friction_static: apart.map(|friction| friction[0]),
        friction_dynamic: apart.map(|friction| friction[1]),
        group: Some(model.particle_group[particle]).filter(|group| *group != 1),
        mask: Some(model.particle_mask[particle]).filter(|mask| *mask != u32::MAX),
    };
    (spec != SurfaceSpec::default()).then_some(spec)
}

impl Exporter<'_> {
    pub fn add_particles(&self, spec: &mut SceneSpec) {
        let model = self.model;
        spec.particles = (0..model.particle_count())
            .map(|k| ParticleSpec {
                position: model.particle_q[k].to_array(),
                velocity: vector(model.particle_qd[k]),
                mass: model.particle_mass[k],
                radius: unless(model.particle_radius[k], 0.0),
                surface: surface(model, k),
                world: (model.particle_world[k] > 0).then_some(model.particle_world[k]),
            })
            .collect();
        spec.filters.extend(model.particle_filter.iter().map(|&pair| FilterSpec::Particles(pair)));
        spec.springs = (0..model.spring_particle.len())
            .map(|k| SpringSpec {
                particles: model.spring_particle[k],
                length: Some(model.spring_length[k]),
                stiffness: model.spring_stiffness[k],
                damping: unless(model.spring_damping[k], 0.0),
            })
            .collect();
        spec.triangles = (0..model.triangle_particle.len())
            .map(|k| {
                let [mu, lambda, damping] = model.triangle_material[k];
                TriangleSpec {
                    particles: model.triangle_particle[k],
                    mu,
                    lambda,
                    damping: unless(damping, 0.0),
                    drag: unless(model.triangle_air[k][0], 0.0),
                    lift: unless(model.triangle_air[k][1], 0.0),
                    rest: Some(model.triangle_rest[k]),
                    area: Some(model.triangle_area[k]),
                }
            })
            .collect();
        spec.edges = (0..model.edge_particle.len())
            .map(|k| EdgeSpec {
                particles: model.edge_particle[k].map(|particle| (particle != WORLD).then_some(particle)),
                stiffness: model.edge_material[k][0],
                damping: unless(model.edge_material[k][1], 0.0),
                angle: model.edge_angle[k],
                length: model.edge_length[k],
            })
            .collect();
        spec.tetrahedra = (0..model.tet_particle.len())
            .map(|k| {
                let [mu, lambda, damping] = model.tet_material[k];
                let rest = model.tet_rest[k];
                TetrahedronSpec {
                    particles: model.tet_particle[k],
                    mu,
                    lambda,
                    damping: unless(damping, 0.0),
                    rest: Some([rest.x_axis, rest.y_axis, rest.z_axis].map(|column| column.to_array())),
                }
            })
            .collect();
        spec.attachments = (0..model.attachment_particle.len())
            .map(|k| {
                let other = model.attachment_other[k];
                let sewn_to = (other != WORLD).then_some(other);
                AttachmentSpec {
                    particle: model.attachment_particle[k],
                    body: model.body_name.get(model.attachment_body[k] as usize).cloned(),
                    point: sewn_to.is_none().then(|| model.attachment_point[k].to_array()),
                    sewn_to,
                    stiffness: unless(model.attachment_stiffness[k], f64::INFINITY),
                }
            })
            .collect();
    }
}
