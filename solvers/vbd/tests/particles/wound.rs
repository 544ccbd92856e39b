//! Cloth wound up around itself and ropes pulled tight, at one step a frame: nothing gains more than was put in.

use std::f64::consts::{FRAC_PI_3, TAU};

use drystone_geometry::distance::edge_edge;
use drystone_model::{BodyDef, DQuat, DVec3, Model, ModelBuilder, ParticleDef, Pose, State};
use drystone_solve::Report;

use super::folds::crossings;
use super::stage::{sheet, staged};

/// Energy of all that moves, falls and is stored \[J\].
pub fn whole(report: &Report) -> f64 {
    report.kinetic_energy + report.potential_energy + report.elastic_energy.unwrap()
}

/// Two free wheels wind up a strip until it stops them.
#[test]
fn a_strip_that_is_wound_up_gains_no_energy() {
    let (cells, rows, size) = (40, 8, 1.0 / 40.0);
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let pose = Pose::from_translation(DVec3::new(-0.5, -0.5 * rows as f64 * size, 0.0));
    let mut strip = sheet(pose, cells, 1.0, 2.5e3, 0.25 * size);
    strip.cells = [cells, rows];
    let ids = builder.add_cloth_grid(&strip);
    for (name, side, column) in [("left", -1.0, 0), ("right", 1.0, cells)] {
        let wheel = BodyDef::dynamic(name).at(DVec3::X * side * 0.52).spin(DVec3::X * side * 5.0);
        let wheel = builder.add_body(wheel.cuboid(DVec3::new(0.015, 0.1, 0.1)).mass(0.5));
        (0..=rows).for_each(|row| builder.attach(ids[row * (cells + 1) + column], wheel));
    }
    let mut stage = staged(&builder);
    let start = stage.model.energy(&stage.state).total();
    let (mut turns, mut stretch) = (0.0, 0.0_f64);
    for step in 0..150 {
        let report = stage.step();
        assert!(whole(&report) < 1.001 * start, "{} of {start} J at {step}", whole(&report));
        stretch = stretch.max(report.max_strain.unwrap());
        turns += (stage.state.body_qd[1].angular.x - stage.state.body_qd[0].angular.x) * stage.dt / TAU;
        assert_eq!(crossings(&stage), 0, "at {step}");
    }
    assert!(turns > 1.5 && stretch < 0.06, "{turns} turns, stretched by {stretch}");
}

/// Half the thickness of the rope, and distance of its particles \[m\].
const ROPE: f64 = 0.005;
const PIECE: f64 = 0.01;

/// Points along a trefoil that is cut open where it reaches farthest out; both ends lead outward and then apart, one up and one down.
fn open_trefoil() -> Vec<DVec3> {
    let at = |t: f64| {
        let along = DVec3::new(t.sin() + 2.0 * (2.0 * t).sin(), t.cos() - 2.0 * (2.0 * t).cos(), -(3.0 * t).sin());
        0.035 * along
    };
    let (cut, gap) = (FRAC_PI_3, 0.12);
    let out = 0.1 * at(cut).normalize();
    let along = (at(cut + 1e-3) - at(cut - 1e-3)).normalize();
    let mut way = vec![at(cut + gap) + out + along * 0.3, at(cut + gap) + out];
    way.extend((0..=600).map(|k| at(cut + gap + (TAU - 2.0 * gap) * f64::from(k) / 600.0)));
    way.extend([at(cut - gap) + out, at(cut - gap) + out - along * 0.3]);
    let upright = DQuat::from_rotation_arc(along, DVec3::Z);
    let mut points = vec![way[0]];
    for leg in way.windows(2) {
        while let Some(next) = leaves(points[points.len() - 1], leg[0], leg[1]) {
            points.push(next);
        }
    }
    points.into_iter().map(|point| upright * point).collect()
}

/// Where a leg leaves the ball of a piece of rope around a point; none if that is beyond its end.
fn leaves(from: DVec3, a: DVec3, b: DVec3) -> Option<DVec3> {
    let (leg, off) = (b - a, a - from);
    let (p, q) = (leg.dot(off) / leg.length_squared(), (off.length_squared() - PIECE * PIECE) / leg.length_squared());
    let share = (p * p - q).max(0.0).sqrt() - p;
    (share <= 1.0).then(|| a + share * leg)
}

/// Least distance between pieces of a rope that are not near each other along it \[m\].
fn nearest(model: &Model, state: &State) -> f64 {
    let at = |[a, b]: [u32; 2]| [state.particle_q[a as usize], state.particle_q[b as usize]];
    let springs = &model.spring_particle;
    let pairs = springs.iter().enumerate().flat_map(|(index, &one)| {
        springs.iter().skip(index + 4).map(move |&other| edge_edge::nearest(at(one), at(other)))
    });
    pairs.map(|nearest| nearest.separation.length()).fold(f64::INFINITY, f64::min)
}

/// A weight of 0.2 kg pulls a trefoil tight: the knot stays, keeps its thickness, and its springs are stretched by their load.
#[test]
fn a_knot_pulled_tight_holds() {
    let mut builder = ModelBuilder::new();
    let points = open_trefoil();
    let particle = |&at: &DVec3| ParticleDef { radius: ROPE, ..ParticleDef::new(at, 0.05 * PIECE) };
    let ids: Vec<_> = points.iter().map(|at| builder.add_particle(particle(at))).collect();
    ids.windows(2).for_each(|ends| builder.add_spring(ends[0], ends[1], 1e5, 0.0));
    builder.pin(ids[0]);
    let last = points.len() - 1;
    let ball = builder.add_body(BodyDef::dynamic("weight").at(points[last] - DVec3::Z * 0.03).sphere(0.02).mass(0.2));
    builder.attach(ids[last], ball);
    let mut stage = staged(&builder);
    let start = stage.model.energy(&stage.state).total();
    let mut stretch = 0.0;
    for step in 0..240 {
        let report = stage.step();
        assert!(whole(&report) < start + 1e-3, "{} of {start} J at {step}", whole(&report));
        stretch = report.max_strain.unwrap();
    }
    let knotted = PIECE * last as f64 - stage.state.particle_q[0].distance(stage.state.particle_q[last]);
    let near = nearest(&stage.model, &stage.state);
    assert!(knotted > 0.08, "{knotted} m of rope are in the knot");
    assert!(near > 1.8 * ROPE, "{near} m between strands of {} m", 2.0 * ROPE);
    assert!(stretch < 0.02, "stretched by {stretch}");
}
