//! Which pieces may meet in a step, and the drift that they share.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::{Aabb, DVec3};
use drystone_model::{Model, WORLD};

use crate::guard::Ways;
use drystone_solve::graph::union::{flatten, unite};

/// Pieces of cloth, soft bodies and strings, and those that come near each other in a step. All indices are the model's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    /// First particle of the piece that every particle belongs to.
    piece: Vec<u32>,
    /// Particles that can meet others, ascending.
    members: Vec<u32>,
    world: Vec<u32>,
    /// First particle of the group of every particle, and the drift of the group that begins with it \[m\].
    group: Vec<u32>,
    drift: Vec<DVec3>,
    /// By the first particle of a piece.
    boxes: Vec<Aabb>,
}

impl Groups {
    pub(crate) fn new(model: &Model) -> Self {
        let mut piece: Vec<u32> = (0..model.particle_count() as u32).collect();
        let springs = model.spring_particle.iter().map(|ends| &ends[..]);
        let triangles = model.triangle_particle.iter().map(|corners| &corners[..]);
        let solids = model.tet_particle.iter().map(|corners| &corners[..]);
        for corners in springs.chain(triangles).chain(solids) {
            corners[1..].iter().for_each(|&corner| unite(&mut piece, corners[0], corner));
        }
        let seams = model.attachment_particle.iter().zip(&model.attachment_other);
        seams.filter(|(_, other)| **other != WORLD).for_each(|(&one, &other)| unite(&mut piece, one, other));
        flatten(&mut piece);
        let thick = |particle: &u32| model.particle_radius[*particle as usize] > 0.0;
        let members = (0..model.particle_count() as u32).filter(thick).collect();
        let count = model.particle_count();
        Self {
            group: piece.clone(),
            piece,
            members,
            world: model.particle_world.clone(),
            drift: vec![DVec3::ZERO; count],
            boxes: vec![Aabb::EMPTY; count],
        }
    }

    /// The group of every particle.
    pub(crate) fn group(&self) -> &[u32] {
        &self.group
    }

    /// The way that all of a group take \[m\].
    pub(crate) fn drift(&self, particle: usize) -> DVec3 {
        self.drift[self.group[particle] as usize]
    }

    /// Finds the groups of a step, particles being as large as `radius` says \[m\]. Where nothing is led, all of a world are one group,
    /// whose drift is how far its particles go in the mean. Where something is, those are whose ways come near each other, and
    /// those with a led one do not drift.
    pub(crate) fn find(&mut self, ways: &Ways, radius: impl Fn(usize) -> f64) {
        let Self { piece, members, world, group, drift, boxes } = self;
        boxes.fill(Aabb::EMPTY);
        for particle in members.iter().map(|&particle| particle as usize) {
            let (from, to) = (ways.from[particle], ways.to[particle]);
            let own = &mut boxes[piece[particle] as usize];
            *own = own.union(Aabb::new(from.min(to), from.max(to)).inflated(radius(particle)));
        }
        let worlds = world.iter().max().map_or(0, |&last| last as usize + 1);
        let mut held = vec![false; worlds];
        let mut head = vec![u32::MAX; worlds];
        for (particle, &world) in world.iter().enumerate() {
            held[world as usize] |= ways.led[particle];
            head[world as usize] = head[world as usize].min(particle as u32);
        }
        group.clear();
        group.extend(piece.iter().zip(world.iter()).map(|(&piece, &world)| match held[world as usize] {
            true => piece,
            false => head[world as usize],
        }));
        let loose = |first: &u32| held[world[*first as usize] as usize] && !boxes[*first as usize].is_empty();
        let first: Vec<u32> = (0..piece.len() as u32).filter(loose).collect();
        if first.len() > 1 {
            let tree = Bvh::build(&first.iter().map(|&first| boxes[first as usize]).collect::<Vec<_>>());
            tree.self_pairs(|a, b| {
                let [a, b] = [first[a as usize], first[b as usize]];
                if world[a as usize] == world[b as usize] {
                    unite(group, a, b);
                }
            });
            flatten(group);
        }
        drift.fill(DVec3::ZERO);
        let mut count = vec![0.0; group.len()];
        for particle in 0..group.len() {
            let own = group[particle] as usize;
            count[own] += 1.0;
            let off = ways.to[particle] - ways.from[particle] - drift[own];
            drift[own] += off / count[own];
        }
        for particle in (0..group.len()).filter(|&particle| ways.led[particle]) {
            drift[group[particle] as usize] = DVec3::ZERO;
        }
    }
}
