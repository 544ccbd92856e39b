//! Rods and cables as capsule segments joined elastically.

use std::f64::consts::PI;

use drystone_geometry::{DQuat, DVec3, Pose, Shape};

use super::rods::{Rod, RodDef, RodMaterial, RodRest};
use super::{BodyDef, JointDef, ModelBuilder, ShapeDef, frames};
use crate::error::Entity;
use crate::id::{BodyId, JointId};
use crate::joint::JointKind;
use crate::kinematics::rotation::{exp, log};

/// A straight piece from `start` to `end`.
struct Segment {
    body: BodyId,
    pose: Pose,
    length: f64,
}

impl ModelBuilder {
    /// Adds a rod: one body per segment, elastic joints between, the last to the first if closed.
    /// Cross-section frames are carried along without twist, plus the twist asked for. Segments too
    /// near along the rod to touch do not collide. A rod that makes no sense adds nothing, and
    /// `finalize` says why.
    pub fn add_rod(&mut self, def: RodDef) -> Rod {
        let ends: Vec<[DVec3; 2]> = match (def.points.as_slice(), def.closed) {
            ([first, .., last], true) => {
                def.points.windows(2).map(|pair| [pair[0], pair[1]]).chain([[*last, *first]]).collect()
            }
            (points, _) => points.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
        };
        let enough = if def.closed { 3 } else { 1 };
        if ends.len() < enough || !def.twist.is_finite() {
            let problem = format!("{} points and a twist of {}", def.points.len(), def.twist);
            return self.refuse_rod(&def.name, problem, "give two points or more, three if closed, a finite twist");
        }
        let Some(name) = self.accept_rod(&def.name, &ends, def.radius, &def.material) else { return Rod::default() };
        let frames = carried_frames(&ends, def.closed, def.twist);
        let segments = self.add_segments(&name, &ends, &frames, def.radius, &def.material);
        let joint_count = if def.closed { segments.len() } else { segments.len() - 1 };
        let joints: Vec<JointId> = (0..joint_count)
            .map(|index| {
                let (one, next) = (&segments[index], &segments[(index + 1) % segments.len()]);
                let wrapped = if index + 1 == segments.len() { def.twist } else { 0.0 };
                let joint = rod_joint(one, next, wrapped, &def);
                self.add_joint(joint.named(format!("{name}/joint_{index}")))
            })
            .collect();
        self.filter_neighbours(&segments, def.closed, def.radius);
        Rod { bodies: segments.iter().map(|segment| segment.body).collect(), joints }
    }

    /// Adds rods that meet: a segment per edge (from its first node to its second), joined at every
    /// node to the first segment there, loops closed, the rest shape as built. Segments that share a
    /// node do not collide. A graph that makes no sense adds nothing, and `finalize` says why.
    pub fn add_rod_graph(
        &mut self,
        name: &str,
        nodes: &[DVec3],
        edges: &[[u32; 2]],
        radius: f64,
        material: RodMaterial,
    ) -> Rod {
        if let Some(edge) = edges.iter().find(|edge| edge.iter().any(|&node| node as usize >= nodes.len())) {
            let problem = format!("edge {edge:?} names a node beyond the {} given", nodes.len());
            return self.refuse_rod(name, problem, "repair the edge, or add the node");
        }
        let ends: Vec<[DVec3; 2]> = edges.iter().map(|edge| edge.map(|node| nodes[node as usize])).collect();
        let Some(name) = self.accept_rod(name, &ends, radius, &material) else { return Rod::default() };
        let frames: Vec<DQuat> = ends.iter().map(|[start, end]| frames::arc(DVec3::Z, *end - *start)).collect();
        let segments = self.add_segments(&name, &ends, &frames, radius, &material);
        let mut meeting = vec![Vec::new(); nodes.len()];
        for (segment, edge) in edges.iter().enumerate() {
            edge.iter().for_each(|&node| meeting[node as usize].push(segment));
        }
        let mut joints = Vec::new();
        for (node, here) in meeting.iter().enumerate() {
            for (place, &segment) in here.iter().enumerate().skip(1) {
                let (one, other) = (&segments[here[0]], &segments[segment]);
                let stiffness = material.stiffness(radius, 0.5 * (one.length + other.length));
                let tangent = one.pose.rotation * DVec3::Z;
                let joint = JointDef::rod(one.body, other.body, nodes[node], tangent, stiffness);
                joints.push(self.add_joint(joint.named(format!("{name}/node_{node}_{place}"))));
                here[1..place].iter().for_each(|&earlier| self.filter_bodies(segments[earlier].body, other.body));
            }
        }
        Rod { bodies: segments.iter().map(|segment| segment.body).collect(), joints }
    }

    fn refuse_rod(&mut self, name: &str, problem: impl Into<String>, remedy: &str) -> Rod {
        self.fault(Entity::Rod, self.rod_count, name, "points", problem, remedy);
        self.rod_count += 1;
        Rod::default()
    }

    /// The prefix of the names in the rod, or `None` with the fault noted.
    fn accept_rod(&mut self, name: &str, ends: &[[DVec3; 2]], radius: f64, material: &RodMaterial) -> Option<String> {
        let longest = ends.iter().map(|[start, end]| start.distance(*end)).fold(0.0, f64::max);
        let size = ends.iter().flatten().map(|point| point.abs().max_element()).fold(longest, f64::max);
        // Shorter than rounding at these coordinates: the direction would be noise.
        let has_length = |[start, end]: &[DVec3; 2]| start.distance(*end) > 1e-12 * size;
        if let Some(segment) = ends.iter().position(|ends| !has_length(ends)) {
            self.refuse_rod(name, format!("segment {segment} has no length"), "remove the repeated or undefined point");
            return None;
        }
        if !(radius.is_finite() && radius > 0.0) {
            self.refuse_rod(name, format!("radius {radius} is not positive"), "give a positive radius in metres");
            return None;
        }
        if let Some(problem) = material.fault() {
            self.refuse_rod(name, problem, "correct the rod's material");
            return None;
        }
        let name = if name.is_empty() { format!("rod_{}", self.rod_count) } else { name.to_owned() };
        self.rod_count += 1;
        Some(name)
    }

    fn add_segments(
        &mut self,
        name: &str,
        ends: &[[DVec3; 2]],
        frames: &[DQuat],
        radius: f64,
        material: &RodMaterial,
    ) -> Vec<Segment> {
        let mut segments = Vec::with_capacity(ends.len());
        for (index, ([start, end], rotation)) in ends.iter().zip(frames).enumerate() {
            let length = start.distance(*end);
            let pose = Pose::from_parts((*start + *end) * 0.5, *rotation);
            let shape = ShapeDef::capsule(radius, 0.5 * length).material(material.surface);
            // The caps of neighbours lie inside each other: the rod's mass is that of its cylinders.
            let cylinder = Shape::Cylinder { radius, half_height: 0.5 * length };
            let mass = cylinder.mass_properties(material.surface.density).unwrap_or_default();
            let def = BodyDef::dynamic(format!("{name}/{index}")).pose(pose).shape(shape).mass_properties(mass);
            segments.push(Segment { body: self.add_body(def), pose, length });
        }
        segments
    }

    /// Keeps apart segments with less than π·radius of rod between them: half the length of a
    /// hairpin that a rod of this radius can just make, so they touch only where it cannot bend.
    fn filter_neighbours(&mut self, segments: &[Segment], closed: bool, radius: f64) {
        let count = segments.len();
        for (first, segment) in segments.iter().enumerate() {
            let mut between = 0.0;
            for step in 2..count {
                let other = first + step;
                if other >= count && !closed {
                    break;
                }
                between += segments[(other - 1) % count].length;
                if between >= PI * radius {
                    break;
                }
                self.filter_bodies(segment.body, segments[other % count].body);
            }
        }
    }
}

/// Frames with +Z along every segment, carried from one to the next by the shortest turn. What a
/// closed rod lacks for its frames to meet, and the twist asked for, are spread evenly.
fn carried_frames(ends: &[[DVec3; 2]], closed: bool, twist: f64) -> Vec<DQuat> {
    let tangent = |segment: usize| (ends[segment][1] - ends[segment][0]).normalize();
    let mut frames = vec![frames::arc(DVec3::Z, tangent(0))];
    for segment in 1..ends.len() {
        let turn = DQuat::from_rotation_arc(tangent(segment - 1), tangent(segment));
        frames.push((turn * frames[segment - 1]).normalize());
    }
    let last = ends.len() - 1;
    let (lack, parts) = if closed {
        let round = DQuat::from_rotation_arc(tangent(last), tangent(0)) * frames[last];
        (log(round.inverse() * frames[0]).z, ends.len())
    } else {
        (0.0, last.max(1))
    };
    let step = (lack + twist) / parts as f64;
    frames.iter().enumerate().map(|(index, frame)| *frame * DQuat::from_rotation_z(step * index as f64)).collect()
}

/// The joint between the end of one segment and the start of the next. `wrapped` is the turn by
/// which the frame of the next one lags because the rod has gone round.
fn rod_joint(one: &Segment, next: &Segment, wrapped: f64, def: &RodDef) -> JointDef {
    let (end, start) = (DVec3::Z * (0.5 * one.length), DVec3::Z * (-0.5 * next.length));
    let mut turns = [DQuat::IDENTITY, DQuat::from_rotation_z(wrapped)];
    if def.rest == RodRest::AsBuilt {
        // Half the bend on either side, so that neither segment is preferred.
        let half = exp(log((one.pose.rotation.inverse() * next.pose.rotation * turns[1]).normalize()) * 0.5);
        turns = [half, turns[1] * half.inverse()];
    }
    let mut joint = JointDef::new(JointKind::Rod, one.body, next.body);
    joint.rod = Some(def.material.stiffness(def.radius, 0.5 * (one.length + next.length)));
    joint.frames(Pose::from_parts(end, turns[0]), Pose::from_parts(start, turns[1]))
}
