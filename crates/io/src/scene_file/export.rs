//! A model as a scene file that reads back as the very same model, bit for bit.

mod entities;
mod joints;
mod particles;

use std::collections::BTreeMap;

use drystone_model::builder::GRAVITY;
use drystone_model::{DVec3, Material, Model};

use super::error::SceneFault;
use super::json5;
use super::spec::{AttributeDefaults, MaterialSpec, SceneSettings, SceneSpec, WorldSpec};

/// Writes a model as JSON5 text, ready to be edited. Meshes are written out.
///
/// ```
/// use drystone_io::scene_file::{SceneSettings, export, no_meshes, parse};
/// let model = drystone_scenes::make("stack", &["count=3"])?.model;
/// let text = export(&model, "my stack", SceneSettings::default())?;
/// let back = parse(&text, "stack.json5".as_ref(), &no_meshes)?;
/// assert_eq!(back.model.hash(), model.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(model: &Model, name: &str, settings: SceneSettings) -> Result<String, SceneFault> {
    let mut spec = to_spec(model);
    spec.name = Some(name.to_owned());
    spec.settings = settings;
    json5::to_text(&spec)
}

/// What a scene file says about a model.
pub fn to_spec(model: &Model) -> SceneSpec {
    let mut worn = vec![Vec::new(); model.body_count()];
    for (shape, &body) in (0..).zip(&model.shape_body) {
        if let Some(shapes) = worn.get_mut(body as usize) {
            shapes.push(shape);
        }
    }
    let exporter = Exporter { model, materials: distinct_materials(model), worn };
    let mut spec = SceneSpec { materials: exporter.material_specs(), ..SceneSpec::default() };
    let wind = |world: usize| {
        let wind = model.world_wind.get(world).copied().unwrap_or_default();
        (wind != DVec3::ZERO).then(|| wind.to_array())
    };
    match model.world_gravity.as_slice() {
        [gravity] => {
            spec.gravity = (*gravity != GRAVITY).then(|| gravity.to_array());
            spec.wind = wind(0);
        }
        several => {
            let world = |(k, gravity): (usize, &DVec3)| WorldSpec { gravity: Some(gravity.to_array()), wind: wind(k) };
            spec.worlds = several.iter().enumerate().map(world).collect();
        }
    }
    exporter.add_bodies_and_shapes(&mut spec);
    exporter.add_joints(&mut spec);
    exporter.add_particles(&mut spec);
    exporter.add_attributes(&mut spec);
    spec
}

struct Exporter<'a> {
    model: &'a Model,
    /// Materials other than the default, in order of first use.
    materials: Vec<Material>,
    /// The shapes of every body.
    worn: Vec<Vec<u32>>,
}

/// Whether two numbers are the same bits: what a model's hash distinguishes.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

/// The number, unless it is what is assumed without it.
fn unless(value: f64, default: f64) -> Option<f64> {
    (!same(value, default)).then_some(value)
}

fn same_material(a: &Material, b: &Material) -> bool {
    same(a.density, b.density)
        && same(a.friction_static, b.friction_static)
        && same(a.friction_dynamic, b.friction_dynamic)
        && same(a.restitution, b.restitution)
        && same(a.stiffness, b.stiffness)
        && same(a.damping, b.damping)
        && same(a.friction_torsional, b.friction_torsional)
        && same(a.friction_rolling, b.friction_rolling)
}

fn distinct_materials(model: &Model) -> Vec<Material> {
    let mut distinct = vec![Material::default()];
    for material in &model.shape_material {
        if !distinct.iter().any(|known| same_material(known, material)) {
            distinct.push(*material);
        }
    }
    distinct.split_off(1)
}

impl Exporter<'_> {
    fn material_specs(&self) -> BTreeMap<String, MaterialSpec> {
        self.materials.iter().enumerate().map(|(k, material)| (material_name(k), material_spec(material))).collect()
    }

    /// Defaults are the value most entities start with: that of the first.
    fn add_attributes(&self, spec: &mut SceneSpec) {
        let attributes = &self.model.attributes;
        let default = |values: &Vec<f64>| values.first().copied().unwrap_or(0.0);
        let defaults = |names: &BTreeMap<String, Vec<f64>>| {
            names.iter().map(|(name, values)| (name.clone(), default(values))).collect::<BTreeMap<_, _>>()
        };
        spec.attribute_defaults = AttributeDefaults {
            body: defaults(&attributes.body),
            shape: defaults(&attributes.shape),
            joint: defaults(&attributes.joint),
        };
    }
}

/// What an entity says of attributes that differ from their defaults.
fn own_attributes(all: &BTreeMap<String, Vec<f64>>, index: usize) -> BTreeMap<String, f64> {
    let own = all.iter().filter_map(|(name, values)| {
        let value = *values.get(index)?;
        unless(value, *values.first()?).map(|value| (name.clone(), value))
    });
    own.collect()
}

fn material_name(index: usize) -> String {
    format!("material_{index}")
}

fn material_spec(material: &Material) -> MaterialSpec {
    let base = Material::default();
    let mut spec = MaterialSpec {
        density: unless(material.density, base.density),
        restitution: unless(material.restitution, base.restitution),
        stiffness: unless(material.stiffness, base.stiffness),
        damping: unless(material.damping, base.damping),
        friction_torsional: unless(material.friction_torsional, base.friction_torsional),
        friction_rolling: unless(material.friction_rolling, base.friction_rolling),
        ..MaterialSpec::default()
    };
    if same(material.friction_static, material.friction_dynamic) {
        spec.friction = unless(material.friction_static, base.friction_static);
    } else {
        spec.friction_static = Some(material.friction_static);
        spec.friction_dynamic = Some(material.friction_dynamic);
    }
    spec
}
