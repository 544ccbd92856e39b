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
use super::joints::{FileJoint, Kind, Row, merge};
use super::settings::{Settings, z_to};

/// A joint of the file: the part that moves by it, and its axis where it has one.
pub(super) struct JointAt {
    pub(super) joint: FileJoint,
    pub(super) part: usize,
    pub(super) row: Option<Row>,
    /// Whether it was refused: nothing more is said about what drives it.
    pub(super) lost: bool,
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
}

/// What stands directly in one body.
#[derive(Default)]
struct Contents<'a> {
    joints: Vec<FileJoint>,
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
        let index = self.parts.len();
        let name = match parent {
            Some(_) => element.text_of("name").unwrap_or_default().to_owned(),
            None => "world".into(),
        };
        self.parts.push(Part {
            name,
            place: element.place,
            parent,
            pose: frame * self.settings.pose(element, log),
            motion: Motion::Welded,
            mass: Default::default(),
            gravity_scale: 1.0 - element.number(log, "gravcomp").unwrap_or(0.0),
            shapes: Vec::new(),
            frames: Vec::new(),
        });
        let mut contents = Contents::default();
        self.contents(element, index, Pose::IDENTITY, class, &mut contents, log);
        self.parts[index].mass = body_mass(element, &contents.geoms, self.settings, log);
        self.joints(element, index, contents.joints, log);
        self.wear(index, contents.geoms);
        for (body, frame, class) in contents.bodies {
            self.body(body, Some(index), frame, class, log);
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
                "freejoint" => out.joints.push(FileJoint::read(child, frame, self.settings, log)),
                "joint" => {
                    let child = self.defaults.resolve(child, "joint", class, log);
                    out.joints.push(FileJoint::read(&child, frame, self.settings, log));
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

    fn joints(&mut self, element: &Element, part: usize, joints: Vec<FileJoint>, log: &mut Log) {
        let mocap = element.flag(log, "mocap") == Some(true);
        if mocap {
            self.parts[part].motion = Motion::Kinematic;
            return;
        }
        let nested = self.parts[part].parent.is_some_and(|parent| self.parts[parent].parent.is_some());
        if let Some(free) = joints.iter().find(|joint| joint.kind == Kind::Free).filter(|_| nested) {
            log.fault(free.place, "a free joint is for bodies of the world only", "move the body out of its parent");
            return;
        }
        match merge(&joints) {
            Ok((motion, rows)) => {
                self.parts[part].motion = motion;
                let mut rows = rows.into_iter();
                let at = joints.into_iter().map(|joint| JointAt { joint, part, row: rows.next(), lost: false });
                self.joints.extend(at);
            }
            Err(why) => {
                let help = "put a light body between them, with a joint each";
                log.fault(joints[0].place, format!("{}: {why}", element.called()), help);
                self.joints.extend(joints.into_iter().map(|joint| JointAt { joint, part, row: None, lost: true }));
            }
        }
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
