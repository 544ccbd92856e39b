//! How firm contacts are, and what they may carry.

use super::Touch;

/// Share of an overlap at the start of a step that is taken back in it.
const RECOVERED: f64 = 0.1;
/// The same among particles, whose nearest points jump along edges.
const RECOVERED_AMONG: f64 = 0.02;
/// Firmness of a penalty beside the inertia of its particles. Beside its share of a body it is one: a firmer one would part the system from
/// the matrix that its solve is led by, in which bodies stand still.
const FIRM: f64 = 10.0;
/// Loads are held by a penalty that they shift by this share of the fall of a step.
const LOAD_SHIFT: f64 = 0.5;

/// A connected piece as its contacts see it.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// \[kg\].
    pub mass: f64,
    /// The same with the bodies that hold it and move by forces \[kg\].
    pub tied: f64,
    /// Whether a pin or an attachment to what does not move by forces holds it.
    pub held: bool,
}

/// What penalties go by.
pub struct Scale<'a> {
    /// Mass of every particle, by the mesh's index \[kg\].
    pub mass: &'a [f64],
    /// The piece of every particle, likewise.
    pub piece: &'a [Piece],
    /// Particles that move.
    pub free: usize,
    /// Acceleration that turns a load into a mass \[m/s²\].
    pub gravity: f64,
    /// Length of the step \[s\].
    pub h: f64,
}

/// Mass of the heavier of the pieces of a contact, with the bodies that hold it \[kg\].
fn heaviest(touch: &Touch, scale: &Scale) -> f64 {
    let free = touch.corners().filter(|&(particle, _)| (particle as usize) < scale.free);
    free.map(|(particle, _)| scale.piece[particle as usize].tied).fold(0.0, f64::max)
}

/// Share of an overlap that is taken back in the step. Among particles none where more is carried than the weight of the piece: a knot that
/// was pulled tight while it overlapped would stretch its rope for it.
pub fn recovered(touch: &Touch, scale: &Scale) -> f64 {
    if touch.ground.body.is_some() {
        return RECOVERED;
    }
    let pushed = scale.gravity + RECOVERED_AMONG * touch.overlap / (scale.h * scale.h);
    if touch.multiplier > heaviest(touch, scale) * pushed { 0.0 } else { RECOVERED_AMONG }
}

/// Mass that the particles of a contact set against it \[kg\]; none if they are pinned.
fn own_mass(touch: &Touch, scale: &Scale) -> f64 {
    let moving = |(particle, weight): (u32, f64)| match (particle as usize) < scale.free {
        true => weight * weight / scale.mass[particle as usize],
        false => 0.0,
    };
    let mobility: f64 = touch.corners().map(moving).sum();
    if mobility > 0.0 { 1.0 / mobility } else { 0.0 }
}

/// Mass that a contact stops beside its own particles \[kg\]: its share of the body. A bond to what does not move holds the whole piece, as
/// a pin would; one to a heavy body takes a piece that floats along and need be no firmer than the piece is heavy.
fn stopped(touch: &Touch, scale: &Scale, body_share: f64) -> f64 {
    let free = |&(particle, _): &(u32, f64)| (particle as usize) < scale.free;
    let Some((particle, _)) = touch.corners().find(free).filter(|_| touch.bond.is_some()) else { return body_share };
    let Piece { mass, held, .. } = scale.piece[particle as usize];
    match (touch.fixed, held) {
        (true, _) => mass,
        (false, true) => body_share,
        (false, false) => body_share.min(mass),
    }
}

/// Firm enough to stop its own particles and its share of the body in a step, and for a load to shift it by a part of a fall only. Among
/// particles firm enough to stop the whole piece, with what hangs on it: layers that are pressed together by a taut sheet or rope give way to
/// each other no farther than the piece falls in a step.
pub fn penalty(touch: &Touch, scale: &Scale, body_share: f64, crowd: f64) -> f64 {
    let mass = match touch.ground.body {
        Some(_) => (FIRM * own_mass(touch, scale)).max(stopped(touch, scale, body_share)),
        None => heaviest(touch, scale) / crowd,
    };
    let fall = scale.gravity * scale.h * scale.h;
    let carried = if touch.bond.is_some() { touch.tangent.length() } else { touch.multiplier };
    let load = if fall > 0.0 { carried / (LOAD_SHIFT * fall) } else { 0.0 };
    (mass / (scale.h * scale.h)).max(load).max(f64::MIN_POSITIVE)
}
