//! Holding cloth, soft bodies and strings: which particle a ray means, and where a hand leads it.

use drystone::model::{DVec3, Model, State};

/// Own frequency with which a particle follows the hand \[rad/s\]: 7.5 Hz, as bodies do.
const OMEGA: f64 = 2.0 * std::f64::consts::PI * 7.5;
/// How far a hand stretches what hangs on the particle, against the start of the scene. A hand that led without limit would be
/// stronger than any cloth.
const STRETCH: f64 = 1.2;
/// Corners of the faces of a tetrahedron.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The free particle nearest to where a ray meets a sheet, a soft body or a particle of some radius, nearer than `before` \[m\].
pub fn meet(model: &Model, state: &State, origin: DVec3, direction: DVec3, before: f64) -> Option<usize> {
    let (place, free) = (&state.particle_q, |particle: &usize| model.particle_mass[*particle] > 0.0);
    let mut nearest = (before, None);
    let sheets = model.triangle_particle.iter().copied();
    let faces = model.tet_particle.iter().flat_map(|tet| FACES.map(|face| face.map(|corner| tet[corner])));
    for corners in sheets.chain(faces).map(|corners| corners.map(|corner| corner as usize)) {
        let Some(distance) = through(corners.map(|corner| place[corner]), origin, direction) else { continue };
        if distance < nearest.0 {
            let hit = origin + distance * direction;
            let near =
                |a: &usize, b: &usize| place[*a].distance_squared(hit).total_cmp(&place[*b].distance_squared(hit));
            nearest = (distance, corners.into_iter().filter(free).min_by(near));
        }
    }
    for particle in (0..place.len()).filter(free) {
        let to = place[particle] - origin;
        let along = to.dot(direction);
        if (0.0..nearest.0).contains(&along) && (to - along * direction).length() < model.particle_radius[particle] {
            nearest = (along, Some(particle));
        }
    }
    nearest.1
}

/// How far along a ray it goes through a triangle.
fn through([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    let (ab, ac, from) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let size = ab.dot(across);
    let (u, turned) = (from.dot(across) / size, from.cross(ab));
    let (v, distance) = (direction.dot(turned) / size, ac.dot(turned) / size);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

/// Where a hand at `hand` leads a particle in a step of `dt` seconds: as a critically damped spring would by an implicit step,
/// and no further from what it is tied to than that may be stretched.
pub fn lead(model: &Model, state: &State, particle: usize, hand: DVec3, dt: f64) -> DVec3 {
    let (x, v) = (state.particle_q[particle], state.particle_qd[particle]);
    let (way, stiff) = (hand - x, dt * OMEGA);
    let velocity = (v + dt * OMEGA * OMEGA * way) / (1.0 + 2.0 * stiff + stiff * stiff);
    let mut place = x + dt * velocity;
    for other in tied(model, particle) {
        let at = state.particle_q[other];
        let most = (STRETCH * model.particle_q[particle].distance(model.particle_q[other])).max(x.distance(at));
        place = at + (place - at).clamp_length_max(most);
    }
    place
}

/// Particles that elements tie to one.
fn tied(model: &Model, particle: usize) -> Vec<usize> {
    let own = particle as u32;
    let springs = model.spring_particle.iter().map(|ends| &ends[..]);
    let sheets = model.triangle_particle.iter().map(|corners| &corners[..]);
    let tets = model.tet_particle.iter().map(|corners| &corners[..]);
    let around = springs.chain(sheets).chain(tets).filter(|corners| corners.contains(&own));
    let mut others: Vec<usize> = around.flatten().filter(|&&other| other != own).map(|&other| other as usize).collect();
    others.sort_unstable();
    others.dedup();
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_goes_through_a_triangle_or_beside_it() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let above = |x: f64, y: f64| through(triangle, DVec3::new(x, y, 2.0), -DVec3::Z);
        assert_eq!(above(0.25, 0.25), Some(2.0));
        assert_eq!([above(0.6, 0.6), above(-0.1, 0.2), above(0.2, -0.1)], [None; 3]);
        assert_eq!(through(triangle, DVec3::new(0.2, 0.2, 2.0), DVec3::Z), None, "behind");
        assert_eq!(through(triangle, DVec3::new(0.2, 0.2, 2.0), DVec3::X), None, "along it");
    }
}
