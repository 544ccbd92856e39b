//! Shapes, those of the world and those that bodies wear, and who ignores whom.

use drystone_model::{BodyId, DVec3, Material, ParticleId, ShapeDef, ShapeId, nearest};

use super::super::json5::Step;
use super::super::spec::{FilterSpec, MaterialRef, MaterialSpec, ShapeSpec, pose};
use super::{Lowering, Path};

impl Lowering<'_> {
    /// Shapes listed by themselves come first, then those of every body in order.
    pub fn add_shapes(&mut self) {
        let spec = self.spec;
        for (k, shape) in spec.shapes.iter().enumerate() {
            let path = vec![Step::Key("shapes"), Step::Index(k)];
            let body = match &shape.body {
                None => Some(BodyId::WORLD),
                Some(name) => self.body_at(name, &below(&path, Step::Key("body"))),
            };
            if let Some(body) = body {
                self.add_shape(body, shape, path);
            }
        }
        for body in 0..self.origins.body.len() {
            let origin = self.origins.body[body].clone();
            let Some(&Step::Index(source)) = origin.last() else { continue };
            for (k, shape) in spec.bodies[source].shapes.iter().enumerate() {
                let path = below(&below(&origin, Step::Key("shapes")), Step::Index(k));
                self.check_worn(shape, &path);
                self.add_copied_shape(body, shape, path);
            }
        }
    }

    /// A name can belong to one shape only: those of copied bodies are left to the builder to name.
    fn add_copied_shape(&mut self, body: usize, shape: &ShapeSpec, path: Path) {
        let copied = self.origins.body[body].last().is_some_and(|step| match step {
            Step::Index(source) => !self.spec.bodies[*source].copies.is_empty(),
            Step::Key(_) => false,
        });
        let body = BodyId(body as u32);
        if copied && shape.name.is_some() {
            let unnamed = ShapeSpec { name: None, ..shape.clone() };
            self.add_shape(body, &unnamed, path);
        } else {
            self.add_shape(body, shape, path);
        }
    }

    fn check_worn(&mut self, shape: &ShapeSpec, path: &Path) {
        for (key, given) in [("body", shape.body.is_some()), ("world", shape.world.is_some())] {
            if given {
                let message = format!("a shape inside of a body has no `{key}` of its own");
                self.fault(&below(path, Step::Key(key)), message, "remove it, or list the shape under `shapes`");
            }
        }
    }

    fn add_shape(&mut self, body: BodyId, shape: &ShapeSpec, path: Path) {
        let material = self.material_of(shape, &path);
        let geometry = match self.meshes.geometry(&shape.geometry) {
            Ok(geometry) => geometry,
            Err((keys, message, help)) => {
                let mut at = below(&path, Step::Key("geometry"));
                at.extend(keys.into_iter().map(Step::Key));
                self.shapeless.insert(body.built_index());
                return self.fault(&at, message, help);
            }
        };
        let mut def = ShapeDef::new(geometry);
        def.name = shape.name.clone().unwrap_or_default();
        def.pose = pose(shape.position, shape.rotation);
        def.material = material;
        def.margin = shape.margin.unwrap_or(def.margin);
        def.group = shape.group.unwrap_or(def.group);
        def.mask = shape.mask.unwrap_or(def.mask);
        def.sensor = shape.sensor.unwrap_or(def.sensor);
        def.surface_velocity = shape.surface_velocity.map_or(def.surface_velocity, DVec3::from_array);
        let id = self.builder.add_shape(body, def);
        let world = match self.body_world.get(body.built_index()) {
            Some(&world) => world,
            None => self.world_at(shape.world, &path),
        };
        self.shape_world.push(world);
        let name = shape.name.clone().unwrap_or_else(|| format!("shape_{}", id.0));
        self.shape_named.entry(name).or_insert(id.0);
        self.origins.shape.push(path);
    }

    fn material_of(&mut self, shape: &ShapeSpec, path: &Path) -> Material {
        match &shape.material {
            None => Material::default(),
            Some(MaterialRef::Inline(spec)) => material(spec),
            Some(MaterialRef::Name(name)) => self.named_material(name, &below(path, Step::Key("material"))),
        }
    }

    /// The material of a name; notes a fault if there is none.
    pub fn named_material(&mut self, name: &str, path: &[Step<'static>]) -> Material {
        let known = &self.spec.materials;
        if let Some(spec) = known.get(name) {
            return material(spec);
        }
        if self.tree.get("materials").is_some_and(|materials| self.lost.lacks(materials, name)) {
            return Material::default();
        }
        let help = match nearest(name, known.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add it to `materials`, or write its properties here".to_owned(),
        };
        self.fault(path, format!("there is no material `{name}`"), help);
        Material::default()
    }

    pub fn add_filters(&mut self) {
        let spec = self.spec;
        for (k, filter) in spec.filters.iter().enumerate() {
            let path = |key, side| vec![Step::Key("filters"), Step::Index(k), Step::Key(key), Step::Index(side)];
            match filter {
                FilterSpec::Bodies([a, b]) => {
                    let a = self.body_at(a, &path("bodies", 0));
                    let b = self.body_at(b, &path("bodies", 1));
                    if let (Some(a), Some(b)) = (a, b) {
                        self.builder.filter_bodies(a, b);
                    }
                }
                FilterSpec::Particles([a, b]) => self.builder.filter_particles(&[ParticleId(*a)], &[ParticleId(*b)]),
                FilterSpec::Shapes([a, b]) => {
                    let a = self.shape_at(a, &path("shapes", 0));
                    let b = self.shape_at(b, &path("shapes", 1));
                    if let (Some(a), Some(b)) = (a, b) {
                        self.builder.filter_shapes(a, b);
                    }
                }
            }
        }
    }

    fn shape_at(&mut self, name: &str, path: &[Step<'static>]) -> Option<ShapeId> {
        if let Some(&index) = self.shape_named.get(name) {
            return Some(ShapeId(index));
        }
        if self.lost.names(name) {
            return None;
        }
        let help = match nearest(name, self.shape_named.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "give the shape a `name` and use it here".to_owned(),
        };
        self.fault(path, format!("there is no shape `{name}`"), help);
        None
    }
}

/// A path one step further.
pub fn below(path: &Path, step: Step<'static>) -> Path {
    let mut path = path.clone();
    path.push(step);
    path
}

/// The material a specification stands for.
pub fn material(spec: &MaterialSpec) -> Material {
    let base = Material::default();
    let friction = spec.friction;
    Material {
        density: spec.density.unwrap_or(base.density),
        friction_static: spec.friction_static.or(friction).unwrap_or(base.friction_static),
        friction_dynamic: spec.friction_dynamic.or(friction).unwrap_or(base.friction_dynamic),
        restitution: spec.restitution.unwrap_or(base.restitution),
        stiffness: spec.stiffness.unwrap_or(base.stiffness),
        damping: spec.damping.unwrap_or(base.damping),
        friction_torsional: spec.friction_torsional.unwrap_or(base.friction_torsional),
        friction_rolling: spec.friction_rolling.unwrap_or(base.friction_rolling),
    }
}
