//! What must not change the motion of anything: units of mass, length and time, the direction of space, mirrors, the order of
//! bodies, and what is far away. Held on one scene with contacts of several shapes, a bounce, rolling friction and joints.

use drystone_model::{BodyDef, BodyId, DQuat, DVec3, JointDef, Material, ModelBuilder, Pose, ShapeDef, WORLD};

use crate::bench::Bench;

/// How a scene is told otherwise.
#[derive(Clone, Copy)]
struct Telling {
    length: f64,
    mass: f64,
    time: f64,
    turn: DQuat,
    mirror: bool,
    backwards: bool,
}

const PLAIN: Telling =
    Telling { length: 1.0, mass: 1.0, time: 1.0, turn: DQuat::IDENTITY, mirror: false, backwards: false };
const DT: f64 = 1.0 / 60.0;
const STEPS: usize = 24;
/// Enough that sweeps end by converging. Where they end by their number, what they leave undone differs by the last bit: with ten,
/// hinged bodies in contact differ by 3e-4 m.
const SWEEPS: u32 = 20;

impl Telling {
    fn flip(&self, v: DVec3) -> DVec3 {
        if self.mirror { DVec3::new(v.x, -v.y, v.z) } else { v }
    }

    /// A place or a way.
    fn way(&self, v: DVec3) -> DVec3 {
        self.turn * self.flip(v) * self.length
    }

    /// A rotation, a spin or an axis: mirrors turn them the other way.
    fn axial(&self, v: DVec3) -> DVec3 {
        self.turn * if self.mirror { -self.flip(v) } else { v }
    }

    fn pose(&self, place: DVec3, turn: DVec3) -> Pose {
        let local = DQuat::from_scaled_axis(if self.mirror { -self.flip(turn) } else { turn });
        Pose::from_parts(self.way(place), self.turn * local)
    }

    fn material(&self, restitution: f64, rolling: f64) -> Material {
        let mut material = Material { restitution, friction_rolling: rolling * self.length, ..Material::default() };
        material.set_friction(0.5);
        material
    }

    /// Nothing lies flat on anything: which of two parallel faces bears the points is a toss the last bit may decide. Nor does
    /// the rim of a cylinder meet the edge of a box, which has one point or two by the same toss, nor does anything pass close
    /// by a corner: a contact foreseen there acts or does not as swept boxes, which know the axes of the world, overlap or not.
    fn scene(&self) -> ModelBuilder {
        let mut scene = ModelBuilder::new();
        scene.gravity(self.way(DVec3::Z * -9.81) / self.time.powi(2));
        scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, self.turn * DVec3::Z).friction(0.5));
        let l = self.length;
        let shapes = [
            ("box", ShapeDef::cuboid(DVec3::new(0.25, 0.2, 0.3) * l), self.material(0.0, 0.0)),
            ("ball", ShapeDef::sphere(0.2 * l), self.material(0.6, 0.01)),
            ("capsule", ShapeDef::capsule(0.1 * l, 0.2 * l), self.material(0.0, 0.0)),
            ("cylinder", ShapeDef::cylinder(0.2 * l, 0.15 * l), self.material(0.3, 0.0)),
            ("cone", ShapeDef::cone(0.2 * l, 0.2 * l), self.material(0.0, 0.0)),
            ("link", ShapeDef::cuboid(DVec3::new(0.05, 0.05, 0.2) * l), self.material(0.0, 0.0)),
        ];
        let mut order: Vec<usize> = (0..shapes.len()).collect();
        if self.backwards {
            order.reverse();
        }
        let mut bodies = [BodyId(WORLD); 6];
        for index in order {
            let (name, shape, material) = &shapes[index];
            let (x, y) = ((index % 3) as f64, (index / 3) as f64);
            let place = match *name {
                "ball" => DVec3::new(0.03, 0.02, 1.15),
                "cylinder" | "cone" => DVec3::new(0.45 * x + 0.03, 1.0 - 0.02 * x, 0.9 + 0.11 * x),
                _ => DVec3::new(0.45 * x + 0.03 * y, 0.4 * y - 0.02 * x, 0.55 + 0.35 * y + 0.11 * x),
            };
            let turn = DVec3::new(0.3 + 0.2 * x, 0.1 - 0.3 * y, 0.2 * x);
            let body = BodyDef::dynamic(*name).pose(self.pose(place, turn)).mass((1.0 + index as f64) * self.mass);
            // The ball comes down on the box.
            let fall = if *name == "ball" { DVec3::new(0.4, 0.0, -1.0) } else { DVec3::ZERO };
            let velocity = self.way(DVec3::new(0.4 - 0.4 * x, 0.3 - 0.5 * y, -1.5) + fall) / self.time;
            let spin = self.axial(DVec3::new(1.0 - x, 2.0 * y, 0.5)) / self.time;
            bodies[index] = scene.add_body(body.velocity(velocity).spin(spin).shape(shape.clone().material(*material)));
        }
        let middle = |a: BodyId, b: BodyId, scene: &ModelBuilder| {
            0.5 * (scene.body_pose(a).translation + scene.body_pose(b).translation)
        };
        let anchor = middle(bodies[2], bodies[5], &scene);
        scene.add_joint(JointDef::ball(bodies[2], bodies[5], anchor));
        let anchor = middle(bodies[3], bodies[4], &scene);
        scene.add_joint(JointDef::revolute(bodies[3], bodies[4], anchor, self.axial(DVec3::new(0.2, 1.0, 0.1))));
        scene
    }

    /// Where the bodies end, by name, told in plain words again.
    fn ends(&self) -> Vec<DVec3> {
        let ends = ends(&self.scene(), DT * self.time);
        ends.into_iter().map(|end| self.flip(self.turn.conjugate() * end) / self.length).collect()
    }
}

const NAMES: [&str; 6] = ["box", "ball", "capsule", "cylinder", "cone", "link"];

fn ends(scene: &ModelBuilder, dt: f64) -> Vec<DVec3> {
    let mut bench = Bench::new(scene, dt, SWEEPS);
    bench.run(STEPS as f64 * dt);
    let place = |name: &&str| bench.pose(bench.model.body_named(name).unwrap().0 as usize).translation;
    NAMES.iter().map(place).collect()
}

/// How far apart the ends of two tellings are \[m\].
fn off(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

/// What rounding may move bodies by that only touch \[m\]; the worst seen is 1e-15.
const ROUNDING: f64 = 1e-13;

/// Ends the same: bodies that only touch to rounding, those of joints to `jointed`.
fn agrees(what: &str, telling: Telling, jointed: f64) {
    let (plain, told) = (PLAIN.ends(), telling.ends());
    let (touching, held) = (off(&plain[..2], &told[..2]), off(&plain[2..], &told[2..]));
    eprintln!("{what}: {touching:.1e} m, in joints {held:.1e} m");
    assert!(touching <= ROUNDING && held <= jointed, "{what}: {touching} m, in joints {held} m");
}

/// Bodies have met: without contacts and joints they would be elsewhere.
#[test]
fn the_scene_shows_something() {
    let start: Vec<DVec3> = {
        let model = PLAIN.scene().finalize().unwrap();
        NAMES.iter().map(|name| model.body_q[model.body_named(name).unwrap().0 as usize].translation).collect()
    };
    let mut met = 0;
    let mut bench = Bench::new(&PLAIN.scene(), DT, SWEEPS);
    for _ in 0..STEPS {
        met = met.max(bench.step().contact_count);
    }
    assert!(met >= 6, "{met} contacts");
    assert!(off(&start, &PLAIN.ends()) > 0.3);
}

#[test]
fn mass_has_no_unit() {
    assert_eq!(PLAIN.ends(), Telling { mass: 1024.0, ..PLAIN }.ends(), "a factor of 1024 changes no bit");
    agrees("masses × 1000", Telling { mass: 1000.0, ..PLAIN }, 1e-10);
}

#[test]
fn length_has_no_unit() {
    agrees("lengths × 100", Telling { length: 100.0, ..PLAIN }, 1e-10);
    agrees("lengths × 0.01", Telling { length: 0.01, ..PLAIN }, 1e-10);
}

#[test]
fn time_has_no_unit() {
    agrees("time × 10", Telling { time: 10.0, ..PLAIN }, 1e-10);
    agrees("time × 0.1", Telling { time: 0.1, ..PLAIN }, 1e-10);
}

/// Newton steps that close joints stop at a tolerance that leaves 1e-9 m, in the axes of the world; contacts make 3e-8 m of it.
#[test]
fn space_has_no_direction() {
    for axis in [DVec3::new(1.1, 0.2, 0.3), DVec3::new(-0.4, 2.0, 0.7), DVec3::new(0.3, -0.2, 2.9)] {
        agrees(&format!("turned by {axis}"), Telling { turn: DQuat::from_scaled_axis(axis), ..PLAIN }, 1e-7);
    }
}

#[test]
fn a_mirror_image_moves_as_the_mirror_image() {
    agrees("mirrored", Telling { mirror: true, ..PLAIN }, 1e-8);
}

/// Sweeps go from body to body, so that their order shows at the size of what they leave undone.
#[test]
fn the_order_of_bodies_shows_little() {
    let off = off(&PLAIN.ends(), &Telling { backwards: true, ..PLAIN }.ends());
    eprintln!("backwards: {off:.1e} m");
    assert!(off <= 2e-3, "{off} m");
}

/// A body far away, in this world or in another, changes no bit, however hard it strikes.
#[test]
fn what_is_far_away_changes_no_bit() {
    let alone = PLAIN.ends();
    let far =
        || BodyDef::dynamic("far").at(DVec3::new(500.0, -300.0, 40.0)).cuboid(DVec3::new(0.3, 0.2, 0.1)).spin(DVec3::Y);
    let mut same_world = PLAIN.scene();
    same_world.add_body(far().velocity(DVec3::X * 3.0));
    let striking = ShapeDef::sphere(0.2).material(PLAIN.material(0.9, 0.0));
    let down = DVec3::Z * -80.0;
    same_world.add_body(BodyDef::dynamic("strikes").at(DVec3::new(-400.0, 0.0, 8.0)).velocity(down).shape(striking));
    assert_eq!(ends(&same_world, DT), alone, "in the same world");
    let mut other_world = PLAIN.scene();
    other_world.begin_world(DVec3::Z * -1.62);
    other_world.ground();
    other_world.add_body(far().at(DVec3::new(0.1, 0.1, 0.2)));
    other_world.end_world();
    assert_eq!(ends(&other_world, DT), alone, "in another world");
}
