//! What is known of one body.

use drystone::model::{BodyId, BodyKind, DVec3};
use serde_json::{Value, json};

use crate::act::AXES;
use crate::answer::Refusal;
use crate::moment::Moment;

/// What a kind of body is called.
pub fn kind_name(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Static => "static",
    }
}

/// Everything about a body, by its id; places relative to an origin.
pub fn body(moment: &Moment<'_>, id: u32, origin: DVec3) -> Result<Value, Refusal> {
    let (model, state) = (moment.model, moment.state);
    let index = match moment.sim {
        Some(sim) => sim.body_index(BodyId(id)).map_err(Refusal::missing)?,
        None if (id as usize) < model.body_count() => id as usize,
        None => return Err(Refusal::missing(format!("there is no body #{id}"))),
    };
    let (pose, velocity) = (state.body_q[index], state.body_qd[index]);
    let centre = model.body_centre(state, index as u32);
    let contacts: Vec<Value> = touching(moment, BodyId(id), origin);
    let joints: Vec<Value> = (0..model.joint_count())
        .filter(|&joint| [model.joint_parent[joint], model.joint_child[joint]].contains(&(index as u32)))
        .map(|joint| joint_values(moment, joint))
        .collect();
    Ok(json!({
        "id": id,
        "name": model.body_name[index],
        "kind": kind_name(model.body_kind[index]),
        "world": model.body_world[index],
        "mass": model.body_mass[index],
        "position": (pose.translation - origin).to_array(),
        "rotation": pose.rotation.to_array(),
        "centre": (centre - origin).to_array(),
        "velocity": velocity.linear.to_array(),
        "angular": velocity.angular.to_array(),
        "kinetic": kinetic(moment, index),
        "asleep": moment.sim.is_some_and(|sim| sim.solver().is_asleep(index)),
        "frozen": moment.frozen.is_some_and(|frozen| frozen.contains_key(&id)),
        "quarantined": state.body_quarantined.get(index).copied().unwrap_or_default(),
        "shapes": (0..model.shape_count()).filter(|&shape| model.shape_body[shape] == index as u32)
            .map(|shape| model.shape_name[shape].clone()).collect::<Vec<_>>(),
        "contacts": contacts,
        "joints": joints,
    }))
}

fn kinetic(moment: &Moment<'_>, index: usize) -> f64 {
    let velocity = moment.state.body_qd[index];
    let turning = velocity.angular.dot(moment.model.body_inertia_world(moment.state, index) * velocity.angular);
    0.5 * (moment.model.body_mass[index] * velocity.linear.length_squared() + turning)
}

/// Contact points of a body: with whom, where, the force on it.
fn touching(moment: &Moment<'_>, body: BodyId, origin: DVec3) -> Vec<Value> {
    let mut found = Vec::new();
    for contact in moment.contacts() {
        for side in (0..2).filter(|&side| contact.body[side] == body) {
            let other = contact.body[1 - side];
            let force = if side == 0 { -contact.force } else { contact.force };
            let name =
                usize::try_from(moment.frame_index(other)).ok().map(|index| moment.model.body_name[index].clone());
            found.push(json!({
                "other": if other.is_world() { json!(null) } else { json!(other.0) },
                "name": name.unwrap_or_else(|| "the world".into()),
                "point": (contact.point() - origin).to_array(),
                "force": force.to_array(),
            }));
        }
    }
    found
}

/// Coordinates, rates and targets of a joint along its free axes.
fn joint_values(moment: &Moment<'_>, joint: usize) -> Value {
    let (model, state) = (moment.model, moment.state);
    let (coordinates, rates) = (model.joint_coordinates(state, joint), model.joint_rates(state, joint));
    let free = |axis: &usize| model.joint_axis[joint][*axis] == drystone::model::AxisMode::Free;
    let axes: Vec<Value> = (0..6)
        .filter(free)
        .map(|axis| {
            let target = moment.sim.map(|sim| sim.control().joint_target[joint][axis]);
            json!({"axis": AXES[axis], "value": coordinates[axis], "rate": rates[axis], "target": target})
        })
        .collect();
    let id = moment.sim.map_or(joint as u32, |sim| sim.joint_id(joint).0);
    let intact = state.joint_intact.get(joint).copied().unwrap_or(true);
    let error = model.joint_error(state, joint as u32).linear;
    json!({"id": id, "name": model.joint_name[joint], "axes": axes, "intact": intact, "error": error})
}
