//! A walker on eight legs of Klann's linkage, all turned by one crankshaft.

use drystone_kernels::elementary::atan2;
use std::f64::consts::PI;

use drystone::model::{Axis, BodyDef, BodyId, DQuat, DVec3, Drive, JointDef, ModelBuilder, ShapeDef};

use super::chains::ghost;
use super::planar::{Link, carried, meet, point, polar};
use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::rng::Rng;
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A chassis carried by eight legs.
pub const KLANN_WALKER: SceneEntry = SceneEntry {
    name: "klann-walker",
    summary: "one motor walks a chassis on eight legs of Klann's six-bar linkage",
    parameters: &[
        Parameter::number("speed", 4.0, 0.5, 12.0, "speed of the crankshaft in rad/s"),
        Parameter::number("friction", 1.0, 0.1, 2.0, "friction of the feet on the ground"),
    ],
    build: klann_walker,
};

/// The walker where the ground is not even.
pub const WALKER_ON_RUBBLE: SceneEntry = SceneEntry {
    name: "walker-on-rubble",
    summary: "the walker on Klann's legs makes its way over scattered slabs",
    parameters: &[
        Parameter::number("speed", 4.0, 0.5, 12.0, "speed of the crankshaft in rad/s"),
        Parameter::number("height", 0.01, 0.0, 0.03, "height of the highest slabs in metres"),
        Parameter::count("seed", 1, 0, 1_000_000, "of the rubble"),
    ],
    build: walker_on_rubble,
};

/// Legs in a row that one shaft turns, each with two closed loops.
pub const THOUSAND_LOOPS: SceneEntry = SceneEntry {
    name: "thousand-loops",
    summary: "one crankshaft turns five hundred of Klann's legs, a thousand closed loops in one mechanism",
    parameters: &[
        Parameter::count("legs", 500, 2, 5000, "legs along the shaft"),
        Parameter::number("speed", 4.0, 0.5, 12.0, "speed of the crankshaft in rad/s"),
    ],
    build: thousand_loops,
};

/// The pins of one leg as the patent tabulates them (US 6,260,862, table 1, in units of its own), the
/// leg stretched out to −x and the foot at the origin.
struct Drawing;

impl Drawing {
    const UPPER_ROCKER_PIVOT: [f64; 2] = [1.366, 1.366];
    const LOWER_ROCKER_PIVOT: [f64; 2] = [1.009, 0.574];
    const CRANKSHAFT: [f64; 2] = [1.599, 0.750];
    const CRANK_PIN: [f64; 2] = [1.331, 0.750];
    const ELBOW: [f64; 2] = [0.741, 0.750];
    const KNEE: [f64; 2] = [0.232, 0.866];
    const HIP: [f64; 2] = [0.866, 1.500];
    const FOOT: [f64; 2] = [0.0, 0.0];

    /// A pin relative to the crankshaft \[m\].
    fn pin([x, z]: [f64; 2]) -> DVec3 {
        point(x - Self::CRANKSHAFT[0], z - Self::CRANKSHAFT[1]) * SCALE
    }
}

/// Metres per unit of the drawing: the walker comes out knee-high.
const SCALE: f64 = 0.25;
/// Half the width of a bar and radius of a foot \[m\].
const HALF: f64 = 0.008;
const FOOT_RADIUS: f64 = 0.015;
/// Half extents of the chassis \[m\]; its legs move beside it.
const CHASSIS: DVec3 = DVec3::new(0.1, 0.12, 0.02);
const CHASSIS_MASS: f64 = 6.0;

/// The moving pins of a leg, relative to the crankshaft, stretching to −x.
#[derive(Clone, Copy)]
struct Leg {
    crank_pin: DVec3,
    elbow: DVec3,
    knee: DVec3,
    hip: DVec3,
    foot: DVec3,
}

impl Leg {
    /// The leg when its crank is at an angle from x towards z \[rad\]: two pairs of circles.
    fn at(angle: f64) -> Self {
        let [upper, lower] = [Drawing::UPPER_ROCKER_PIVOT, Drawing::LOWER_ROCKER_PIVOT].map(Drawing::pin);
        let drawn = [Drawing::CRANK_PIN, Drawing::ELBOW, Drawing::KNEE].map(Drawing::pin);
        let [hip_drawn, foot_drawn] = [Drawing::HIP, Drawing::FOOT].map(Drawing::pin);
        let crank_pin = polar(DVec3::ZERO, drawn[0].length(), angle);
        let (rod, rocker) = ((drawn[1] - drawn[0]).length(), (drawn[1] - lower).length());
        let elbow = meet((lower, rocker), (crank_pin, rod));
        let knee = carried(drawn, crank_pin, elbow);
        let hip = meet((knee, (hip_drawn - drawn[2]).length()), (upper, (hip_drawn - upper).length()));
        let foot = carried([drawn[2], hip_drawn, foot_drawn], knee, hip);
        Self { crank_pin, elbow, knee, hip, foot }
    }

    /// A leg on the other side of the crankshaft, stretching to +x, on the same crank.
    fn mirrored(angle: f64) -> Self {
        let flip = |p: DVec3| DVec3::new(-p.x, p.y, p.z);
        let Self { crank_pin, elbow, knee, hip, foot } = Self::at(PI - angle);
        Self { crank_pin: flip(crank_pin), elbow: flip(elbow), knee: flip(knee), hip: flip(hip), foot: flip(foot) }
    }
}

/// One of the eight: facing −x (1) or +x (−1), crank angle at the start, place along y \[m\].
struct Place {
    facing: f64,
    angle: f64,
    layer: f64,
}

impl Place {
    /// On either side two cranks half a turn apart, each with a leg to the front and one to the back.
    fn all() -> Vec<Self> {
        let mut places = Vec::new();
        for side in [-1.0, 1.0] {
            for (row, angle) in [(0.0, 0.5 * PI), (1.0, 1.5 * PI)] {
                for (step, facing) in [(0.0, 1.0), (0.5, -1.0)] {
                    let layer = side * (CHASSIS.y + 0.05 + 0.08 * row + 0.06 * step);
                    places.push(Self { facing, angle, layer });
                }
            }
        }
        places
    }

    fn leg(&self) -> Leg {
        if self.facing > 0.0 { Leg::at(self.angle) } else { Leg::mirrored(self.angle) }
    }
}

fn klann_walker(params: &Params) -> Result<Scene, SceneError> {
    let (speed, friction) = (params.number("speed"), params.number("friction"));
    let mut scene = ModelBuilder::new();
    scene.ground();
    let chassis = add_walker(&mut scene, speed, friction, 0.0);
    let claim = "it walks straight ahead by half its stride per step or more, upright";
    let check = walks(claim, chassis, speed, [0.5, 0.1, 0.95]);
    Scene::new(&scene, Settings::seconds(5.0).hertz(240.0), check)
}

/// A walker on the ground, its lowest foot at a height; returns its chassis.
fn add_walker(scene: &mut ModelBuilder, speed: f64, friction: f64, height: f64) -> BodyId {
    let places = Place::all();
    let lowest = places.iter().map(|place| place.leg().foot.z).fold(f64::INFINITY, f64::min);
    let shaft_at = DVec3::Z * (height + FOOT_RADIUS - lowest);
    let chassis = BodyDef::dynamic("chassis").at(shaft_at + DVec3::Z * 0.06);
    let chassis = scene.add_body(chassis.shape(ghost(ShapeDef::cuboid(CHASSIS))).mass(CHASSIS_MASS));
    let shaft = add_shaft(scene, &places, shaft_at);
    // The crank goes from x towards z, against y: the feet on the ground move to −x, the walker to +x.
    let motor = Drive::velocity(-speed, MOTOR_GAIN);
    scene.add_joint(JointDef::revolute(chassis, shaft, shaft_at, DVec3::Y).drive(Axis::AngX, motor));
    for (index, place) in places.iter().enumerate() {
        add_leg(scene, index, place, [chassis, shaft], shaft_at, friction, Closing::Hinge);
    }
    chassis
}

/// That a walker went ahead by a share of its stride per step at least, strayed by a share of that at most and stands upright.
fn walks(claim: &str, chassis: BodyId, speed: f64, [ahead, strayed, upright]: [f64; 3]) -> Check {
    let stride = stride();
    Check::new(claim, move |run| {
        let start = run.model.body_q[chassis.built_index()].translation;
        let pose = run.state.body_q[chassis.built_index()];
        let went = pose.translation - start;
        let steps = speed * run.state.time / PI;
        Figures::new()
            .below("joint gap", run.measures.max_joint_error, 1e-3, "m")
            .above("went", went.x, ahead * stride * steps, "m")
            .below("strayed", went.y.abs(), strayed * went.x.abs(), "m")
            .above("upright", (pose.rotation * DVec3::Z).z, upright, "")
    })
}

/// Half the edge of a slab, and half the width of the track that is strewn with them \[m\].
const SLAB: f64 = 0.06;
const TRACK: f64 = 0.45;
/// Length of the track \[m\].
const TRACK_LENGTH: f64 = 2.0;

fn walker_on_rubble(params: &Params) -> Result<Scene, SceneError> {
    let (speed, height) = (params.number("speed"), params.number("height"));
    let mut rng = Rng::new(params.count("seed") as u32);
    let mut scene = ModelBuilder::new();
    scene.ground();
    let rows = (TRACK_LENGTH / (2.2 * SLAB)) as usize;
    let columns = (2.0 * TRACK / (2.2 * SLAB)) as usize;
    for slab in 0..rows * columns {
        let (row, column) = ((slab / columns) as f64, (slab % columns) as f64);
        let half = 0.5 * height * rng.uniform(0.0, 1.0) + 1e-3;
        let at = DVec3::new(2.2 * SLAB * row - 0.4, 2.2 * SLAB * column - TRACK, half);
        let turn = DQuat::from_rotation_z(rng.uniform(-0.3, 0.3));
        let shape = ShapeDef::cuboid(DVec3::new(SLAB, SLAB, half)).at(at).rotated(turn);
        scene.add_shape(BodyId::WORLD, shape.friction(1.0));
    }
    let chassis = add_walker(&mut scene, speed, 1.0, height + 2e-3);
    let claim = "it goes ahead by a quarter of its stride per step or more, and does not fall over";
    let check = walks(claim, chassis, speed, [0.25, 0.5, 0.9]);
    Scene::new(&scene, Settings::seconds(1.0).hertz(240.0).solvers(&["structured", "vbd"]), check)
}

fn thousand_loops(params: &Params) -> Result<Scene, SceneError> {
    let (legs, speed) = (params.count("legs"), params.number("speed"));
    // Twelve phases, so that waves run along the feet.
    let place = |leg: usize| Place {
        facing: 1.0,
        angle: PI / 6.0 * leg as f64,
        layer: 0.06 * (leg as f64 - 0.5 * (legs - 1) as f64),
    };
    let places: Vec<Place> = (0..legs).map(place).collect();
    let at = DVec3::Z * 0.5;
    let mut scene = ModelBuilder::new();
    let shaft = add_shaft(&mut scene, &places, at);
    let motor = Drive::velocity(-speed, MOTOR_GAIN * legs as f64);
    scene.add_joint(JointDef::revolute(BodyId::WORLD, shaft, at, DVec3::Y).drive(Axis::AngX, motor));
    for (index, place) in places.iter().enumerate() {
        add_leg(&mut scene, index, place, [BodyId::WORLD, shaft], at, 1.0, Closing::InPlane);
    }
    let check = Check::new("every foot is where its two pairs of circles put it, to a micrometre", move |run| {
        let turned = run.state.body_q[shaft.built_index()].rotation * DVec3::X;
        let turned = atan2(turned.z, turned.x);
        let off = places.iter().enumerate().map(|(index, place)| {
            let expected = at + Leg::at(place.angle + turned).foot + DVec3::Y * place.layer;
            let sole = run.model.shape_named(&sole_name(index)).map(|shape| shape.built_index());
            let foot =
                sole.map(|sole| run.state.body_q[run.model.shape_body[sole] as usize] * run.model.shape_pose[sole]);
            foot.map_or(f64::INFINITY, |foot| (foot.translation - expected).length())
        });
        Figures::new()
            .above("shaft turned", turned.abs(), 0.1, "rad")
            .below("foot off its place", off.fold(0.0, f64::max), 1e-6, "m")
            .below("joint gap", run.measures.max_joint_error, 1e-8, "m")
    });
    Scene::new(&scene, Settings::seconds(0.5).hertz(240.0).solvers(&["structured"]), check)
}

fn sole_name(leg: usize) -> String {
    format!("sole {leg}")
}

/// Gain of the motor \[N·m·s/rad\].
const MOTOR_GAIN: f64 = 10.0;

/// The crankshaft: an axle with a crank to every pin.
fn add_shaft(scene: &mut ModelBuilder, places: &[Place], at: DVec3) -> BodyId {
    let mut shaft = BodyDef::dynamic("crankshaft").at(at);
    let reach = places.iter().map(|place| place.layer.abs()).fold(0.0, f64::max);
    shaft = shaft.shape(ghost(ShapeDef::cuboid(DVec3::new(HALF, reach, HALF))));
    for place in places {
        let pin = place.leg().crank_pin;
        let crank = ShapeDef::cuboid(DVec3::new(0.5 * pin.length(), 0.5 * HALF, HALF));
        let turn = DQuat::from_rotation_y(atan2(-pin.z, pin.x));
        shaft = shaft.shape(ghost(crank.at(0.5 * pin + DVec3::Y * place.layer).rotated(turn)));
    }
    scene.add_body(shaft)
}

/// How the pins are held that close the loops of a leg: as hinges, which hold the plane of the leg again, or in the plane only.
#[derive(Clone, Copy)]
enum Closing {
    Hinge,
    InPlane,
}

fn add_leg(
    scene: &mut ModelBuilder,
    index: usize,
    place: &Place,
    [chassis, shaft]: [BodyId; 2],
    at: DVec3,
    friction: f64,
    closing: Closing,
) {
    let leg = place.leg();
    let pivot = |drawn: [f64; 2]| {
        let pin = Drawing::pin(drawn);
        at + DVec3::new(place.facing * pin.x, 0.0, pin.z)
    };
    let (upper, lower) = (pivot(Drawing::UPPER_ROCKER_PIVOT), pivot(Drawing::LOWER_ROCKER_PIVOT));
    let Leg { crank_pin, elbow, knee, hip, foot } = leg;
    let [crank_pin, elbow, knee, hip, foot] = [crank_pin, elbow, knee, hip, foot].map(|pin| at + pin);
    let mut link = |name: &str, points: &[DVec3], depth: f64| {
        let layer = place.layer + depth * HALF * place.layer.signum();
        Link { name: format!("{name} {index}"), points, half: HALF, layer }.add(scene)
    };
    let rod = link("rod", &[crank_pin, elbow, knee], 0.0);
    let lower_rocker = link("lower rocker", &[lower, elbow], 1.0);
    let upper_rocker = link("upper rocker", &[upper, hip], 0.0);
    let shin = link("leg", &[hip, knee, foot], 1.0);
    let sole = scene.body_pose(shin).inverse_transform_point(foot + DVec3::Y * place.layer);
    let sole = ShapeDef::sphere(FOOT_RADIUS).at(sole).friction(friction).density(1000.0);
    scene.add_shape(shin, sole.named(sole_name(index)));
    let pins = [
        (shaft, rod, crank_pin),
        (rod, lower_rocker, elbow),
        (chassis, lower_rocker, lower),
        (chassis, upper_rocker, upper),
        (upper_rocker, shin, hip),
        (rod, shin, knee),
    ];
    for (index, (parent, child, pin)) in pins.into_iter().enumerate() {
        let at = pin + DVec3::Y * place.layer;
        // Elbow and knee close the loops.
        scene.add_joint(match closing {
            Closing::InPlane if [1, 5].contains(&index) => {
                let loose = [Axis::LinY, Axis::AngX, Axis::AngY, Axis::AngZ];
                JointDef::d6(parent, child, at, DQuat::IDENTITY, &loose)
            }
            _ => JointDef::revolute(parent, child, at, DVec3::Y),
        });
    }
}

/// How far a foot moves back while its crank makes the half turn it carries \[m\].
fn stride() -> f64 {
    let feet: Vec<DVec3> = (0..360).map(|degree| Leg::at(f64::from(degree).to_radians()).foot).collect();
    let spans = (0..360).map(|start| (feet[start].x - feet[(start + 180) % 360].x).abs());
    spans.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the angle of the drawing the pins are where the drawing has them, to its three digits.
    #[test]
    fn the_leg_is_the_patents() {
        let leg = Leg::at(PI);
        for (is, drawn) in [
            (leg.crank_pin, Drawing::CRANK_PIN),
            (leg.elbow, Drawing::ELBOW),
            (leg.knee, Drawing::KNEE),
            (leg.hip, Drawing::HIP),
            (leg.foot, Drawing::FOOT),
        ] {
            assert!((is - Drawing::pin(drawn)).length() < 1e-12, "{is} {drawn:?}");
        }
    }

    /// On the ground the foot goes nearly straight, and nearly half the way round it is lifted.
    #[test]
    fn the_foot_goes_straight_on_the_ground_and_is_lifted_back() {
        let feet: Vec<DVec3> = (0..360).map(|degree| Leg::at(f64::from(degree).to_radians()).foot).collect();
        assert!(feet.iter().all(|foot| foot.is_finite()));
        let lowest = feet.iter().map(|foot| foot.z).fold(f64::INFINITY, f64::min);
        let highest = feet.iter().map(|foot| foot.z).fold(f64::NEG_INFINITY, f64::max);
        let grounded = feet.iter().filter(|foot| foot.z < lowest + 0.1 * (highest - lowest)).count();
        println!("stride {} lift {} grounded {grounded}", stride(), highest - lowest);
        assert!(highest - lowest > 0.05 && grounded > 150, "lift {} grounded {grounded}", highest - lowest);
    }
}
