//! Bodies, their joints, geoms and sites, depth first.

use std::collections::BTreeSet;

use drystone_model::{DVec3, Pose};

use super::super::ImportOptions;
use super::super::assembly::{Motion, Part};
use super::super::fault::Log;
use super::super::xml::Element;
use super::assets::Assets;
use super::defaults::Defaults;
use super::geom::{self, Geom};
use super::inertia::body_mass;
use super::joints::{FileJoint, Kind, Row, grouped};
use super::medium::principal_axes;
use super::settings::{Settings, z_to};

/// Share of the mass of a body that each link of its chain of joints has: the model has no bodies without mass. What it costs is
/// that share of the body's own inertia about the joints further out.
const LINK_MASS: f64 = 1e-3;

/// A joint of the file: the part that moves by it, and its axis where it has one.
pub(super) struct JointAt {
    pub(super) joint: FileJoint,
    pub(super) part: usize,
    pub(super) row: Option<Row>,
}

/// A geom that collides: whose it is, and which of its shapes.
pub(super) struct GeomAt {
    pub(super) part: usize,
    pub(super) shape: usize,
    pub(super) geom: Geom,
}

/// A site: where it is.
pub(super) struct SiteAt {
    pub(super) name: String,
    pub(super) part: usize,
    pub(super) pose: Pose,
}

/// Gives the links of chains their share of the mass of the body that hangs from them; all of them have its centre.
pub(super) fn share_mass(chains: &[(usize, usize)], parts: &mut [Part]) {
    for &(body, links) in chains {
        let mass = parts[body].mass;
        if mass.mass > 0.0 {
            let share = |share: f64| mass.scaled_to_mass(mass.mass * share);
            parts[body].mass = share(1.0 - LINK_MASS * links as f64);
            parts[body - links..body].iter_mut().for_each(|link| link.mass = share(LINK_MASS));
        }
    }
}

/// What a walk over the bodies gathers.
pub(super) struct Walk<'a> {
    pub(super) settings: &'a Settings,
    pub(super) defaults: &'a Defaults,
    pub(super) assets: &'a Assets,
    pub(super) options: &'a ImportOptions,
    /// Geoms that a `pair` names.
    pub(super) paired: BTreeSet<String>,
    /// The first is the world.
    pub(super) parts: Vec<Part>,
    pub(super) joints: Vec<JointAt>,
    pub(super) geoms: Vec<GeomAt>,
    pub(super) sites: Vec<SiteAt>,
    /// Bodies that hang from chains of links, and how many.
    pub(super) chains: Vec<(usize, usize)>,
}

/// What stands directly in one body.
#[derive(Default)]
struct Contents<'a> {
    geoms: Vec<Geom>,
    bodies: Vec<(&'a Element, Pose, Option<&'a str>)>,
}

impl Walk<'_> {
    /// Reads a body with all below it; the world first, without a parent.
    pub(super) fn body(
        &mut self,
        element: &Element,
        parent: Option<usize>,
        frame: Pose,
        class: Option<&str>,
        log: &mut Log,
    ) {
        let class = element.text_of("childclass").or(class);
        let name = match parent {
            Some(_) => element.text_of("name").unwrap_or_default().to_owned(),
            None => "world".into(),
        };
        let mut part = Part {
            name,
            place: element.place,
            parent,
            pose: frame * self.settings.pose(element, log),
            motion: Motion::Welded,
            mass: Default::default(),
            gravity_scale: 1.0 - element.number(log, "gravcomp").unwrap_or(0.0),
            drag: Vec::new(),
            shapes: Vec::new(),
            frames: Vec::new(),
        };
        let mut joints = Vec::new();
        self.file_joints(element, Pose::IDENTITY, class, &mut joints, log);
        let before = self.parts.len();
        part.motion = self.joints(element, &mut part, joints, log);
        let links = self.parts.len() - before;
        let index = self.parts.len();
        self.parts.push(part);
        let mut contents = Contents::default();
        self.contents(element, index, Pose::IDENTITY, class, &mut contents, log);
        let mass = body_mass(element, &contents.geoms, self.settings, log);
        if self.settings.medium.acts() {
            let axes = principal_axes(element, &contents.geoms, &mass, self.settings, log);
            self.parts[index].drag.extend(self.settings.medium.drag(&mass, axes));
        }
        self.parts[index].mass = mass;
        if links > 0 {
            self.chains.push((index, links));
        }
        self.wear(index, contents.geoms);
        for (body, frame, class) in contents.bodies {
            self.body(body, Some(index), frame, class, log);
        }
    }

    /// Gathers the joints of a body, which may stand in frames of it.
    fn file_joints(
        &self,
        element: &Element,
        frame: Pose,
        class: Option<&str>,
        out: &mut Vec<FileJoint>,
        log: &mut Log,
    ) {
        for child in &element.children {
            match child.name.as_str() {
                "frame" => {
                    // What is wrong with its pose is told with its other contents.
                    let pose = frame * self.settings.pose(child, &mut Log::default());
                    self.file_joints(child, pose, child.text_of("childclass").or(class), out, log);
                }
                "freejoint" => out.push(FileJoint::read(child, frame, self.settings, log)),
                "joint" => {
                    let child = self.defaults.resolve(child, "joint", class, log);
                    out.push(FileJoint::read(&child, frame, self.settings, log));
                }
                _ => {}
            }
        }
    }

    /// Gathers what stands in a body or in a frame of it.
    fn contents<'e>(
        &mut self,
        element: &'e Element,
        part: usize,
        frame: Pose,
        class: Option<&'e str>,
        out: &mut Contents<'e>,
        log: &mut Log,
    ) {
        for child in &element.children {
            match child.name.as_str() {
                "body" => out.bodies.push((child, frame, class)),
                "frame" => {
                    let pose = frame * self.settings.pose(child, log);
                    let class = child.text_of("childclass").or(class);
                    self.contents(child, part, pose, class, out, log);
                }
                "geom" => {
                    let child = self.defaults.resolve(child, "geom", class, log);
                    let paired = child.text_of("name").is_some_and(|name| self.paired.contains(name));
                    let (settings, assets, options) = (self.settings, self.assets, self.options);
                    out.geoms.push(geom::read(&child, frame, paired, settings, assets, options, log));
                }
                "site" => {
                    let child = self.defaults.resolve(child, "site", class, log);
                    self.site(&child, part, frame, log);
                }
                _ => {}
            }
        }
    }

    fn site(&mut self, element: &Element, part: usize, frame: Pose, log: &mut Log) {
        let mut pose = self.settings.pose(element, log);
        if let Some([a, b, c, d, e, f]) = element.numbers(log, "fromto") {
            let (from, to) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
            pose = Pose::from_parts((from + to) * 0.5, (from - to).try_normalize().map_or(pose.rotation, z_to));
        }
        let name = element.text_of("name").unwrap_or_default().to_owned();
        if !name.is_empty() {
            self.parts[part].frames.push((name.clone(), frame * pose));
        }
        self.sites.push(SiteAt { name, part, pose: frame * pose });
    }

    /// Puts the joints of a body in place and returns the motion of the body itself. Joints that are not one of the model hang in
    /// a chain: a link for each but the last, at the place of the body, which then hangs from the last link.
    fn joints(&mut self, element: &Element, part: &mut Part, joints: Vec<FileJoint>, log: &mut Log) -> Motion {
        if element.flag(log, "mocap") == Some(true) {
            return Motion::Kinematic;
        }
        if let Some(free) = joints.iter().find(|joint| joint.kind == Kind::Free) {
            let nested = part.parent.is_some_and(|parent| self.parts[parent].parent.is_some());
            if nested {
                log.fault(
                    free.place,
                    "a free joint is for bodies of the world only",
                    "move the body out of its parent",
                );
                return Motion::Welded;
            }
            if joints.len() > 1 {
                log.fault(free.place, "a free joint beside others on one body cannot be said", "keep one of them");
                return Motion::Welded;
            }
            part.drag.extend(free.drag());
        }
        for ball in joints.iter().filter(|joint| joint.kind == Kind::Ball && joint.damping > 0.0) {
            if joints.len() > 1 || !self.stands(part.parent) {
                let message = "`damping` of a ball joint between bodies that move cannot be said";
                log.fault(ball.place, message, "remove it, or use three hinges instead");
            } else {
                part.drag.extend(ball.drag());
            }
        }
        let groups = grouped(&joints);
        let links = groups.len().saturating_sub(1);
        if links > 0 {
            let message = "joints of one body that are not one joint of the model hang in a chain, each of whose links takes a \
                           thousandth of the mass of the body";
            log.note(element.place, message);
        }
        for (number, ((motion, rows), of_file)) in groups.into_iter().enumerate() {
            let index = self.parts.len();
            let mut rows = rows.into_iter();
            let at = of_file.iter().map(|joint| JointAt { joint: joint.clone(), part: index, row: rows.next() });
            self.joints.extend(at);
            if number == links {
                return motion;
            }
            let name = format!("{}/{}", part.name, number + 1);
            self.parts.push(Part { name, motion, drag: Vec::new(), ..part.clone() });
            (part.parent, part.pose) = (Some(index), Pose::IDENTITY);
        }
        Motion::Welded
    }

    /// Whether a part is fixed to the world.
    fn stands(&self, part: Option<usize>) -> bool {
        part.is_none_or(|part| {
            matches!(self.parts[part].motion, Motion::Welded) && self.stands(self.parts[part].parent)
        })
    }

    fn wear(&mut self, part: usize, geoms: Vec<Geom>) {
        for mut geom in geoms {
            if let Some(shape) = geom.shape.take() {
                let shapes = &mut self.parts[part].shapes;
                shapes.push((shape, geom.place));
                self.geoms.push(GeomAt { part, shape: shapes.len() - 1, geom });
            }
        }
    }
}
