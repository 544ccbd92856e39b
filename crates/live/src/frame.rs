//! Frames: what moves, as bytes. The layout is that of `docs/view-inside.md`.

use drystone::model::DVec3;

use crate::command::Show;
use crate::groups::{colors, islands};
use crate::moment::Moment;
use crate::pack::Pack;

/// Version of the layout.
pub const VERSION: u8 = 1;
/// Bytes of the head of a frame.
pub const HEAD_BYTES: usize = 32;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Where everything is.
    State = 0,
    /// Figures, as JSON.
    Report = 1,
    /// Nothing: the connection lives.
    Alive = 2,
    /// The end, as JSON.
    Bye = 3,
    /// The scene has changed.
    Scene = 4,
}

/// Flags of the sections of a frame.
pub mod flag {
    /// Poses.
    pub const BODIES: u16 = 1;
    /// Deformation.
    pub const AFFINE: u16 = 2;
    /// Particles.
    pub const PARTICLES: u16 = 4;
    /// Contacts.
    pub const CONTACTS: u16 = 8;
    /// Who sleeps, is frozen or was taken out.
    pub const MARKS: u16 = 16;
    /// Velocities.
    pub const VELOCITIES: u16 = 32;
    /// Islands and colours.
    pub const GROUPS: u16 = 64;
    /// Bounding boxes.
    pub const BOUNDS: u16 = 128;
    /// The other solver.
    pub const SECOND: u16 = 256;
    /// What is held.
    pub const HELD: u16 = 512;
    /// How deep contacts overlap.
    pub const DEPTHS: u16 = 1024;
}

/// What the encoder needs to know besides the moment.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Subtracted from every position \[m\].
    pub origin: DVec3,
    /// What is shown.
    pub show: Show,
    /// Contacts at most.
    pub contacts: usize,
    /// Generation of the scene.
    pub generation: u32,
}

/// A frame of a kind with its content after the head.
pub fn frame_of(kind: Kind, flags: u16, generation: u32, step: u64, time: f64, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES + content.len());
    bytes.extend(((HEAD_BYTES - 4 + content.len()) as u32).to_le_bytes());
    bytes.extend([kind as u8, VERSION]);
    bytes.extend(flags.to_le_bytes());
    bytes.extend(generation.to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    bytes.extend(step.to_le_bytes());
    bytes.extend(time.to_le_bytes());
    bytes.extend(content);
    bytes
}

/// The head of a frame with the number of frames dropped for one reader.
pub fn with_dropped(frame: &[u8], dropped: u32) -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    head.copy_from_slice(&frame[..HEAD_BYTES]);
    head[12..16].copy_from_slice(&dropped.to_le_bytes());
    head
}

/// The kind of a frame, as its number.
pub fn kind_of(frame: &[u8]) -> u8 {
    frame[4]
}

/// The step of a frame.
pub fn step_of(frame: &[u8]) -> u64 {
    frame[16..24].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The state of a moment, and that of another solver beside it.
pub fn state_frame(moment: &Moment<'_>, second: Option<&Moment<'_>>, style: &Style) -> Vec<u8> {
    let mut pack = Pack::default();
    let mut flags = sections(moment, style, &mut pack);
    if let Some([point, target]) = moment.held {
        pack.vector(point - style.origin);
        pack.vector(target - style.origin);
        flags |= flag::HELD;
    }
    flags |= depths(moment, style, &mut pack);
    if let Some(second) = second {
        let mut other = Pack::default();
        let mut inner = sections(second, style, &mut other);
        inner |= depths(second, style, &mut other);
        pack.u16(inner);
        pack.u16(0);
        pack.bytes.extend(other.bytes);
        flags |= flag::SECOND;
    }
    frame_of(Kind::State, flags, style.generation, moment.step, moment.state.time, &pack.bytes)
}

/// Appends the sections of one solver and returns their flags.
fn sections(moment: &Moment<'_>, style: &Style, pack: &mut Pack) -> u16 {
    let mut flags = bodies(moment, style, pack);
    flags |= affine(moment, pack);
    flags |= particles(moment, style, pack);
    if style.show.contacts {
        flags |= contacts(moment, style, pack);
    }
    flags |= marks(moment, pack);
    if style.show.velocities {
        flags |= velocities(moment, pack);
    }
    if style.show.groups {
        flags |= groups(moment, pack);
    }
    if style.show.bounds {
        flags |= bounds(moment, style, pack);
    }
    flags
}

fn bodies(moment: &Moment<'_>, style: &Style, pack: &mut Pack) -> u16 {
    let poses = &moment.state.body_q;
    pack.bytes.reserve(4 + 20 * poses.len());
    pack.u32(poses.len() as u32);
    for pose in poses {
        pack.vector(pose.translation - style.origin);
    }
    for pose in poses {
        for part in pose.rotation.to_array() {
            pack.bytes.extend(((part * 32767.0).round() as i16).to_le_bytes());
        }
    }
    flag::BODIES
}

fn affine(moment: &Moment<'_>, pack: &mut Pack) -> u16 {
    let rows = &moment.state.body_affine;
    if rows.is_empty() {
        return 0;
    }
    pack.u32(rows.len() as u32);
    for row in rows {
        (0..12).filter(|at| at % 4 != 3).for_each(|at| pack.f32(row[at]));
    }
    flag::AFFINE
}

fn particles(moment: &Moment<'_>, style: &Style, pack: &mut Pack) -> u16 {
    let places = &moment.state.particle_q;
    if places.is_empty() {
        return 0;
    }
    pack.u32(places.len() as u32);
    places.iter().for_each(|&place| pack.vector(place - style.origin));
    flag::PARTICLES
}

fn contacts(moment: &Moment<'_>, style: &Style, pack: &mut Pack) -> u16 {
    let all = moment.contacts();
    let shown = &all[..all.len().min(style.contacts)];
    pack.u32(shown.len() as u32);
    pack.u32(all.len() as u32);
    for contact in shown {
        pack.vector(contact.point() - style.origin);
        pack.vector(contact.force);
        contact.body.into_iter().for_each(|body| pack.i32(moment.frame_index(body)));
    }
    flag::CONTACTS
}

fn depths(moment: &Moment<'_>, style: &Style, pack: &mut Pack) -> u16 {
    if !style.show.contacts {
        return 0;
    }
    let all = moment.contacts();
    let shown = &all[..all.len().min(style.contacts)];
    pack.u32(shown.len() as u32);
    for contact in shown {
        let [from, to] = contact.position;
        pack.f32((from - to).dot(contact.normal));
    }
    flag::DEPTHS
}

fn marks(moment: &Moment<'_>, pack: &mut Pack) -> u16 {
    let mark = |body: usize| {
        let asleep = moment.sim.is_some_and(|sim| sim.solver().is_asleep(body));
        let frozen = moment.frozen.is_some_and(|frozen| frozen.contains_key(&moment.body_id(body).0));
        let out = moment.state.body_quarantined.get(body).copied().unwrap_or_default();
        u8::from(asleep) | u8::from(frozen) << 1 | u8::from(out) << 2
    };
    let marks: Vec<u8> = (0..moment.model.body_count()).map(mark).collect();
    if marks.iter().all(|&mark| mark == 0) {
        return 0;
    }
    pack.u32(marks.len() as u32);
    pack.bytes.extend(marks);
    flag::MARKS
}

fn velocities(moment: &Moment<'_>, pack: &mut Pack) -> u16 {
    pack.u32(moment.state.body_qd.len() as u32);
    moment.state.body_qd.iter().for_each(|velocity| pack.vector(velocity.linear));
    flag::VELOCITIES
}

fn groups(moment: &Moment<'_>, pack: &mut Pack) -> u16 {
    let islands = islands(moment);
    pack.u32(islands.len() as u32);
    for (island, color) in islands.into_iter().zip(colors(moment)) {
        pack.u16(island);
        pack.u16(color);
    }
    flag::GROUPS
}

fn bounds(moment: &Moment<'_>, style: &Style, pack: &mut Pack) -> u16 {
    let (model, state) = (moment.model, moment.state);
    let mut boxes = vec![[DVec3::INFINITY, DVec3::NEG_INFINITY]; model.body_count()];
    for shape in (0..model.shape_count()).filter(|&shape| model.is_solid(shape)) {
        let Some(pose) = state.body_q.get(model.shape_body[shape] as usize) else { continue };
        let around = model.shape_geometry[shape].aabb(&(*pose * model.shape_pose[shape]));
        let of_body = &mut boxes[model.shape_body[shape] as usize];
        *of_body = [of_body[0].min(around.min), of_body[1].max(around.max)];
    }
    pack.u32(boxes.len() as u32);
    for (body, [lower, upper]) in boxes.into_iter().enumerate() {
        // A body without shapes is a point.
        let point = state.body_q[body].translation;
        let [lower, upper] = if lower.x <= upper.x { [lower, upper] } else { [point, point] };
        pack.vector(lower - style.origin);
        pack.vector(upper - style.origin);
    }
    flag::BOUNDS
}
