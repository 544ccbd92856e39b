//! From the CPU to a device: accelerations, contacts and loads of the last step in the words of the device (`gpu/layout.rs`).

use drystone_collide::Collide;
use drystone_kernels::double::math::Vec6;
use drystone_model::{BodyKind, Contacts, DVec3, Model, State, WORLD};

use super::Vbd;
use super::contact_cache::CachedPoint;
use super::resident::Memory;

/// No axis is known; as `drystone_collide::gpu::NO_AXIS`.
const NO_AXIS: u32 = u32::MAX;

/// Names of the points of a manifold on the device, eight bits each: in their order.
const FIRST_NAMES: u32 = 0x0302_0100;

/// What the device goes on with. Poses and velocities are those of the state.
pub fn memory(solver: &Vbd, model: &Model, _state: &State, collide: &Collide) -> Memory {
    let mut memory = Memory {
        last: (0..=model.body_count()).flat_map(|slot| six(solver.bodies.last_acceleration.get(slot))).collect(),
        jolted: vec![0; model.body_count() + 1],
        ..Memory::default()
    };
    let contacts = &collide.contacts;
    let mut rows: Vec<(u32, u32, usize)> = (0..contacts.manifold_count()).map(|m| owned(model, contacts, m)).collect();
    rows.sort_unstable();
    memory.start = vec![0; model.shape_count() + 1];
    for &(owner, other, manifold) in &rows {
        memory.start[owner as usize + 1] += 1;
        add(&mut memory, model, collide, manifold, other, &solver.contact_cache);
    }
    for shape in 0..model.shape_count() {
        memory.start[shape + 1] += memory.start[shape];
    }
    memory
}

fn six(v: Option<&Vec6>) -> [f32; 8] {
    let v = v.copied().unwrap_or_default();
    [v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z, 0.0, 0.0].map(|x| x as f32)
}

/// Owner of the pair of a manifold, the other shape, and the manifold; by the rule of `drystone_collide::gpu`.
fn owned(model: &Model, contacts: &Contacts, manifold: usize) -> (u32, u32, usize) {
    let (a, b) = (contacts.manifold_shape0[manifold], contacts.manifold_shape1[manifold]);
    let moves = |shape: u32| {
        let body = model.shape_body[shape as usize];
        body != WORLD && model.body_kind[body as usize] == BodyKind::Dynamic
    };
    if moves(a) { (a, b, manifold) } else { (b, a, manifold) }
}

fn add(memory: &mut Memory, model: &Model, collide: &Collide, manifold: usize, other: u32, cache: &[CachedPoint]) {
    let contacts = &collide.contacts;
    let range = contacts.points(manifold);
    let shapes = [contacts.manifold_shape0[manifold], contacts.manifold_shape1[manifold]];
    memory.pair.extend([other, NO_AXIS, range.len().min(4) as u32, FIRST_NAMES]);
    let normal = contacts.manifold_normal[manifold];
    memory.anchor.extend([normal.x as f32, normal.y as f32, normal.z as f32, 0.0]);
    let [anchors0, anchors1] = collide.anchors();
    for lane in 0..4 {
        let point = range.start + lane;
        if point >= range.end {
            memory.anchor.extend([0.0; 6]);
            memory.memory.extend([0.0; 16]);
            continue;
        }
        memory.anchor.extend(three(anchors0[point]));
        memory.anchor.extend(three(anchors1[point]));
        let cached = cache.get(point).copied().unwrap_or_default();
        memory.memory.extend(cached.force.map(|x| x as f32));
        memory.memory.extend([cached.load, cached.before, cached.gain, f64::from(cached.stuck)].map(|x| x as f32));
        for (side, &shape) in shapes.iter().enumerate() {
            // From the frame of the body to that of the shape.
            let pose = model.shape_pose[shape as usize];
            memory.memory.extend(three(pose.inverse_transform_point(cached.anchor[side])));
        }
        memory.memory.extend(cached.torque.map(|x| x as f32));
    }
}

fn three(v: DVec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}
