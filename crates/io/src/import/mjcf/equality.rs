//! Equalities that are joints of the model: points held together, bodies welded, distances kept, joints coupled.

use drystone_model::{Axis, BodyId, DQuat, DVec3, Follow, JointDef, JointId, JointKind, Pose, Spring, nearest};

use super::super::assembly::{Assembly, Motion, Part};
use super::super::fault::Log;
use super::super::xml::Element;
use super::body::{JointAt, SiteAt};
use super::defaults::Defaults;
use super::joints::{Kind, limited};
use super::settings::Settings;
use super::tendon::{FixedTendon, keep_range, terms};
use super::tendon_law::TendonLaw;

/// What equalities refer to.
pub(super) struct Scene<'a> {
    pub(super) parts: &'a [Part],
    pub(super) sites: &'a [SiteAt],
    pub(super) joints: &'a [JointAt],
    pub(super) tendons: &'a [FixedTendon],
    pub(super) settings: &'a Settings,
    pub(super) defaults: &'a Defaults,
}

impl Scene<'_> {
    /// Adds the joints that equalities and simple tendons are.
    pub(super) fn tie(&self, root: &Element, assembly: &mut Assembly, log: &mut Log) {
        self.joints.iter().for_each(|at| self.bind(at, assembly));
        for element in root.children_named("equality").flat_map(|group| &group.children) {
            let element = self.defaults.resolve(element, "equality", None, log);
            match element.name.as_str() {
                "connect" | "weld" if !self.settings.disabled("equality") => self.held(&element, assembly, log),
                "joint" if !self.settings.disabled("equality") => self.coupled(&element, assembly, log),
                "tendon" if !self.settings.disabled("equality") => self.held_tendon(&element, assembly, log),
                _ => {}
            }
        }
        for element in root.children_named("tendon").flat_map(|group| &group.children) {
            let element = self.defaults.resolve(element, "tendon", None, log);
            self.tendon(&element, root, assembly, log);
        }
        assembly.start_followers();
    }

    /// What the model has beside a joint of its own: the range of a ball joint, which bounds its whole angle, and the springs of a free
    /// one, which pull back to where the file draws the body.
    fn bind(&self, at: &JointAt, assembly: &mut Assembly) {
        let (joint, Some(id)) = (&at.joint, assembly.joint_of[at.part]) else { return };
        let Some(own) = assembly.builder.joint_def(id).cloned() else { return };
        match (joint.kind, joint.range) {
            (Kind::Ball, Some([_, angle])) => {
                let mut cone = JointDef::turn_limit(own.parent, own.child, angle);
                (cone.frames, cone.collide) = (own.frames, true);
                assembly.attach(cone.named(beside(&own.name, "range")), joint.place);
            }
            (Kind::Free, _) if joint.stiffness > 0.0 => {
                let start = self.start(at.part);
                let mut spring = JointDef::new(JointKind::Ball, own.parent, own.child).free(&Axis::ALL).collide(true);
                spring.spring.fill(Spring::towards(0.0, joint.stiffness));
                let spring = spring.named(beside(&own.name, "spring")).frames(start, Pose::IDENTITY);
                assembly.attach(spring, joint.place);
            }
            _ => {}
        }
    }

    /// A fixed tendon of up to two joints whose length stays what it is where the file draws the robot.
    fn held_tendon(&self, element: &Element, assembly: &mut Assembly, log: &mut Log) {
        if element.flag(log, "active") == Some(false) {
            log.note(element.place, format!("{} is not active: left out", element.called()));
            return;
        }
        let mut refuse = |why: &str| {
            let help = "couple the joints (`<joint joint1=\"…\" joint2=\"…\"/>`), or remove it";
            log.fault(element.place, format!("tendon {}: {why}", element.called()), help);
        };
        if element.attribute("tendon2").is_some() || element.attribute("polycoef").is_some() {
            return refuse("tendons that follow others cannot be said");
        }
        let name = element.text_of("tendon1").unwrap_or_default();
        let Some(tendon) = self.tendons.iter().find(|tendon| tendon.name == name) else {
            return refuse("no fixed tendon has that name");
        };
        let at_start: f64 =
            tendon.terms.iter().map(|&(joint, coefficient)| coefficient * self.joints[joint].joint.reference).sum();
        match tendon.terms.len() {
            2 if keep_range(&tendon.terms, [at_start; 2], self.joints, assembly) => {
                log.note(element.place, "a coupling of joints is hard; MuJoCo's is soft");
            }
            _ => refuse("only two joints can be coupled, each once"),
        }
    }

    /// y − y₀ = a₀ + a₁ (x − x₀) + …: the coordinates of the model are those differences, but for their signs.
    fn coupled(&self, element: &Element, assembly: &mut Assembly, log: &mut Log) {
        if element.flag(log, "active") == Some(false) {
            log.note(element.place, format!("{} is not active: left out", element.called()));
            return;
        }
        let coefficients = element.list(log, "polycoef").unwrap_or_else(|| vec![0.0, 1.0]);
        let [constant, slope] = [0, 1].map(|place| coefficients.get(place).copied().unwrap_or(0.0));
        if coefficients.iter().skip(2).any(|&higher| higher != 0.0) {
            let message = format!("{}: a curved coupling of joints cannot be said", element.called());
            log.fault(element.place, message, "keep the first two numbers of `polycoef`");
            return;
        }
        let Some((own, axis, sign)) = self.coordinate(element, "joint1", assembly, log) else { return };
        let leader = match element.attribute("joint2") {
            Some(_) => match self.coordinate(element, "joint2", assembly, log) {
                Some(found) => Some(found),
                None => return,
            },
            None => None,
        };
        let taken = assembly.builder.joint_def(own).is_some_and(|def| def.follow[axis as usize].is_some());
        match leader.filter(|_| slope != 0.0) {
            _ if taken => {
                let message = format!("{}: the joint follows another already", element.called());
                log.fault(element.place, message, "keep one of the two");
            }
            Some((joint, along, other)) => {
                let (ratio, offset) = (sign * other * slope, sign * constant);
                assembly.follow(own, axis, Follow::hard(joint, along, ratio, offset));
                log.note(element.place, "a coupling of joints is hard; MuJoCo's is soft");
            }
            None => {
                let message = format!("{}: a joint held at one value cannot be said so", element.called());
                log.fault(element.place, message, "remove the joint, or give it a narrow `range`");
            }
        }
    }

    /// The joint of the model that a joint of the file is, its axis, and its sign there.
    fn coordinate(
        &self,
        element: &Element,
        end: &str,
        assembly: &Assembly,
        log: &mut Log,
    ) -> Option<(JointId, Axis, f64)> {
        let name = element.needed(log, end)?;
        let Some(at) = self.joints.iter().find(|at| at.joint.name == name) else {
            let help = match nearest(name, self.joints.iter().map(|at| at.joint.name.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a joint of a body".into(),
            };
            log.fault(element.place, format!("there is no joint `{name}`"), help);
            return None;
        };
        let (Some(row), Some(joint)) = (at.row, assembly.joint_of[at.part]) else {
            let message = format!("{}: `{name}` is no hinge or slide", element.called());
            log.fault(element.place, message, "couple hinges and slides");
            return None;
        };
        Some((joint, row.axis, row.sign))
    }

    fn held(&self, element: &Element, assembly: &mut Assembly, log: &mut Log) {
        let weld = element.name == "weld";
        let Some(ends) = self.ends(element, weld, log) else { return };
        // Frames in the bodies of the model.
        let [(one, first), (other, second)] = ends.map(|(part, pose)| {
            let (body, offset) = assembly.owner[part];
            (body, offset * pose)
        });
        if one == other {
            log.note(element.place, format!("{} ties a body to itself: left out", element.called()));
            return;
        }
        let kind = if weld { JointKind::Fixed } else { JointKind::Ball };
        let (parent, child, frames) = match other.is_world() {
            true => (other, one, (second, first)),
            false => (one, other, (first, second)),
        };
        let moves = |body: BodyId| !body.is_world() && !moved_by_user(assembly, self.parts, body);
        if !moves(parent) && !moves(child) {
            log.note(element.place, format!("{} ties nothing that forces move: left out", element.called()));
            return;
        }
        let name = element.text_of("name").unwrap_or_default();
        let mut def = JointDef::new(kind, parent, child).named(name).frames(frames.0, frames.1).collide(true);
        def.enabled = element.flag(log, "active").unwrap_or(true);
        log.note(element.place, format!("`{}` is a hard joint; MuJoCo's is soft", element.name));
        assembly.attach(def, element.place);
    }

    /// The two parts, and the frame of the joint in each.
    fn ends(&self, element: &Element, weld: bool, log: &mut Log) -> Option<[(usize, Pose); 2]> {
        if element.attribute("site1").is_some() {
            let mut ends = Vec::new();
            for end in ["site1", "site2"] {
                let name = element.needed(log, end)?;
                ends.push(self.site(name, element, log)?);
            }
            return Some([ends[0], ends[1]]);
        }
        let first = self.part(element, "body1", log)?;
        let second = match element.attribute("body2") {
            Some(_) => self.part(element, "body2", log)?,
            None => 0,
        };
        let [one, other] = [first, second].map(|part| self.start(part));
        if !weld {
            element.needed(log, "anchor")?;
            let at = Pose::from_translation(element.vector(log, "anchor")?);
            let across = other.inverse() * (one * at);
            return Some([(first, at), (second, across)]);
        }
        let anchor = Pose::from_translation(element.vector(log, "anchor").unwrap_or(DVec3::ZERO));
        let stated = element.numbers::<7>(log, "relpose").filter(|relpose| relpose[3..] != [0.0; 4]);
        let relative = match stated {
            Some([x, y, z, w, a, b, c]) => {
                Pose::from_parts(DVec3::new(x, y, z), DQuat::from_xyzw(a, b, c, w).normalize())
            }
            None => one.inverse() * other,
        };
        Some([(first, relative * anchor), (second, anchor)])
    }

    /// Where a part is at the start.
    fn start(&self, part: usize) -> Pose {
        let own = self.parts[part].pose;
        self.parts[part].parent.map_or(own, |parent| self.start(parent) * own)
    }

    fn part(&self, element: &Element, end: &str, log: &mut Log) -> Option<usize> {
        let name = element.needed(log, end)?;
        let found = self.parts.iter().position(|part| part.name == name);
        if found.is_none() {
            log.fault(element.place, format!("there is no body `{name}`"), "name a body");
        }
        found
    }

    fn site(&self, name: &str, element: &Element, log: &mut Log) -> Option<(usize, Pose)> {
        let found = self.sites.iter().find(|site| site.name == name);
        if found.is_none() {
            log.fault(element.place, format!("there is no site `{name}`"), "name a site");
        }
        found.map(|site| (site.part, site.pose))
    }

    /// A tendon that does nothing is passed over; one between two sites is a joint that keeps a distance; others cannot be said.
    fn tendon(&self, element: &Element, root: &Element, assembly: &mut Assembly, log: &mut Log) {
        let name = element.text_of("name").unwrap_or_default();
        let law = TendonLaw::read(element, self.settings, log);
        let pulls = law.acts();
        let range = limited(element, ["range", "limited"], self.settings.autolimits, log);
        let used = root.children_named("actuator").chain(root.children_named("equality")).any(|group| {
            group.children.iter().any(|child| {
                ["tendon", "tendon1", "tendon2"].iter().any(|end| !name.is_empty() && child.text_of(end) == Some(name))
            })
        });
        if !pulls && range.is_none() {
            if !used {
                log.note(element.place, "a tendon that does nothing is left out");
            }
            // What uses it is refused there.
            return;
        }
        if element.name == "fixed" {
            // What is wrong with its joints was told when it was read.
            let Some(terms) = terms(element, self.joints, &mut Log::default()) else { return };
            let pulled = !pulls || law.pull(&terms, self.joints, assembly);
            if pulled && range.is_none_or(|range| keep_range(&terms, range, self.joints, assembly)) {
                if range.is_some() {
                    log.note(element.place, "the range of a tendon is hard; MuJoCo's is soft");
                }
                return;
            }
        }
        let sites: Vec<&Element> = element.children_named("site").collect();
        let said = element.children.len() == 2 && law.can_be_between_sites(range);
        if let ([one, other], true) = (&sites[..], said) {
            let ends = [one, other].map(|site| site.text_of("site").and_then(|name| self.site(name, site, log)));
            let [Some(one), Some(other)] = ends else { return };
            let [(parent, first), (child, second)] = [one, other].map(|(part, pose)| {
                let (body, offset) = assembly.owner[part];
                (body, offset * pose)
            });
            let (parent, child, first, second) =
                if child.is_world() { (child, parent, second, first) } else { (parent, child, first, second) };
            let mut def =
                JointDef::new(JointKind::Distance, parent, child).named(name).frames(first, second).collide(true);
            let apart = self.start(one.0) * one.1.translation - self.start(other.0) * other.1.translation;
            law.set(&mut def, range, apart.length());
            assembly.attach(def, element.place);
            return;
        }
        let help = "tie bodies by joints or by `connect`, or drive the joints one by one";
        log.fault(element.place, format!("tendon {}: tendons that pull cannot be said", element.called()), help);
    }
}

/// The name of what the model has beside a joint; none for a joint without one.
fn beside(joint: &str, what: &str) -> String {
    if joint.is_empty() { String::new() } else { format!("{joint}/{what}") }
}

/// Whether a body is moved by the user.
fn moved_by_user(assembly: &Assembly, parts: &[Part], body: BodyId) -> bool {
    let head = assembly.owner.iter().position(|(owner, _)| *owner == body);
    head.is_some_and(|part| matches!(parts[part].motion, Motion::Kinematic))
}
