//! A walker on eight legs of Klann's linkage, all turned by one crankshaft.

use drystone_kernels::elementary::atan2;
use std::f64::consts::PI;

use drystone::model::{Axis, BodyDef, BodyId, DQuat, DVec3, Drive, JointDef, ModelBuilder, ShapeDef};

use super::chains::ghost;
use super::planar::{Link, carried, meet, point, polar};
use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
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
    let places = Place::all();
    let lowest = places.iter().map(|place| place.leg().foot.z).fold(f64::INFINITY, f64::min);
    let shaft_at = DVec3::Z * (FOOT_RADIUS - lowest);
    let mut scene = ModelBuilder::new();
    scene.ground();
    let chassis = BodyDef::dynamic("chassis").at(shaft_at + DVec3::Z * 0.06);
    let chassis = scene.add_body(chassis.shape(ghost(ShapeDef::cuboid(CHASSIS))).mass(CHASSIS_MASS));
    let shaft = add_shaft(&mut scene, &places, shaft_at);
    // The crank goes from x towards z, against y: the feet on the ground move to −x, the walker to +x.
    let motor = Drive::velocity(-speed, MOTOR_GAIN);
    scene.add_joint(JointDef::revolute(chassis, shaft, shaft_at, DVec3::Y).drive(Axis::AngX, motor));
    for (index, place) in places.iter().enumerate() {
        add_leg(&mut scene, index, place, [chassis, shaft], shaft_at, friction);
    }
    let stride = stride();
    let check = Check::new("it walks straight ahead by half its stride per step or more, upright", move |run| {
        let start = run.model.body_q[chassis.built_index()].translation;
        let pose = run.state.body_q[chassis.built_index()];
        let went = pose.translation - start;
        let steps = speed * run.state.time / PI;
        Figures::new()
            .below("joint gap", run.measures.max_joint_error, 1e-3, "m")
            .above("went", went.x, 0.5 * stride * steps, "m")
            .below("strayed", went.y.abs(), 0.1 * went.x.abs(), "m")
            .above("upright", (pose.rotation * DVec3::Z).z, 0.95, "")
    });
    Scene::new(&scene, Settings::seconds(5.0).hertz(240.0), check)
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

fn add_leg(
    scene: &mut ModelBuilder,
    index: usize,
    place: &Place,
    [chassis, shaft]: [BodyId; 2],
    at: DVec3,
    friction: f64,
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
    scene.add_shape(shin, ShapeDef::sphere(FOOT_RADIUS).at(sole).friction(friction).density(1000.0));
    let pins = [
        (shaft, rod, crank_pin),
        (rod, lower_rocker, elbow),
        (chassis, lower_rocker, lower),
        (chassis, upper_rocker, upper),
        (upper_rocker, shin, hip),
        (rod, shin, knee),
    ];
    for (parent, child, pin) in pins {
        scene.add_joint(JointDef::revolute(parent, child, pin + DVec3::Y * place.layer, DVec3::Y));
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
