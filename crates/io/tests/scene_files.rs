//! Scene files say what they say: the examples load, and a model that is written reads back the same.

use std::path::{Path, PathBuf};

use drystone_io::scene_file::{SceneSettings, export, load, no_meshes, parse, schema};
use drystone_model::{
    Axis, AxisMode, BendMaterial, BodyDef, BodyId, DMat3, DQuat, DVec3, Drive, ElementMaterial, Entity, Follow,
    JointDef, JointId, JointKind, Limit, MassProperties, Model, ModelBuilder, ParticleDef, Pose, RodDef, RodMaterial,
    Shape, ShapeDef, Spring, WORLD,
};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}

fn assert_round_trip(model: &Model, what: &str) {
    let text = export(model, what, SceneSettings::default()).unwrap();
    let back = parse(&text, Path::new("exported.json5"), &no_meshes).unwrap_or_else(|error| panic!("{what}: {error}"));
    // Equality first: it says more than two numbers when it fails.
    assert_eq!(back.model, *model, "{what}");
    assert_eq!(back.model.hash(), model.hash(), "{what}");
}

#[test]
fn every_scene_of_the_library_reads_back_the_same() {
    for entry in drystone_scenes::SCENES {
        let scene = entry.make::<&str>(&[]).unwrap();
        if scene.model.body_count() <= 1500 {
            assert_round_trip(&scene.model, entry.name);
        }
    }
}

#[test]
fn every_example_loads_and_reads_back_the_same() {
    let files = std::fs::read_dir(example("")).unwrap().map(|entry| entry.unwrap().path());
    let examples: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "json5")).collect();
    assert!(examples.len() >= 6, "{examples:?}");
    for path in examples {
        let scene = load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(scene.about.is_some() && scene.settings.seconds.is_some(), "{path:?}");
        assert_round_trip(&scene.model, &path.to_string_lossy());
    }
}

#[test]
fn copies_and_materials() {
    let model = load(&example("stack.json5")).unwrap().model;
    assert_eq!(model.body_count(), 11);
    assert_eq!(model.body_name[9], "box_9");
    assert_eq!(model.body_q[9].translation, DVec3::new(0.0, 0.0, 9.5));
    assert_eq!(model.body_mass[0], 600.0);
    assert_eq!(model.shape_material[11].restitution, 0.2);
    assert_eq!(model.body_qd[10].angular, DVec3::new(0.0, 2.0, 0.0));
}

#[test]
fn sensors_and_conveyor_belts() {
    let model = load(&example("conveyor.json5")).unwrap().model;
    assert_eq!(model.shape_sensor.iter().filter(|sensor| **sensor).count(), 1);
    let barrier = model.shape_named("light barrier").unwrap();
    assert!(model.shape_sensor[barrier.built_index()]);
    let belt = model.shape_named("second belt").unwrap();
    assert_eq!(model.shape_surface_velocity[belt.built_index()], DVec3::Y * 0.8);
    let both = r#"{ shapes: [{ geometry: "half_space", sensor: true, surface_velocity: [1, 0, 0] }], bodies: [] }"#;
    let refused = parse(both, Path::new("both.json5"), &no_meshes).unwrap_err().to_string();
    assert!(refused.contains("surface_velocity") && refused.contains("sensor"), "{refused}");
}

#[test]
fn joints_frames_and_relative_positions() {
    let model = load(&example("pendulum.json5")).unwrap().model;
    let hinge = &model.joint_limit[0][Axis::AngX as usize];
    assert!((hinge.upper.to_degrees() - 60.0).abs() < 1e-12 && hinge.lower == -hinge.upper);
    assert_eq!(model.joint_drive[0][Axis::AngX as usize].max_effort, 30.0);
    assert_eq!(model.joint_friction[0][Axis::AngX as usize], 0.1);
    assert_eq!(model.body_q[1].translation, DVec3::new(0.0, 0.0, 0.9));
    // The hinge turns about world y: its frame's x axis points there.
    let axis = model.joint_frame_parent[0].rotation * DVec3::X;
    assert!((axis - DVec3::Y).length() < 1e-15);
}

#[test]
fn meshes_are_scaled_and_closed() {
    let model = load(&example("mesh-drop.json5")).unwrap().model;
    // A prism of 0.4 × 0.2 / 2 × 0.3 m³ at 2400 kg/m³, from the mesh and from its hull.
    let exact = 0.5 * 0.4 * 0.2 * 0.3 * 2400.0;
    for mass in &model.body_mass {
        assert!((mass / exact - 1.0).abs() < 1e-12, "{mass} instead of {exact}");
    }
}

#[test]
fn meshes_are_repaired_on_request() {
    // A card of one square metre is open; 1 cm thick it weighs 10 kg.
    let card = "vertices: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], triangles: [[0, 1, 2], [0, 2, 3]]";
    // A tetrahedron of 1/6 m³ with a vertex of its own for every corner, and one face turned inwards.
    let loose = "vertices: [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 1], \
                 [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0], [0, 0, 1]], \
                 triangles: [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]";
    for (mesh, repair, mass) in [(card, "thicken: 0.01", 10.0), (loose, "repair: true", 1000.0 / 6.0)] {
        let scene = |repair: &str| {
            let text = format!("{{ bodies: [{{ shapes: [{{ geometry: {{ mesh: {{ {mesh}, {repair} }} }} }}] }}] }}");
            parse(&text, Path::new("mesh.json5"), &no_meshes)
        };
        assert!(scene("").is_err());
        let model = scene(repair).unwrap_or_else(|error| panic!("{error}")).model;
        assert!((model.body_mass[0] / mass - 1.0).abs() < 1e-12, "{}", model.body_mass[0]);
    }
}

#[test]
fn rods_can_be_joined_to_bodies() {
    let model = load(&example("cable.json5")).unwrap().model;
    assert_eq!(model.joint_kind.iter().filter(|kind| **kind == JointKind::Rod).count(), 5);
    let shackle = model.joint_name.iter().position(|name| name == "shackle").unwrap();
    assert_eq!(model.body_name[model.joint_parent[shackle] as usize], "cable/5");
    assert_eq!(model.body_mass[0], 2.0);
}

/// One of everything a model can hold, with numbers that are easily lost.
fn everything() -> Model {
    let mut scene = ModelBuilder::new();
    scene.begin_world(DVec3::new(0.1, -0.0, -1.62));
    scene.ground();
    let given = MassProperties {
        mass: 1.0 / 3.0,
        com: DVec3::new(0.1, -0.0, 1e-300),
        inertia: DMat3::from_cols(DVec3::new(2.0, 0.1, 0.0), DVec3::new(0.1, 2.5, 0.2), DVec3::new(0.0, 0.2, 3.0)),
    };
    let turned = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.0);
    let mut bodies = Vec::new();
    for k in 0..13 {
        let body = BodyDef::dynamic(format!("body \"{k}\"\n")).mass_properties(given);
        let body = body.at(DVec3::new(0.1 * k as f64, -0.0, 7.0 / 3.0)).rotated(turned).spin(DVec3::X);
        bodies.push(scene.add_body(body.sphere(0.1)));
    }
    scene.add_body(BodyDef::kinematic("belt").velocity(DVec3::Y).cuboid(DVec3::ONE));
    scene.add_body(BodyDef::fixed("wall").shape(ShapeDef::cylinder(1.0, 2.0).margin(0.01).groups(6, 9)));
    let points: Vec<DVec3> =
        (0..20).map(|k| DVec3::new((k * 7 % 11) as f64, (k * 5 % 13) as f64, (k * 3 % 7) as f64) / 3.0).collect();
    scene.add_shape(WORLD, ShapeDef::new(Shape::hull(&points).unwrap()).at(DVec3::X));
    scene.add_shape(bodies[0], ShapeDef::cone(0.5, 0.25).restitution(0.5).friction(0.1));
    scene.add_shape(bodies[1], ShapeDef::ellipsoid(DVec3::new(0.1, 0.2, 0.3)));
    let hull = Shape::hull(&points).unwrap().to_mesh(&Default::default());
    scene.add_shape(bodies[2], ShapeDef::mesh(hull));
    let field = drystone_geometry::Heightfield { columns: 3, rows: 2, spacing: [1.0, 0.1], heights: vec![0.1; 6] };
    scene.add_shape(WORLD, ShapeDef::heightfield(field));
    add_joints(&mut scene, &bodies);
    let rod = RodDef::new(vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.3)], 0.01, RodMaterial::default());
    scene.add_rod(rod.named("cable").twisted(0.3));
    scene.begin_world(DVec3::ZERO);
    scene.add_body(BodyDef::dynamic("elsewhere").sphere(1.0));
    scene.add_shape(WORLD, ShapeDef::sphere(0.3).named("island"));
    add_particles(&mut scene);
    scene.set_attribute_default("demo.colour", Entity::Body, 0.25);
    scene.set_attribute_default("demo.wear", Entity::Shape, 1.0 / 7.0);
    scene.set_attribute_default("demo.play", Entity::Joint, -0.0);
    scene.set_attribute("demo.colour", bodies[0], 0.5);
    scene.finalize().unwrap()
}

fn add_joints(scene: &mut ModelBuilder, bodies: &[BodyId]) {
    let (a, b) = (DVec3::new(0.1, 0.2, 0.3), DVec3::new(0.3, 1.0, -0.2));
    let soft = Limit { lower: -0.1, upper: f64::INFINITY, stiffness: 1e4, damping: 3.0 };
    let pair = |k: usize| (bodies[k], bodies[k + 1]);
    let j = |k: usize, make: &dyn Fn(u32, u32) -> JointDef| make(pair(k).0.0, pair(k).1.0);
    let defs = vec![
        j(0, &|p, c| JointDef::fixed(p, c, a).break_at(100.0, f64::INFINITY)),
        j(1, &|p, c| JointDef::ball(p, c, a).friction(Axis::AngY, 0.1).collide(true)),
        j(2, &|p, c| {
            JointDef::revolute(p, c, a, b).limit(Axis::AngX, -1.0, 7.0).drive(Axis::AngX, Drive::velocity(2.0, 3.0))
        }),
        j(3, &|p, c| JointDef::prismatic(p, c, a, b).soft_limit(Axis::LinX, soft).armature(Axis::LinX, 0.2)),
        j(4, &|p, c| JointDef::cylindrical(p, c, a, b).soft([1e5, 1e3], [1.0, 0.1])),
        j(5, &|p, c| JointDef::planar(p, c, a, b).enabled(false)),
        j(6, &|p, c| JointDef::universal(p, c, a, DVec3::X, DVec3::Y)),
        j(7, &|p, c| JointDef::distance(p, c, a, b, [0.5, 1.5])),
        j(8, &|p, c| JointDef::d6(p, c, a, DQuat::IDENTITY, &[Axis::LinY, Axis::AngZ]).named("my d6")),
        JointDef::free_floating(bodies[10]),
        // More than one turn away from zero.
        JointDef::new(JointKind::Revolute, WORLD, bodies[11]).coordinates([0.0, 0.0, 0.0, 7.5, 0.0, 0.0]),
    ];
    for def in defs {
        scene.add_joint(def);
    }
    let mut odd = JointDef::new(JointKind::Ball, WORLD, bodies[12]).frames(Pose::from_translation(a), Pose::IDENTITY);
    odd.axis = [AxisMode::Locked; 6];
    scene.add_joint(odd);
    scene.filter_bodies(bodies[0], bodies[5]);
}

fn add_particles(scene: &mut ModelBuilder) {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
    let ids = corners.map(|corner| scene.add_particle(ParticleDef::new(corner, 0.1).radius(0.01)));
    let material = ElementMaterial { mu: 1e3, lambda: 1e4, damping: 0.5 };
    scene.add_spring(ids[0], ids[4], 100.0, 1.0);
    let triangles = [[ids[0], ids[1], ids[2]], [ids[1], ids[4], ids[2]]];
    triangles.iter().for_each(|triangle| scene.add_triangle(*triangle, material));
    scene.add_edges(&triangles, BendMaterial { stiffness: 0.1, damping: 0.01 });
    scene.add_tetrahedron([ids[0], ids[1], ids[2], ids[3]], material);
    let hook = scene.add_body(BodyDef::dynamic("hook").at(DVec3::ONE).sphere(0.1));
    scene.attach(ids[4], hook);
    scene.attach_at(ids[3], BodyId::WORLD, DVec3::ONE, 25.0);
    scene.sew(ids[0], ids[4]);
    scene.particle_friction(&ids[..2], 0.3, 0.3);
    scene.particle_friction(&ids[2..3], 0.5, 0.4);
    scene.particle_groups(&ids[3..], 6, 3);
    scene.filter_particles(&ids[..1], &ids[3..]);
}

/// What holds particles is read as it is meant, and what cannot be is pointed at.
#[test]
fn attachments_say_what_holds_a_particle() {
    let scene = |attachment: &str| {
        let text = format!(
            "{{ bodies: [{{ name: 'hook', position: [0, 0, 1], shapes: [{{ geometry: {{ sphere: {{ radius: 0.1 }} }} }}] }}],\n\
             particles: [{{ position: [0, 0, 0.5], mass: 1 }}, {{ position: [1, 0, 0], mass: 1 }}],\n\
             attachments: [{{ particle: 0, {attachment} }}] }}"
        );
        parse(&text, Path::new("held.json5"), &no_meshes)
    };
    let point = |attachment: &str| scene(attachment).unwrap().model.attachment_point[0];
    assert_eq!(point("body: 'hook'"), DVec3::new(0.0, 0.0, -0.5));
    assert_eq!(point("body: 'hook', point: [1, 2, 3]"), DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(point("stiffness: 5"), DVec3::new(0.0, 0.0, 0.5));
    assert_eq!(scene("sewn_to: 1").unwrap().model.attachment_other, [1]);
    for (attachment, place, problem) in [
        ("body: 'hock'", "held.json5:3", "did you mean `hook`?"),
        ("sewn_to: 1, stiffness: 3", "held.json5:3", "sewn to another"),
        ("sewn_to: 0", "held.json5:3", "occurs twice"),
        ("sewn_to: 7", "held.json5:3", "particle 7 does not exist"),
        ("stiffness: -1", "held.json5:3", "stiffness"),
    ] {
        let error = scene(attachment).unwrap_err().to_string();
        assert!(error.contains(place) && error.contains(problem), "{attachment}: {error}");
    }
}

#[test]
fn one_of_everything_reads_back_the_same() {
    let model = everything();
    assert!(model.joint_angle.iter().flatten().any(|angle| angle.abs() > 6.3), "no joint has turned more than once");
    assert_round_trip(&model, "everything");
}

#[test]
fn the_schema_describes_what_is_read() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let bodies = &schema["properties"]["bodies"]["description"];
    assert!(bodies.as_str().unwrap().contains("Rigid bodies"), "{bodies}");
    let text = schema.to_string();
    for word in ["half_height", "kg·m²", "friction_torsional", "oneOf", "additionalProperties"] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn the_published_schema_is_current() {
    if std::env::var_os("DRYSTONE_UPDATE").is_some() {
        std::fs::write(example("scene.schema.json"), schema() + "\n").unwrap();
    }
    let published = std::fs::read_to_string(example("scene.schema.json")).unwrap();
    assert!(published.trim_end() == schema().trim_end(), "run this test with DRYSTONE_UPDATE=1");
}

/// Cones, largest rates and followers that give way read back the same, and can be written by hand.
#[test]
fn bounds_of_joints_read_back_the_same() {
    let text = r#"{
        bodies: [ { name: "a", shapes: [ { geometry: { sphere: { radius: 0.1 } } } ] },
                  { name: "b", position: [1, 0, 0], shapes: [ { geometry: { sphere: { radius: 0.1 } } } ] } ],
        joints: [
            { name: "ball", kind: "ball", child: "a", anchor: [0, 0, 0] },
            { name: "range", kind: "cone", child: "a", anchor: [0, 0, 0], axes: { ang_y: { limit: { lower: -0.5, upper: 0.5 } } } },
            { name: "lead", kind: "revolute", child: "b", anchor: [1, 0, 0], axis: [0, 0, 1], max_rate: 2.5 },
        ],
    }"#;
    let model = parse(text, Path::new("cone.json5"), &no_meshes).unwrap_or_else(|error| panic!("{error}")).model;
    assert_eq!(model.axis_limit(1, 3).upper, 0.5);
    assert_eq!(model.joint_max_rate[2][3], 2.5);
    assert_round_trip(&model, "cone");
    let follow = Follow::hard(JointId(2), Axis::AngX, 2.0, 0.25);
    let mut scene = drystone::new_model().reopen(&model);
    let body = scene.add_body(BodyDef::dynamic("c").sphere(0.1));
    let mut hinge = JointDef::revolute(WORLD, body, DVec3::ZERO, DVec3::Z);
    hinge.follow[3] = Some(Follow { stiffness: 3.0, damping: 0.5, ..follow });
    scene.add_joint(hinge);
    assert_round_trip(&scene.finalize().unwrap(), "soft");
}

/// Attributes of solvers need no declaration in a file; a misspelt one is pointed at.
#[test]
fn attributes_of_solvers_are_known_by_name() {
    let file = |name: &str| {
        format!(
            "{{ rods: [{{ points: [[0, 0, 1], [1, 0, 1], [2, 0, 1]], radius: 0.1, material: {{ young: 1e6 }},\n\
             joint_attributes: {{ '{name}': 0.5 }} }}], attribute_defaults: {{ joint: {{ 'vbd.dahl_tau': 0.1 }} }} }}"
        )
    };
    let model = parse(&file("vbd.dahl_eps_max"), Path::new("rod.json5"), &no_meshes).unwrap().model;
    assert_eq!(model.attributes.joint["vbd.dahl_eps_max"], [0.5]);
    assert_eq!(model.attributes.joint["vbd.dahl_tau"], [0.1]);
    let error = parse(&file("vbd.dahl_epsmax"), Path::new("rod.json5"), &no_meshes).unwrap_err().to_string();
    assert!(error.contains("rod.json5:2:") && error.contains("did you mean `vbd.dahl_eps_max`?"), "{error}");
}

/// Damping, gravity scale and locked axes come in, go out and come in again; what cannot be locked is pointed at.
#[test]
fn bodies_are_damped_scaled_and_locked() {
    let file = |locked: &str| {
        format!(
            "{{ bodies: [{{ name: 'disc', damping: [0.5, 2], gravity_scale: -1, \
             drag: [{{ position: [0, 1, 0], quadratic: [1, 2, 3, 4, 5, 6] }}],\n locked: {locked},\n \
             shapes: [{{ geometry: {{ sphere: {{ radius: 1 }} }} }}] }}] }}"
        )
    };
    let read = |text: &str| parse(text, Path::new("disc.json5"), &no_meshes);
    let model = read(&file("['lin_y', 'ang_x', 'ang_z']")).unwrap().model;
    assert_eq!((model.body_damping[0], model.body_gravity_scale[0]), ([0.5, 2.0], -1.0));
    assert_eq!(model.joint_name, ["disc/locked"]);
    let drag = model.body_drag[0][0];
    assert_eq!((drag.pose.translation.y, drag.linear, drag.quadratic[5]), (1.0, [0.0; 6], 6.0));
    let text = export(&model, "disc", SceneSettings::default()).unwrap();
    assert_eq!(read(&text).unwrap().model, model);
    let error = read(&file("['ang_x']")).unwrap_err().to_string();
    assert!(error.contains("disc.json5:2:") && error.contains("one rotation alone"), "{error}");
    assert!(error.contains("a `d6` joint with two free rotations"), "{error}");
}

/// A spring beside a drive comes in, goes out and comes in again; one of a locked axis is pointed at.
#[test]
fn axes_have_springs_beside_drives() {
    let file = |axis: &str| {
        format!(
            "{{ bodies: [{{ name: 'arm', position: [0, 0, 1], shapes: [{{ geometry: {{ sphere: {{ radius: 1 }} }} }}] }}],\n\
             joints: [{{ kind: 'revolute', child: 'arm', anchor: [0, 0, 0], axis: [0, 1, 0],\n\
             axes: {{ {axis}: {{ spring: {{ rest: 0.5, stiffness: 3, damping: 0.25 }} }} }},\n\
             drive: {{ stiffness: 7, max_effort: 2 }} }}] }}"
        )
    };
    let read = |text: &str| parse(text, Path::new("arm.json5"), &no_meshes);
    let model = read(&file("ang_x")).unwrap().model;
    assert_eq!(model.joint_spring[0][3], Spring { rest: 0.5, stiffness: 3.0, damping: 0.25 });
    assert_eq!(model.joint_drive[0][3].max_effort, 2.0);
    assert_round_trip(&model, "arm");
    let error = read(&file("ang_y")).unwrap_err().to_string();
    assert!(error.contains("arm.json5:3:") && error.contains("a locked axis has a spring"), "{error}");
}

/// A joint follows one that comes after it, by name; the way out and in keeps it.
#[test]
fn joints_follow_others_by_name() {
    let file = |leader: &str| {
        format!(
            "{{ bodies: [{{ name: 'a', shapes: [{{ geometry: {{ sphere: {{ radius: 1 }} }} }}] }},\n\
             {{ name: 'b', shapes: [{{ geometry: {{ sphere: {{ radius: 1 }} }} }}] }}],\n\
             joints: [{{ kind: 'revolute', child: 'a', anchor: [0, 0, 0], axis: [0, 1, 0],\n follow: {{ joint: '{leader}', ratio: -3, play: [-0.5, null] }} }},\n\
             {{ name: 'slide', kind: 'prismatic', child: 'b', anchor: [0, 0, 0], axis: [0, 1, 0] }}] }}"
        )
    };
    let read = |text: &str| parse(text, Path::new("gears.json5"), &no_meshes);
    let model = read(&file("slide")).unwrap().model;
    let follow = model.joint_follow[0][Axis::AngX as usize].unwrap();
    assert_eq!((follow.joint.built_index(), follow.axis, follow.ratio, follow.offset), (1, Axis::LinX, -3.0, 0.0));
    assert_eq!(follow.play, [-0.5, f64::INFINITY]);
    assert_round_trip(&model, "gears");
    let error = read(&file("slid")).unwrap_err().to_string();
    assert!(error.contains("gears.json5:4:") && error.contains("did you mean `slide`?"), "{error}");
}

/// Editors are told the options of every solver.
#[test]
fn the_schema_knows_the_options_of_solvers() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let options = &schema["$defs"]["SceneSettings"]["properties"]["options"]["anyOf"];
    let known = |name: &str| options.as_array().unwrap().iter().any(|of| !of["properties"][name].is_null());
    for name in ["sleeping", "contact_distance", "splitting", "krylov"] {
        assert!(known(name), "{name}");
    }
    assert!(!known("sweeps"));
}

#[test]
fn robots_are_included_and_named() {
    let folder = std::env::temp_dir().join(format!("drystone-include-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let robot = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="arm" pos="0 0 1">
        <joint name="j" axis="0 1 0"/><geom size="0.1"/></body></worldbody>
        <actuator><position joint="j" kp="5"/></actuator></mujoco>"#;
    std::fs::write(folder.join("arm.xml"), robot).unwrap();
    let scene = |include: &str| {
        let text = format!(
            "{{ include: {include}, bodies: [{{ name: 'ball', relative_to: 'arm', position: [0, 0, 1], locked: ['lin_x'],
               shapes: [{{ geometry: {{ sphere: {{ radius: 0.1 }} }} }}] }}],
               motions: [{{ joint: 'j', keys: [{{ time: 0, target: 0 }}, {{ time: 1, target: 1 }}] }}] }}"
        );
        std::fs::write(folder.join("scene.json5"), text).unwrap();
        load(&folder.join("scene.json5"))
    };
    let plain = scene("'arm.xml'").unwrap();
    assert_eq!(plain.model.body_name, ["arm", "ball"]);
    assert_eq!(plain.model.body_q[1].translation.z, 2.0);
    assert_eq!(plain.model.joint_name, ["j", "ball/locked"]);
    assert!(!plain.motions.is_empty());
    let moved = scene("[{ file: 'arm.xml', position: [3, 0, 0] }, { file: 'arm.xml', name: 'b' }]").unwrap();
    assert_eq!(moved.model.body_name, ["arm", "b/arm", "ball"]);
    assert_eq!(moved.model.body_q[0].translation.x, 3.0);
    let missing = scene("'leg.xml'").unwrap_err().to_string();
    assert!(missing.contains("scene.json5:1:") && missing.contains("leg.xml"), "{missing}");
    std::fs::write(folder.join("arm.xml"), robot.replace("kp", "kq")).unwrap();
    let bad = scene("'arm.xml'").unwrap_err().to_string();
    assert!(bad.contains("arm.xml:3:") && bad.contains("`kq`"), "{bad}");
    let memory = parse("{ include: 'arm.xml' }", "s".as_ref(), &no_meshes);
    assert!(memory.unwrap_err().to_string().contains("drystone convert"));
    std::fs::remove_dir_all(&folder).unwrap();
}
