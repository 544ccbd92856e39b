//! What a ray meets.

use drystone::geometry::Ray;
use drystone::model::{BodyId, DVec3};
use drystone::{QueryFilter, SceneHit, SceneQuery, Simulation};

use crate::answer::Refusal;
use crate::command::Command;
use crate::numbers::round;
use crate::soft_hold;

/// What a ray from outside meets first: everything that is drawn, also what collides with nothing.
pub fn pick(query: &SceneQuery<'_>, origin: DVec3, direction: DVec3) -> Result<Option<SceneHit>, Refusal> {
    let ray = Ray::new(origin, direction.normalize_or_zero());
    query.cast_ray(&ray, f64::INFINITY, &QueryFilter::new().all_worlds().any_group()).map_err(Refusal::bad)
}

/// A command to grab, with the body and the point in its frame found.
pub fn found(sim: &Simulation, command: Command, scene_origin: DVec3) -> Result<Command, Refusal> {
    let Command::Grab { origin, direction, body, particle, point, at } = command else { return Ok(command) };
    if particle.is_some() && (origin.is_some() || direction.is_some() || body.is_some()) {
        return Err(Refusal::bad("say one thing to grab: `particle`, `body`, or `origin` and `direction`"));
    }
    let (body, point) = match (origin, direction, body) {
        (Some(origin), Some(direction), None) => {
            let (from, along) = (DVec3::from_array(origin) + scene_origin, DVec3::from_array(direction));
            let hit = pick(&sim.query(), from, along)?;
            let before = hit.map_or(f64::INFINITY, |hit| (hit.point - from).length());
            if let Some(index) = soft_hold::meet(sim.model(), sim.state(), from, along.normalize_or_zero(), before) {
                return Ok(of_particle(sim.particle_id(index).0));
            }
            let hit = hit.filter(|hit| !hit.body.is_world());
            let hit = hit.ok_or_else(|| Refusal::conflict("the ray meets nothing that could be held"))?;
            (hit.body, Some(hit.point))
        }
        (None, None, None) if particle.is_some() => return Ok(of_particle(particle.unwrap_or_default())),
        (None, None, Some(body)) => (BodyId(body), point.map(|point| DVec3::from_array(point) + scene_origin)),
        _ => {
            return Err(Refusal::bad(
                "say what to grab: `body` (with `point` or `at`), `particle`, or `origin` and `direction`",
            ));
        }
    };
    let pose = sim.pose(body).map_err(Refusal::missing)?;
    let local = at.or_else(|| point.map(|point| (pose.inverse() * point).to_array()));
    let at = local.map(|local| local.map(round));
    Ok(Command::Grab { origin: None, direction: None, body: Some(body.0), particle: None, point: None, at })
}

fn of_particle(particle: u32) -> Command {
    Command::Grab { origin: None, direction: None, body: None, particle: Some(particle), point: None, at: None }
}
