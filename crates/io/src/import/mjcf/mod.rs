//! MJCF, the model files of MuJoCo.

mod actuator;
mod assets;
mod axis_law;
mod beyond;
mod body;
mod contact;
mod defaults;
mod equality;
mod fit;
mod force;
mod geom;
mod grammar;
mod include;
mod inertia;
mod joints;
mod medium;
mod mobility;
mod replicate;
mod settings;
mod slot;
mod tendon;
mod tendon_law;
mod terrain;
#[cfg(test)]
mod tests;

use std::path::Path;

use drystone_model::{DMat3, DVec3, JointId, MassProperties, Pose};

use self::actuator::{ActuatorAt, ReachAt};
use self::assets::Assets;
use self::beyond::SpatialTendon;
use self::body::{JointAt, Walk, share_mass};
use self::defaults::Defaults;
use self::joints::Kind;
use self::settings::Settings;
use self::tendon::FixedTendon;
use super::actuation::{Action, Actuator};
use super::assembly::{Assembly, Motion, Part, assemble};
use super::fault::{ImportError, Log};
use super::reach::{Lever, Reach};
use super::robot::{Imported, Key};
use super::xml::Element;
use super::{ImportOptions, failed, grammar as names};

/// MuJoCo's time step where a file gives none \[s\].
const DEFAULT_STEP: f64 = 0.002;

/// Makes a model of an MJCF file.
pub(super) fn import(
    root: Element,
    path: &Path,
    options: &ImportOptions,
    mut log: Log,
) -> Result<Imported, ImportError> {
    if root.name != "mujoco" {
        log.fault(root.place, format!("`{}` begins no MJCF file", root.name), "MJCF files begin with `<mujoco>`");
        return Err(failed(log));
    }
    let root = include::expand(root, path, &mut log);
    names::check(&root, grammar::RULES, &mut log);
    let settings = Settings::read(&root, &mut log);
    let root = replicate::expand(root, &settings, &mut log);
    let defaults = Defaults::read(&root, &mut log);
    let assets = Assets::read(&root, path, &settings, &defaults, &mut log);
    let mut walk = Walk {
        settings: &settings,
        defaults: &defaults,
        assets: &assets,
        options,
        paired: contact::paired(&root),
        parts: Vec::new(),
        joints: Vec::new(),
        geoms: Vec::new(),
        sites: Vec::new(),
        chains: Vec::new(),
    };
    // Several `worldbody` elements are one.
    let mut world = Element { children: Vec::new(), ..root.clone() };
    world.attributes.clear();
    for part in root.children_named("worldbody") {
        world.children.extend(part.children.iter().cloned());
        world.attributes.extend(part.attributes.iter().cloned());
    }
    walk.body(&world, None, Pose::IDENTITY, None, &mut log);
    let Walk { mut parts, joints, geoms, sites, chains, .. } = walk;
    let tendons = FixedTendon::read(&root, &defaults, &joints, settings.autolimits, &mut log);
    let spatial = SpatialTendon::read(&root, &defaults, &sites, settings.autolimits);
    let hung: Vec<(usize, Pose)> = parts.iter().map(|part| (part.parent.unwrap_or(0), part.pose)).collect();
    let scene = actuator::Scene {
        settings: &settings,
        defaults: &defaults,
        joints: &joints,
        tendons: &tendons,
        spatial: &spatial,
        sites: &sites,
        hung: &hung,
    };
    let actuators = actuator::read(&root, &scene, &mut parts, &mut log);
    share_mass(&chains, &mut parts);
    contact::set_groups(&root, &geoms, &mut parts, &mut log);
    set_total_mass(&mut parts, &settings);
    add_free_rotors(&joints, &mut parts, &settings, &mut log);
    if settings.disabled("filterparent") {
        parts.iter_mut().for_each(|part| {
            if let Motion::Jointed { def, .. } = &mut part.motion {
                def.collide = true;
            }
        });
    }
    let mut assembly = assemble(&parts, &mut log);
    assembly.builder.gravity(settings.gravity);
    contact::exclude(&root, &parts, &geoms, &mut assembly, &mut log);
    if !settings.disabled("filterparent") {
        contact::keep_chains_apart(&chains, &parts, &geoms, &root, &mut assembly);
    }
    let scene = equality::Scene {
        parts: &parts,
        sites: &sites,
        joints: &joints,
        tendons: &tendons,
        settings: &settings,
        defaults: &defaults,
    };
    scene.tie(&root, &mut assembly, &mut log);
    let actuators = with_joints(actuators, &assembly);
    let live = actuators
        .iter()
        .any(|actuator| matches!(actuator.action, Action::Servo { .. }) || actuator.reach.axis().is_none());
    let mut imported = Imported {
        name: root.text_of("model").map(str::to_owned),
        model: Default::default(),
        // Servos over several joints, and what pulls lines, go by the step that MuJoCo takes unless told otherwise.
        dt: settings.dt.or(live.then_some(DEFAULT_STEP)),
        frames: std::mem::take(&mut assembly.frames),
        joints: std::mem::take(&mut assembly.joints),
        actuators,
        keys: Vec::new(),
        notes: Vec::new(),
    };
    if log.faults.is_empty() {
        imported.keys = keys(&root, &imported, &mut log);
    }
    // Faults of the model may only follow from those of the file.
    if log.faults.is_empty()
        && let Some(model) = assembly.finalize(&mut log)
    {
        imported.model = model;
    }
    imported.notes = log.finish()?;
    Ok(imported)
}

/// The rotor of a free joint moves as a mass at the origin of its body does that nothing weighs: m + a in all directions, and a
/// about all axes. So it is one, of a body on which gravity pulls by its own share; that it then pulls at one centre with the rest
/// leaves no other torque only where the body has its centre there.
fn add_free_rotors(joints: &[JointAt], parts: &mut [Part], settings: &Settings, log: &mut Log) {
    for at in joints.iter().filter(|at| at.joint.kind == Kind::Free && at.joint.armature > 0.0) {
        let (part, rotor) = (&mut parts[at.part], at.joint.armature);
        let pulls = settings.gravity != DVec3::ZERO && part.gravity_scale != 0.0;
        if pulls && part.mass.com.length() > 1e-9 {
            let message = "`armature` of a free joint whose body has its centre of mass elsewhere cannot be said";
            log.fault(
                at.joint.place,
                message,
                "give the joint none (`armature=\"0\"`), or put its body at the centre of mass",
            );
            continue;
        }
        let own = part.mass.mass;
        let inertia = DMat3::from_diagonal(DVec3::splat(rotor));
        part.mass = part.mass + MassProperties { mass: rotor, com: DVec3::ZERO, inertia };
        part.gravity_scale *= own / (own + rotor);
        log.note(at.joint.place, "the rotor of a free joint counts as mass that weighs nothing");
    }
}

/// `settotalmass`: the masses of all bodies scaled to a sum.
fn set_total_mass(parts: &mut [Part], settings: &Settings) {
    let Some(wanted) = settings.total_mass else { return };
    let bodies = || parts.iter().filter(|part| part.parent.is_some());
    let share = wanted / bodies().map(|part| part.mass.mass).sum::<f64>();
    if share.is_finite() {
        for part in parts.iter_mut().filter(|part| part.mass.mass > 0.0) {
            part.mass = part.mass.scaled_to_mass(part.mass.mass * share);
        }
    }
}

fn with_joints(actuators: Vec<ActuatorAt>, assembly: &Assembly) -> Vec<Actuator> {
    let joint_of = |part: usize| assembly.joint_of[part].unwrap_or(JointId(0));
    let finished = actuators.into_iter().map(|at| Actuator {
        name: at.name,
        reach: match at.reach {
            ReachAt::Beyond(beyond) => beyond.reach(assembly),
            ReachAt::Axes { part, axis, further } => {
                let lever = |(part, axis, gear)| Lever { joint: joint_of(part), axis, gear };
                Reach::Axes { joint: joint_of(part), axis, further: further.into_iter().map(lever).collect() }
            }
        },
        control_range: at.control_range,
        action: at.action,
        dynamics: at.dynamics,
    });
    finished.collect()
}

fn keys(root: &Element, imported: &Imported, log: &mut Log) -> Vec<Key> {
    let [positions, velocities] = imported.widths();
    let mut keys = Vec::new();
    for element in root.children_named("keyframe").flat_map(|group| group.children_named("key")) {
        let mut numbers = |name: &str, count: usize| {
            let list = element.list(log, name)?;
            if list.len() == count {
                return Some(list);
            }
            let message = format!("{}: `{name}` has {} numbers, the model {count}", element.called(), list.len());
            let place = element.attribute(name).map_or(element.place, |attribute| attribute.place);
            log.fault(place, message, "give one for every coordinate, bodies depth first");
            None
        };
        let (positions, velocities) = (numbers("qpos", positions), numbers("qvel", velocities));
        let controls = numbers("ctrl", imported.actuators.len());
        let name = element.text_of("name").unwrap_or_default().to_owned();
        keys.push(Key { name, time: element.number(log, "time").unwrap_or(0.0), positions, velocities, controls });
    }
    keys
}
