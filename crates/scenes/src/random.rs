//! Scenes nobody tuned for: shapes of every convex kind at odd angles, light beside heavy, slow and fast,
//! neighbours jointed or not, above the ground or in free space. A seed says all; what a [`RandomScene`]
//! chose can be changed before the scene is made.

use drystone::geometry::Shape;
use drystone::model::{BodyDef, BodyId, DVec3, JointDef, ModelBuilder, ShapeDef};
use drystone_kernels::elementary::pow;

use crate::rng::Rng;
use crate::scene::SceneError;

/// Distance of neighbours that leaves room for any two bodies in any turn \[m\].
const SPREAD: f64 = 2.1;
/// Distance of neighbours that lets some start in each other \[m\].
const CROWDED: f64 = 0.9;
/// Bodies start at most this far from their place in the grid, along each axis \[m\].
const JITTER: f64 = 0.1;
/// Largest spin about each axis \[rad/s\].
const SPIN: f64 = 20.0;
/// Share of neighbours that are jointed.
const JOINTED: f64 = 0.3;

/// What a random scene is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomScene {
    /// Everything that is not said below follows from it.
    pub seed: u32,
    /// Bodies.
    pub count: usize,
    /// Largest start velocity along each axis \[m/s\].
    pub speed: f64,
    /// Ratio of the largest to the smallest density.
    pub mass_ratio: f64,
    /// Time step to run it with \[s\].
    pub dt: f64,
    /// Whether about a third of the neighbours are jointed.
    pub joints: bool,
    /// Whether two of five bodies bounce, with a restitution of 0.5 or 0.9.
    pub bouncy: bool,
    /// Whether it floats without gravity and ground, its bodies flying towards each other.
    pub free: bool,
    /// Whether neighbours start too near to be sure that they do not overlap.
    pub crowded: bool,
}

impl RandomScene {
    /// The scene of a seed: half of them bounce, three of four have joints, every fourth floats.
    pub fn of_seed(seed: u32) -> Self {
        let mut rng = Rng::new(seed);
        Self {
            seed,
            count: rng.choice(&[8, 20, 60]),
            speed: rng.choice(&[0.0, 5.0, 30.0, 100.0]),
            mass_ratio: rng.choice(&[1.0, 10.0, 100.0, 1000.0]),
            dt: 1.0 / rng.choice(&[30.0, 60.0, 120.0]),
            joints: rng.unit() < 0.75,
            bouncy: rng.unit() < 0.5,
            free: rng.unit() < 0.25,
            crowded: rng.unit() < 0.5,
        }
    }

    /// The scene, ready to be finalized. Fails only if a hull comes out flat.
    pub fn build(&self) -> Result<ModelBuilder, SceneError> {
        // Not the stream that chose the scene, so that a changed choice changes nothing else.
        let mut rng = Rng::new(self.seed.wrapping_add(0x8000_0000));
        let mut scene = drystone::new_model();
        if self.free {
            scene.gravity(DVec3::ZERO);
        } else {
            scene.ground();
        }
        let bodies = (0..self.count).map(|index| self.add_body(&mut scene, &mut rng, index));
        let bodies = bodies.collect::<Result<Vec<BodyId>, SceneError>>()?;
        if self.joints {
            bodies.windows(2).for_each(|pair| add_joint(&mut scene, &mut rng, pair[0], pair[1]));
        }
        Ok(scene)
    }

    fn add_body(&self, scene: &mut ModelBuilder, rng: &mut Rng, index: usize) -> Result<BodyId, SceneError> {
        let shape = random_shape(rng)?;
        let density = 1000.0 * pow(self.mass_ratio, rng.unit());
        let friction = rng.choice(&[0.0, 0.3, 0.6, 1.0]);
        let restitution = rng.choice(&[0.0, 0.0, 0.0, 0.5, 0.9]);
        let shape = shape.density(density).friction(friction);
        let shape = shape.restitution(if self.bouncy { restitution } else { 0.0 });
        let place = self.place(index) + in_cube(rng, JITTER);
        let turn = rng.turn();
        // In free space everything also flies to the middle at half its speed, or it would never meet.
        let inward =
            if self.free { -0.5 * self.speed * (place - self.middle()).normalize_or_zero() } else { DVec3::ZERO };
        let velocity = in_cube(rng, self.speed) + inward;
        let body = BodyDef::dynamic(format!("b{index}")).at(place).rotated(turn).velocity(velocity);
        Ok(scene.add_body(body.spin(in_cube(rng, SPIN)).shape(shape)))
    }

    fn pitch(&self) -> f64 {
        if self.crowded { CROWDED } else { SPREAD }
    }

    fn across(&self) -> usize {
        (1..).find(|side| side * side * side >= self.count).unwrap_or(1)
    }

    fn place(&self, index: usize) -> DVec3 {
        let (side, pitch) = (self.across(), self.pitch());
        let cell = DVec3::new((index % side) as f64, (index / side % side) as f64, (index / side / side) as f64);
        pitch * cell + DVec3::Z * (0.5 * pitch + 0.1)
    }

    fn middle(&self) -> DVec3 {
        (0..self.count).map(|index| self.place(index)).sum::<DVec3>() / self.count.max(1) as f64
    }
}

/// A point of the cube of half width `half` about the origin.
fn in_cube(rng: &mut Rng, half: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.uniform(-half, half)))
}

/// One of seven kinds, 0.2 to 0.8 m across and longer.
fn random_shape(rng: &mut Rng) -> Result<ShapeDef, SceneError> {
    let size = 0.2 * rng.choice(&[0.5, 1.0, 1.0, 2.0]);
    Ok(match rng.choice(&[0, 1, 2, 3, 4, 5, 6]) {
        0 => {
            let mut side = || size * rng.uniform(0.3, 1.5);
            ShapeDef::cuboid(DVec3::new(side(), size, side()))
        }
        1 => ShapeDef::sphere(size),
        2 => ShapeDef::capsule(0.5 * size, size),
        3 => ShapeDef::cylinder(size, size * rng.uniform(0.2, 1.0)),
        4 => ShapeDef::cone(size, size),
        5 => ShapeDef::ellipsoid(size * DVec3::new(1.0, 0.6, 1.3)),
        _ => {
            let points: Vec<DVec3> = (0..12).map(|_| in_cube(rng, size)).collect();
            ShapeDef::new(Shape::hull(&points)?)
        }
    })
}

fn add_joint(scene: &mut ModelBuilder, rng: &mut Rng, parent: BodyId, child: BodyId) {
    // Drawn whether or not there is a joint, so that one joint more does not change the others.
    let (chance, kind, axis) = (rng.unit(), rng.choice(&[0, 1, 2, 3]), rng.choice(&[DVec3::X, DVec3::Y, DVec3::Z]));
    if chance >= JOINTED {
        return;
    }
    let anchor = 0.5 * (scene.body_pose(parent).translation + scene.body_pose(child).translation);
    scene.add_joint(match kind {
        0 => JointDef::ball(parent, child, anchor),
        1 => JointDef::revolute(parent, child, anchor, axis),
        2 => JointDef::fixed(parent, child, anchor),
        _ => JointDef::prismatic(parent, child, anchor, axis),
    });
}

#[cfg(test)]
mod tests {
    use drystone::collide::{Collide, CollideOptions};

    use super::*;

    #[test]
    fn a_seed_gives_the_same_scene_again_and_another_seed_another() {
        let hash = |seed| RandomScene::of_seed(seed).build().unwrap().finalize().unwrap().hash();
        assert_eq!(hash(5), hash(5));
        assert_ne!(hash(5), hash(6));
    }

    /// What is changed by hand changes nothing else: without bounce the bodies are where they were.
    #[test]
    fn a_changed_choice_keeps_the_rest() {
        let mut random = RandomScene { joints: true, bouncy: true, ..RandomScene::of_seed(3) };
        let before = random.build().unwrap().finalize().unwrap();
        random.bouncy = false;
        let after = random.build().unwrap().finalize().unwrap();
        assert_eq!(before.body_q, after.body_q);
        assert_eq!(before.body_mass, after.body_mass);
        assert_eq!(before.joint_kind, after.joint_kind);
        assert!(before.shape_material.iter().any(|material| material.restitution > 0.0));
        assert!(after.shape_material.iter().all(|material| material.restitution == 0.0));
    }

    /// Every hundred seeds hold each kind of scene.
    #[test]
    fn scenes_vary_in_everything() {
        let scenes: Vec<RandomScene> = (0..100).map(RandomScene::of_seed).collect();
        let some = |test: fn(&RandomScene) -> bool| scenes.iter().any(test) && !scenes.iter().all(test);
        assert!(some(|random| random.count == 60) && some(|random| random.speed == 100.0));
        assert!(some(|random| random.mass_ratio == 1000.0) && some(|random| random.dt > 0.03));
        assert!(some(|random| random.joints) && some(|random| random.bouncy));
        assert!(some(|random| random.free) && some(|random| random.crowded));
    }

    /// Spread scenes start free of overlap; crowded ones need not.
    #[test]
    fn spread_bodies_start_apart() {
        let mut crowded_overlap = 0.0_f64;
        for seed in 0..20 {
            for crowded in [false, true] {
                let random = RandomScene { crowded, count: 20, ..RandomScene::of_seed(seed) };
                let model = random.build().unwrap().finalize().unwrap();
                let mut collide = Collide::new(&model, CollideOptions::default());
                collide.detect(&model, &model.state(), 1e-6);
                let overlap = collide.contacts.point_gap.iter().fold(0.0_f64, |deepest, gap| deepest.max(-gap));
                if crowded {
                    crowded_overlap = crowded_overlap.max(overlap);
                } else {
                    assert_eq!(overlap, 0.0, "seed {seed}");
                }
            }
        }
        assert!(crowded_overlap > 0.01, "{crowded_overlap}");
    }
}
