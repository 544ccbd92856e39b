//! Bodies: copies are spelt out, frames given relative to other bodies are resolved.

use drystone_geometry::{DMat3, DVec3, MassProperties, Pose};
use drystone_model::{BodyDef, BodyKind, Drag, MassSource};

use super::super::json5::Step;
use super::super::spec::{BodyKindSpec, BodySpec, DragSpec, MassSpec, pose};
use super::{Lowering, Path};

/// Copies may make this many bodies and shapes together: three numbers in a file can ask for billions.
const MAX_COPIES: u64 = 1 << 18;

/// One body after copies are spelt out.
struct Single<'a> {
    spec: &'a BodySpec,
    /// Position in `bodies` of the file.
    source: usize,
    name: String,
    /// Pose in the world, or in the frame of another body.
    pose: Pose,
}

impl Lowering<'_> {
    pub fn add_bodies(&mut self) {
        let spec = self.spec;
        let mut singles = Vec::new();
        for (source, body) in spec.bodies.iter().enumerate() {
            if self.check_copies(body, source, singles.len()) {
                spell_out(body, source, &mut singles);
            }
        }
        let first = self.body_pose.len();
        for (index, single) in (first as u32..).zip(&singles) {
            // An empty name stands for the one the builder makes up.
            let name = if single.name.is_empty() { format!("body_{index}") } else { single.name.clone() };
            self.body_named.entry(name).or_insert(index);
        }
        let poses = self.resolve_frames(&singles);
        for (single, pose) in singles.into_iter().zip(poses) {
            self.add_body(single, pose);
        }
    }

    fn check_copies(&mut self, body: &BodySpec, source: usize, so_far: usize) -> bool {
        let mut count = 1 + body.shapes.len() as u64;
        for (k, copies) in body.copies.iter().enumerate() {
            let path = [Step::Key("bodies"), Step::Index(source), Step::Key("copies"), Step::Index(k)];
            count = count.saturating_mul(u64::from(copies.count));
            if copies.count == 0 {
                self.fault(&path, "no copies at all", "give a count of 1 or more, or remove the body");
                return false;
            }
            if count.saturating_add(so_far as u64) > MAX_COPIES {
                let help = format!("copies may make {MAX_COPIES} bodies and shapes; lower the count");
                self.fault(&path, "this makes too many bodies", help);
                return false;
            }
        }
        true
    }

    /// The world pose of every body. Every chain of `relative_to` is followed to a body whose pose is
    /// known; one that comes back to itself is a fault.
    fn resolve_frames(&mut self, singles: &[Single<'_>]) -> Vec<Pose> {
        // Bodies of included robots come first; theirs are known.
        let first = self.body_pose.len();
        let mut poses: Vec<Option<Pose>> = self.body_pose.iter().copied().map(Some).collect();
        poses.resize(first + singles.len(), None);
        let mut on_chain = vec![usize::MAX; poses.len()];
        for start in first..poses.len() {
            let mut chain = Vec::new();
            let mut here = start;
            let mut base = loop {
                if poses[here].is_some() {
                    break poses[here];
                }
                if on_chain[here] == start {
                    let path = body_path(singles[start - first].source, "relative_to");
                    let message = format!("the frame of body `{}` depends on itself", singles[here - first].name);
                    self.fault(&path, message, "give one body of the circle a position in the world");
                    break None;
                }
                on_chain[here] = start;
                chain.push(here);
                match self.frame_of(&singles[here - first]) {
                    Some(next) => here = next,
                    None => break None,
                }
            };
            for &body in chain.iter().rev() {
                // Not a product with the identity: that would turn −0 into +0.
                let own = singles[body - first].pose;
                base = Some(base.map_or(own, |base| base * own));
                poses[body] = base;
            }
        }
        poses.into_iter().skip(first).map(Option::unwrap_or_default).collect()
    }

    /// The body in whose frame the pose is given.
    fn frame_of(&mut self, single: &Single<'_>) -> Option<usize> {
        let name = single.spec.relative_to.as_deref()?;
        let path = body_path(single.source, "relative_to");
        self.body_at(name, &path).map(|body| body.built_index())
    }

    fn add_body(&mut self, single: Single<'_>, pose: Pose) {
        let Single { spec, source, name, .. } = single;
        let kind = match spec.kind {
            None | Some(BodyKindSpec::Dynamic) => BodyKind::Dynamic,
            Some(BodyKindSpec::Kinematic) => BodyKind::Kinematic,
            Some(BodyKindSpec::Static) => BodyKind::Static,
        };
        let mut def = match kind {
            BodyKind::Dynamic => BodyDef::dynamic(name),
            BodyKind::Kinematic => BodyDef::kinematic(name),
            BodyKind::Static => BodyDef::fixed(name),
        };
        def.pose = pose;
        def.velocity.linear = DVec3::from_array(spec.velocity.unwrap_or_default());
        def.velocity.angular = DVec3::from_array(spec.spin.unwrap_or_default());
        def.damping = spec.damping.unwrap_or_default();
        def.gravity_scale = spec.gravity_scale.unwrap_or(1.0);
        def.drag = spec.drag.iter().map(drag).collect();
        def.mass = match (&spec.mass_properties, spec.mass) {
            (Some(given), None) => MassSource::Given(mass_properties(given)),
            (None, Some(total)) => MassSource::Total(total),
            (None, None) => MassSource::Density,
            (Some(given), Some(_)) => {
                let help = "keep `mass` to spread it over the shapes, or `mass_properties` to state all";
                self.fault(&body_path(source, "mass"), "`mass` and `mass_properties` are both given", help);
                MassSource::Given(mass_properties(given))
            }
        };
        self.builder.add_body(def);
        self.body_pose.push(pose);
        let path = vec![Step::Key("bodies"), Step::Index(source)];
        let world = self.world_at(spec.world, &path);
        self.body_world.push(world);
        self.origins.body.push(path);
    }
}

fn body_path(source: usize, key: &'static str) -> Path {
    vec![Step::Key("bodies"), Step::Index(source), Step::Key(key)]
}

fn drag(given: &DragSpec) -> Drag {
    Drag {
        pose: pose(given.position, given.rotation),
        linear: given.linear.unwrap_or_default(),
        quadratic: given.quadratic.unwrap_or_default(),
    }
}

fn mass_properties(given: &MassSpec) -> MassProperties {
    // The file lists rows, the matrix takes columns.
    let [x, y, z] = given.inertia.map(DVec3::from_array);
    MassProperties {
        mass: given.mass,
        com: DVec3::from_array(given.com.unwrap_or_default()),
        inertia: DMat3::from_cols(x, y, z).transpose(),
    }
}

/// Adds a body and its copies, the last row of copies running fastest.
fn spell_out<'a>(spec: &'a BodySpec, source: usize, out: &mut Vec<Single<'a>>) {
    let start = pose(spec.position, spec.rotation);
    let name = spec.name.clone().unwrap_or_default();
    if spec.copies.is_empty() {
        out.push(Single { spec, source, name, pose: start });
        return;
    }
    let count: u64 = spec.copies.iter().map(|copies| u64::from(copies.count)).product();
    for number in 0..count {
        let mut rest = number;
        let mut place = start;
        for copies in spec.copies.iter().rev() {
            let k = rest % u64::from(copies.count);
            rest /= u64::from(copies.count);
            place.translation += DVec3::from_array(copies.step) * k as f64;
        }
        let name = if name.is_empty() { String::new() } else { format!("{name}_{number}") };
        out.push(Single { spec, source, name, pose: place });
    }
}
