//! Geoms: what a body wears and weighs.

use std::sync::Arc;

use drystone_geometry::Shape;
use drystone_model::{DQuat, DVec3, MassProperties, Material, Pose, ShapeDef};

use super::super::fault::{Log, Place};
use super::super::xml::Element;
use super::super::{ImportOptions, meshes};
use super::assets::Assets;
use super::fit::{bounded, fitted};
use super::settings::{Settings, z_to};

/// A geom read.
pub(super) struct Geom {
    pub(super) name: String,
    pub(super) place: Place,
    /// In the frame of its body.
    pub(super) shape: Option<ShapeDef>,
    /// In the frame of its body; zero where it does not weigh.
    pub(super) mass: MassProperties,
    /// Its axes in the frame of the body.
    pub(super) rotation: DQuat,
    pub(super) is_mesh: bool,
    pub(super) group: f64,
    /// What it is and what it meets, as bits.
    pub(super) filter: [u32; 2],
    pub(super) condim: u32,
    pub(super) priority: f64,
}

/// What a geom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plane,
    Hfield,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
    Sdf,
}

const KINDS: &[(&str, Kind)] = &[
    ("plane", Kind::Plane),
    ("hfield", Kind::Hfield),
    ("sphere", Kind::Sphere),
    ("capsule", Kind::Capsule),
    ("ellipsoid", Kind::Ellipsoid),
    ("cylinder", Kind::Cylinder),
    ("box", Kind::Box),
    ("mesh", Kind::Mesh),
    ("sdf", Kind::Sdf),
];

/// Reads a geom whose defaults are in place; `frame` is where the element stands in its body. `paired` says whether a
/// `pair` names it: such geoms collide whatever their bits say.
pub(super) fn read(
    element: &Element,
    frame: Pose,
    paired: bool,
    settings: &Settings,
    assets: &Assets,
    options: &ImportOptions,
    log: &mut Log,
) -> Geom {
    let mesh = element.attribute("mesh");
    let kind = element.choice(log, "type", KINDS).unwrap_or(if mesh.is_some() { Kind::Mesh } else { Kind::Sphere });
    let bits = |value: Option<f64>| value.map_or(1, |value| value.max(0.0) as u32);
    let filter = ["contype", "conaffinity"].map(|name| bits(element.number(log, name)));
    let condim = element.number(log, "condim").map_or(3, |value| value.max(1.0) as u32);
    let collides = (filter != [0, 0] || paired) && !settings.disabled("contact");
    let mut geom = Geom {
        name: element.text_of("name").unwrap_or_default().to_owned(),
        place: element.place,
        shape: None,
        mass: MassProperties::ZERO,
        rotation: DQuat::IDENTITY,
        is_mesh: kind == Kind::Mesh,
        group: element.number(log, "group").unwrap_or(0.0),
        filter,
        condim,
        priority: element.number(log, "priority").unwrap_or(0.0),
    };
    check(element, collides, log);
    settings.medium.check_geom(element, log);
    let form = Form { element, kind, settings, assets };
    let Some((pose, shape)) = form.shape(collides, options, log) else { return geom };
    let pose = frame * pose;
    geom.rotation = pose.rotation;
    geom.mass = form.mass(shape.as_ref(), log).map_or(MassProperties::ZERO, |mass| mass.transformed(&pose));
    geom.shape = shape.filter(|_| collides).map(|shape| {
        let def = ShapeDef::new(shape).pose(pose).named(&geom.name).material(material(element, condim, log));
        def.margin(element.number(log, "margin").unwrap_or(0.0))
    });
    geom
}

fn check(element: &Element, collides: bool, log: &mut Log) {
    for (name, why) in [("adhesion", "sticking contacts"), ("surfacevel", "a moving surface in contact coordinates")] {
        if element.list(log, name).unwrap_or_default().iter().any(|&value| value != 0.0)
            && let Some(attribute) = element.attribute(name)
        {
            log.fault(attribute.place, format!("{}: {why} cannot be said", element.called()), "remove it");
        }
    }
    if collides && (element.attribute("solref").is_some() || element.attribute("solimp").is_some()) {
        log.note(element.place, "`solref` and `solimp` of geoms: contacts are hard");
    }
}

/// Sliding friction counts for every contact but frictionless ones, torsional from `condim` 4, rolling from 6.
fn material(element: &Element, condim: u32, log: &mut Log) -> Material {
    let given = element.list(log, "friction").unwrap_or_default();
    let friction = |index: usize, default: f64| given.get(index).copied().unwrap_or(default);
    let mut material = Material::default();
    material.set_friction(if condim >= 3 { friction(0, 1.0) } else { 0.0 });
    material.friction_torsional = if condim >= 4 { friction(1, 0.005) } else { 0.0 };
    material.friction_rolling = if condim >= 6 { friction(2, 0.0001) } else { 0.0 };
    material
}

/// A geom's geometry.
struct Form<'a> {
    element: &'a Element,
    kind: Kind,
    settings: &'a Settings,
    assets: &'a Assets,
}

impl Form<'_> {
    /// The pose and the shape; no shape for a mesh that does not collide.
    fn shape(&self, collides: bool, options: &ImportOptions, log: &mut Log) -> Option<(Pose, Option<Shape>)> {
        let element = self.element;
        let mut size = element.list(log, "size").unwrap_or_default();
        let mut pose = self.settings.pose(element, log);
        if let Some([a, b, c, d, e, f]) = element.numbers(log, "fromto") {
            let (from, to) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
            let (half, Some(along)) = (0.5 * (from - to).length(), (from - to).try_normalize()) else {
                log.fault(element.place, format!("{}: `fromto` has no length", element.called()), "give two points");
                return None;
            };
            pose = Pose::from_parts((from + to) * 0.5, z_to(along));
            match (self.kind, size.first()) {
                (Kind::Capsule | Kind::Cylinder, Some(&radius)) => size = vec![radius, half],
                // The two sides are the same, whatever a second number says.
                (Kind::Box | Kind::Ellipsoid, Some(&side)) => size = vec![side, side, half],
                _ => {}
            }
        }
        let wanted = match self.kind {
            Kind::Plane | Kind::Hfield | Kind::Mesh | Kind::Sdf => 0,
            Kind::Sphere => 1,
            Kind::Capsule | Kind::Cylinder => 2,
            Kind::Ellipsoid | Kind::Box => 3,
        };
        if wanted > 0 && element.attribute("mesh").is_some() {
            let (frame, sizes) = self.fitted(log)?;
            (pose, size) = (pose * frame, sizes);
        }
        if size.len() < wanted || size.iter().take(wanted).any(|&size| size <= 0.0) {
            let message = format!("{} needs {wanted} positive numbers in `size`", element.called());
            log.fault(element.place, message, "give half sizes in metres");
            return None;
        }
        let shape = match self.kind {
            Kind::Plane => Shape::HalfSpace,
            Kind::Sphere => Shape::Sphere { radius: size[0] },
            Kind::Capsule => Shape::Capsule { radius: size[0], half_height: size[1] },
            Kind::Cylinder => Shape::Cylinder { radius: size[0], half_height: size[1] },
            Kind::Ellipsoid => Shape::Ellipsoid { radii: DVec3::from_slice(&size) },
            Kind::Box => Shape::Box { half: DVec3::from_slice(&size) },
            Kind::Mesh if !collides => return Some((pose, None)),
            Kind::Mesh => return Some((pose, Some(self.mesh(options, log)?))),
            Kind::Hfield if !collides => return None,
            Kind::Hfield => {
                let name = element.needed(log, "hfield")?;
                let place = element.attribute("hfield")?.place;
                let terrain = self.assets.terrain(name, place, log)?.clone();
                log.note(element.place, "height fields are solid all the way down");
                Shape::Heightfield(Arc::new(terrain))
            }
            Kind::Sdf => {
                if collides {
                    let help = "use a mesh or primitive shapes";
                    let message = format!("{}: signed distance fields are not read", element.called());
                    log.fault(element.place, message, help);
                }
                return None;
            }
        };
        Some((pose, Some(shape)))
    }

    /// Where the shape fitted to the mesh is, and its sizes.
    fn fitted(&self, log: &mut Log) -> Option<(Pose, Vec<f64>)> {
        let (element, place) = (self.element, self.element.attribute("mesh")?.place);
        let mesh = self.assets.mesh(element.needed(log, "mesh")?, place, log)?;
        let scale = element.number(log, "fitscale").unwrap_or(1.0);
        match mesh.unit_mass() {
            Ok(mass) if self.settings.fit_bounds => Some(bounded(self.kind, &mass, &mesh.mesh.vertices, scale)),
            Ok(mass) => Some(fitted(self.kind, &mass, scale)),
            Err(problem) => {
                log.fault(place, format!("{}: {problem}", element.called()), "give `size` and leave `mesh` out");
                None
            }
        }
    }

    fn mesh(&self, options: &ImportOptions, log: &mut Log) -> Option<Shape> {
        let name = self.element.needed(log, "mesh")?;
        let place = self.element.attribute("mesh")?.place;
        let asset = self.assets.mesh(name, place, log)?;
        meshes::shape(&asset.mesh, options.meshes, place, log)
    }

    /// Mass in the frame of the geom.
    fn mass(&self, shape: Option<&Shape>, log: &mut Log) -> Option<MassProperties> {
        let element = self.element;
        let given = element.number(log, "mass");
        let density = element.number(log, "density").unwrap_or(1000.0);
        if matches!(self.kind, Kind::Plane | Kind::Hfield) || given == Some(0.0) || (given.is_none() && density == 0.0)
        {
            return None;
        }
        if element.flag(log, "shellinertia") == Some(true) {
            let message = format!("{}: the inertia of a shell is not computed", element.called());
            log.fault(element.place, message, "give the body an `inertial`, or remove `shellinertia`");
            return None;
        }
        let unit = match (self.kind, shape) {
            (Kind::Mesh, _) => {
                let name = element.needed(log, "mesh")?;
                self.assets.mesh(name, element.attribute("mesh")?.place, log)?.unit_mass()
            }
            (_, Some(shape)) => shape.mass_properties(1.0).map_err(|error| error.to_string()),
            _ => return None,
        };
        match unit {
            Ok(unit) => Some(unit.scaled_to_mass(given.unwrap_or(unit.mass * density))),
            Err(problem) => {
                log.fault(element.place, format!("{}: {problem}", element.called()), "give the body an `inertial`");
                None
            }
        }
    }
}
