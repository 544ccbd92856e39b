//! What actuators pull that is no axis of a joint: sites, ball joints, and spatial tendons.

use drystone_model::{DQuat, DVec3, Pose};

use super::super::assembly::Assembly;
use super::super::fault::Log;
use super::super::reach::{Reach, Stretch};
use super::super::xml::Element;
use super::body::{JointAt, SiteAt};
use super::defaults::Defaults;

/// What an actuator pulls, by parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Beyond {
    /// A part at a place of it, with the part that it pushes itself off from.
    Place { part: usize, pose: Pose, gear: [f64; 6], against: Option<usize> },
    /// A line: ends of its pieces, and the length of the whole per length of the piece.
    Line(Vec<([(usize, DVec3); 2], f64)>),
}

impl Beyond {
    /// The torque of a ball joint, in axes of the child, or in those that the child has where it is not turned, which is `drawn` in the
    /// parent.
    pub(super) fn ball(at: &JointAt, (parent, drawn): (usize, DQuat), in_parent: bool, gear: &[f64]) -> Self {
        let turn = |sign: f64| {
            std::array::from_fn(|k| if k < 3 { 0.0 } else { sign * gear.get(k - 3).copied().unwrap_or(0.0) })
        };
        let pose = Pose::from_parts(at.joint.anchor, DQuat::IDENTITY);
        match in_parent {
            true => {
                let pose = Pose::from_parts(DVec3::ZERO, drawn);
                Self::Place { part: parent, pose, gear: turn(-1.0), against: Some(at.part) }
            }
            false => Self::Place { part: at.part, pose, gear: turn(1.0), against: Some(parent) },
        }
    }

    /// The same by bodies.
    pub(super) fn reach(&self, assembly: &Assembly) -> Reach {
        let on = |&(part, place): &(usize, DVec3)| {
            let (body, offset) = assembly.owner[part];
            (body, offset * place)
        };
        match self {
            Self::Place { part, pose, gear, against } => {
                let (body, offset) = assembly.owner[*part];
                let against = against.map(|part| assembly.owner[part].0);
                Reach::Place { body, pose: offset * *pose, gear: *gear, against }
            }
            Self::Line(pieces) => {
                let piece = |(ends, share): &([(usize, DVec3); 2], f64)| Stretch {
                    ends: [on(&ends[0]), on(&ends[1])],
                    share: *share,
                };
                Reach::Line(pieces.iter().map(piece).collect())
            }
        }
    }
}

/// A tendon through sites.
pub(super) struct SpatialTendon {
    pub(super) name: String,
    /// Its straight pieces; none where it winds around a geom, which cannot be said.
    pub(super) line: Option<Beyond>,
    /// Bounds of what all actuators together may do.
    pub(super) actuator_range: Option<[f64; 2]>,
}

impl SpatialTendon {
    /// Reads the tendons whose sites are there; others are told of where they are tied.
    pub(super) fn read(root: &Element, defaults: &Defaults, sites: &[SiteAt], autolimits: bool) -> Vec<Self> {
        let all = root.children_named("tendon").flat_map(|group| group.children_named("spatial"));
        let read = all.filter_map(|element| {
            // What is wrong with it is told where it is tied.
            let mut log = Log::default();
            let element = defaults.resolve(element, "tendon", None, &mut log);
            let range = ["actuatorfrcrange", "actuatorfrclimited"];
            Some(Self {
                name: element.text_of("name").filter(|name| !name.is_empty())?.to_owned(),
                line: line(&element, sites, &mut log),
                actuator_range: super::joints::limited(&element, range, autolimits, &mut log),
            })
        });
        read.collect()
    }
}

/// Pieces between one site and the next; a pulley begins a branch, of which the whole counts a share.
fn line(element: &Element, sites: &[SiteAt], log: &mut Log) -> Option<Beyond> {
    let (mut pieces, mut last, mut share) = (Vec::new(), None, 1.0);
    for child in &element.children {
        match child.name.as_str() {
            "site" => {
                let name = child.text_of("site")?;
                let site = sites.iter().find(|site| site.name == name)?;
                let here = (site.part, site.pose.translation);
                if let Some(before) = last.replace(here) {
                    pieces.push(([before, here], share));
                }
            }
            "pulley" => {
                let divisor = child.number(log, "divisor").filter(|&divisor| divisor > 0.0)?;
                (last, share) = (None, 1.0 / divisor);
            }
            _ => return None,
        }
    }
    (!pieces.is_empty()).then_some(Beyond::Line(pieces))
}
