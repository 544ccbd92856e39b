//! Rods and nets of rods. Their segments are bodies `<name>/<number>`, which joints and filters may name.

use drystone_geometry::DVec3;
use drystone_model::{Material, Rod, RodDef, RodMaterial};

use super::super::json5::Step;
use super::super::spec::{MaterialRef, RodMaterialSpec};
use super::{Lowering, Path, shapes};

impl Lowering<'_> {
    pub fn add_rods(&mut self) {
        let spec = self.spec;
        for (k, rod) in spec.rods.iter().enumerate() {
            let path = vec![Step::Key("rods"), Step::Index(k)];
            let points = rod.points.iter().copied().map(DVec3::from_array).collect();
            let mut def = RodDef::new(points, rod.radius, self.rod_material(&rod.material, &path));
            def.name = rod.name.clone().unwrap_or_default();
            def.closed = rod.closed.unwrap_or(false);
            def.twist = rod.twist.unwrap_or(0.0);
            if rod.straight_at_rest.unwrap_or(false) {
                def = def.straight_at_rest();
            }
            let added = self.builder.add_rod(def);
            self.note(&added, rod.name.as_deref(), rod.world, path);
        }
        for (k, graph) in spec.rod_graphs.iter().enumerate() {
            let path = vec![Step::Key("rod_graphs"), Step::Index(k)];
            let nodes: Vec<DVec3> = graph.nodes.iter().copied().map(DVec3::from_array).collect();
            let material = self.rod_material(&graph.material, &path);
            let name = graph.name.as_deref();
            let added =
                self.builder.add_rod_graph(name.unwrap_or_default(), &nodes, &graph.segments, graph.radius, material);
            self.note(&added, name, graph.world, path);
        }
    }

    /// Remembers where the segments, their shapes and joints came from, and what they are called.
    fn note(&mut self, rod: &Rod, name: Option<&str>, world: Option<u32>, path: Path) {
        let world = self.world_at(world, &path);
        let number = self.origins.rod.len();
        let name = name.map_or_else(|| format!("rod_{number}"), str::to_owned);
        for (k, body) in rod.bodies.iter().enumerate() {
            self.body_named.entry(format!("{name}/{k}")).or_insert(body.0);
            self.origins.body.push(path.clone());
            self.body_world.push(world);
            self.origins.shape.push(path.clone());
            self.shape_world.push(world);
        }
        self.origins.joint.extend(rod.joints.iter().map(|_| path.clone()));
        self.origins.rod.push(path);
    }

    fn rod_material(&mut self, spec: &RodMaterialSpec, path: &Path) -> RodMaterial {
        let base = RodMaterial::default();
        RodMaterial {
            young: spec.young,
            poisson: spec.poisson.unwrap_or(base.poisson),
            shear: spec.shear,
            damping: spec.damping.unwrap_or(base.damping),
            surface: match &spec.surface {
                None => Material::default(),
                Some(MaterialRef::Inline(surface)) => shapes::material(surface),
                Some(MaterialRef::Name(name)) => {
                    let mut at = path.clone();
                    at.extend([Step::Key("material"), Step::Key("surface")]);
                    self.named_material(name, &at)
                }
            },
        }
    }
}
