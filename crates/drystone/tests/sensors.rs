//! Sensors tell what overlaps them under every solver, and change nothing.

use drystone::prelude::*;
use drystone::{SensorEvent, solvers};

/// Boxes that fall on the ground through a gate; a ball with a wide sensor around it.
fn scene(with_sensors: bool) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let ball = ShapeDef::sphere(0.2).named("ball");
    let body = scene.add_body(BodyDef::dynamic("ball").at(DVec3::new(2.0, 0.0, 1.0)).shape(ball));
    for k in 0..3 {
        let place = DVec3::new(0.1 * f64::from(k), 0.0, 2.0 + 0.6 * f64::from(k));
        scene.add_body(BodyDef::dynamic(format!("box {k}")).at(place).cuboid(DVec3::splat(0.2)));
    }
    if with_sensors {
        let gate = ShapeDef::cuboid(DVec3::new(1.0, 1.0, 0.05)).at(DVec3::Z * 1.4);
        scene.add_shape(WORLD, gate.named("gate").sensor());
        // Thin enough for a solver to be alarmed, if it took it for a shape.
        scene.add_shape(body, ShapeDef::cylinder(0.9, 0.0005).named("halo").sensor());
    }
    scene.finalize().expect("a sound scene")
}

fn simulation(solver: &str, model: Model) -> Simulation {
    Simulation::builder(model).solver(solver).threads(2).build().expect("a simulation")
}

#[test]
fn no_solver_feels_a_sensor() {
    for solver in solvers() {
        let mut with = simulation(solver.name, scene(true));
        let mut without = simulation(solver.name, scene(false));
        assert_eq!(with.model().body_mass, without.model().body_mass);
        for _ in 0..60 {
            with.step().expect("a step");
            without.step().expect("a step");
        }
        assert_eq!(with.state_hash(), without.state_hash(), "{}", solver.name);
    }
}

#[test]
fn every_solver_tells_what_passes_a_sensor() {
    for solver in solvers() {
        let mut sim = simulation(solver.name, scene(true));
        let gate = sim.model().shape_named("gate").expect("the gate");
        let halo = sim.model().shape_named("halo").expect("the halo");
        let mut order = Vec::new();
        for _ in 0..75 {
            sim.step().expect("a step");
            for event in sim.events() {
                if let Event::Sensor(SensorEvent::Begin { sensor, shape } | SensorEvent::End { sensor, shape }) = event
                {
                    let begins = matches!(event, Event::Sensor(SensorEvent::Begin { .. }));
                    order.push((*sensor, sim.model().shape_body[shape.built_index()], begins));
                }
            }
        }
        let through = |body: u32| -> Vec<bool> {
            order.iter().filter(|(sensor, of, _)| *sensor == gate && *of == body).map(|event| event.2).collect()
        };
        assert_eq!((through(1), through(2)), (vec![true, false], vec![true, false]), "{}: {order:?}", solver.name);
        assert!(through(0).is_empty(), "{}", solver.name);
        // The halo reaches no box before the ball has come to lie, and never its own body.
        assert!(order.iter().all(|(sensor, of, _)| *sensor != halo || *of != 0), "{}: {order:?}", solver.name);
    }
}

/// A run that goes on from a checkpoint tells the same events.
#[test]
fn events_go_on_after_a_checkpoint() {
    let mut sim = simulation("vbd", scene(true));
    let gate = sim.model().shape_named("gate").expect("the gate");
    while sim.sensed(gate).count() == 0 {
        sim.step().expect("a step");
    }
    let checkpoint = sim.checkpoint();
    let mut resumed = simulation("vbd", scene(true));
    resumed.resume(&checkpoint).expect("its own checkpoint");
    assert!(resumed.sensed(gate).eq(sim.sensed(gate)));
    for _ in 0..40 {
        sim.step().expect("a step");
        resumed.step().expect("a step");
        assert_eq!(sim.events(), resumed.events());
    }
}

/// Filters hold for sensors; a fixed one tells nothing of what is fixed; a half-space can be one.
#[test]
fn sensors_heed_groups_filters_and_what_can_move() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let water = scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).sensor());
    scene.add_body(BodyDef::fixed("rock").cuboid(DVec3::ONE));
    let body = |name: &str| BodyDef::dynamic(name).at(DVec3::new(5.0, 0.0, 0.1));
    scene.add_body(body("seen").shape(ShapeDef::sphere(0.2).named("seen")));
    scene.add_body(body("masked").at(DVec3::X * 10.0).shape(ShapeDef::sphere(0.2).groups(1, 0)));
    scene.add_body(BodyDef::kinematic("led").at(DVec3::X * 20.0).shape(ShapeDef::sphere(0.2).named("led")));
    scene.add_body(BodyDef::dynamic("dry").at(DVec3::Z * 3.0).sphere(0.2));
    let filtered = scene.add_body(BodyDef::dynamic("filtered").at(DVec3::X * 15.0));
    let shape = scene.add_shape(filtered, ShapeDef::sphere(0.2));
    scene.filter_shapes(water, shape);
    let mut sim = Simulation::new(scene.finalize().expect("a sound scene")).expect("a simulation");
    sim.step().expect("a step");
    let names: Vec<&str> =
        sim.sensed(water).map(|shape| sim.model().shape_name[shape.built_index()].as_str()).collect();
    assert_eq!(names, ["seen", "led"]);
}

#[test]
fn a_sensor_weighs_nothing() {
    let mut scene = ModelBuilder::new();
    let ball = BodyDef::dynamic("ball").shape(ShapeDef::sphere(0.5)).shape(ShapeDef::sphere(5.0).sensor());
    scene.add_body(ball);
    let model = scene.finalize().expect("a sound scene");
    assert!((model.body_mass[0] - 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.125).abs() < 1e-9);

    let mut alone = ModelBuilder::new();
    alone.add_body(BodyDef::dynamic("ghost").shape(ShapeDef::sphere(5.0).sensor()));
    let refused = alone.finalize().expect_err("nothing has mass").to_string();
    assert!(refused.contains("ghost") && refused.contains("mass"), "{refused}");
}
