//! Sessions: commands, the log, going back, comparing, recordings.

use drystone::model::{
    Axis, BendMaterial, BodyDef, ClothGrid, DVec3, Drive, ElementMaterial, JointDef, ModelBuilder, Pose,
};
use drystone::{Recording, SolverChoice};
use drystone_live::{HEAD_BYTES, Limits, Log, Session, Source, Start, kind_of, step_of};
use drystone_picture::raster::View;
use serde_json::{Map, Value, json};

fn library(name: &str, parameters: Value) -> Start {
    Start::library(name, parameters.as_object().unwrap_or(&Map::new())).unwrap()
}

fn pyramid() -> Start {
    library("pyramid", json!({"rows": 3}))
}

fn session(start: Start) -> Session {
    let limits = Limits { checkpoint_every: 7, ..Limits::default() };
    Session::with_limits(start, limits).unwrap()
}

fn of_model(scene: &ModelBuilder, solver: &str, dt: f64) -> Start {
    Start {
        name: "test".into(),
        parameters: Map::new(),
        source: Source::File,
        model: scene.finalize().unwrap(),
        solver: SolverChoice::from(solver),
        dt,
        view: View::default(),
        motion: None,
        threads: None,
    }
}

#[track_caller]
fn tell(session: &mut Session, command: Value) -> Value {
    session.command(&command.to_string()).unwrap_or_else(|refusal| panic!("{command}: {}", refusal.text))
}

fn refused(session: &mut Session, command: Value) -> String {
    let (step, hash) = (session.step(), session.hash());
    let refusal = session.command(&command.to_string()).expect_err("it is refused");
    assert!(refusal.status >= 400 && !refusal.text.is_empty());
    assert_eq!((session.step(), session.hash()), (step, hash), "{command} changed something");
    refusal.text
}

/// What the first body above the floor is called by.
fn some_body(session: &mut Session) -> u32 {
    let told = tell(session, json!({"do": "pick", "origin": [0, 0, 50], "direction": [0, 0, -1]}));
    told["body"].as_u64().unwrap() as u32
}

#[test]
fn going_back_and_on_gives_the_bits_of_the_uninterrupted_run() {
    let mut straight = session(pyramid());
    let hashes: Vec<u64> = (0..30)
        .map(|_| {
            tell(&mut straight, json!({"do": "step"}));
            straight.hash()
        })
        .collect();
    let mut wandering = session(pyramid());
    tell(&mut wandering, json!({"do": "step", "count": 30}));
    for step in [3, 29, 7, 8, 30, 1, 14, 13] {
        tell(&mut wandering, json!({"do": "seek", "step": step}));
        assert_eq!(wandering.step(), step);
        assert_eq!(wandering.hash(), hashes[step as usize - 1], "step {step}");
    }
    tell(&mut wandering, json!({"do": "back", "count": 3}));
    assert_eq!((wandering.step(), wandering.hash()), (10, hashes[9]));
    assert_eq!(wandering.steps(), [0, 30], "nothing is forgotten");
    tell(&mut wandering, json!({"do": "seek", "step": 0}));
    assert_eq!(wandering.hash(), session(pyramid()).hash());
    assert!(refused(&mut wandering, json!({"do": "seek", "step": 31})).contains("0 to 30"));
}

/// A run with every kind of command in it.
fn busy(solver: &str) -> Session {
    let mut session = session(Start { solver: SolverChoice::from(solver), ..pyramid() });
    let top = some_body(&mut session);
    tell(&mut session, json!({"do": "step", "count": 5}));
    tell(&mut session, json!({"do": "grab", "origin": [0, 0, 50], "direction": [0, 0, -1]}));
    tell(&mut session, json!({"do": "drag", "target": [0.1, 0.2, 0.7]}));
    tell(&mut session, json!({"do": "drag", "target": [0.1, 1.0 / 3.0, 4.0]}));
    tell(&mut session, json!({"do": "step", "count": 9}));
    tell(&mut session, json!({"do": "throw", "origin": [3, 0, 1], "velocity": [-9.1, 0, 1], "radius": 0.2}));
    tell(&mut session, json!({"do": "step", "count": 4}));
    tell(&mut session, json!({"do": "release"}));
    tell(&mut session, json!({"do": "push", "body": top, "impulse": [0.0, 50.0, 10.0]}));
    tell(&mut session, json!({"do": "freeze", "body": 0}));
    tell(&mut session, json!({"do": "dt", "seconds": 0.01}));
    tell(&mut session, json!({"do": "step", "count": 6}));
    tell(&mut session, json!({"do": "thaw", "body": 0}));
    tell(&mut session, json!({"do": "delete", "body": 1}));
    tell(&mut session, json!({"do": "gravity", "value": [1.0, 0, -5]}));
    tell(&mut session, json!({"do": "friction", "factor": 0.3}));
    tell(&mut session, json!({"do": "step", "count": 7}));
    session
}

#[test]
fn going_back_through_everything_a_hand_can_do_is_exact() {
    for solver in ["vbd", "jacobi"] {
        let mut session = busy(solver);
        let (end, hash) = (session.step(), session.hash());
        for step in [4, 17, 11, 25, 0] {
            tell(&mut session, json!({"do": "seek", "step": step}));
            assert_eq!(session.step(), step);
            tell(&mut session, json!({"do": "seek", "step": end}));
            assert_eq!(session.hash(), hash, "{solver}, by way of step {step}");
        }
        // Playing on from the past does again what was done.
        tell(&mut session, json!({"do": "seek", "step": 3}));
        tell(&mut session, json!({"do": "step", "count": end - 3}));
        assert_eq!(session.hash(), hash, "{solver}");
        // A new command forgets what came after.
        tell(&mut session, json!({"do": "seek", "step": 12}));
        tell(&mut session, json!({"do": "release"}));
        assert_eq!(session.steps(), [0, 12]);
    }
}

#[test]
fn solvers_and_options_may_change_on_the_way_and_back() {
    let mut session = session(pyramid());
    tell(&mut session, json!({"do": "step", "count": 9}));
    tell(&mut session, json!({"do": "option", "key": "iterations", "value": 3}));
    tell(&mut session, json!({"do": "step", "count": 9}));
    tell(&mut session, json!({"do": "solver", "name": "jacobi", "options": {"iterations": 40}}));
    tell(&mut session, json!({"do": "step", "count": 9}));
    assert_eq!(session.report()["settings"]["options"]["iterations"], 40);
    let hash = session.hash();
    for (step, solver) in [(20, "jacobi"), (10, "vbd"), (27, "jacobi"), (2, "vbd"), (18, "vbd")] {
        tell(&mut session, json!({"do": "seek", "step": step}));
        assert_eq!(session.report()["solver"], solver, "step {step}");
    }
    tell(&mut session, json!({"do": "seek", "step": 27}));
    assert_eq!(session.hash(), hash);
    assert!(refused(&mut session, json!({"do": "option", "key": "iterations", "value": -1})).contains("iterations"));
    assert!(refused(&mut session, json!({"do": "solver", "name": "vdb"})).contains("vbd"));
}

#[test]
fn a_log_repeats_a_run_bit_for_bit_on_any_number_of_threads() {
    let mut session = busy("vbd");
    let text = session.log();
    for threads in [1, 3] {
        let log = Log::parse(&text).unwrap();
        assert!(log.is_of_library() && log.scene() == "pyramid");
        let start = Start { threads: Some(threads), ..Start::library(log.scene(), log.parameters()).unwrap() };
        let done = log.repeat(start).unwrap();
        assert!(done.is_same(), "{done:?}");
        assert_eq!(done.step, session.step());
    }
    let drags = text.lines().filter(|line| line.contains("drag")).count();
    assert_eq!(drags, 1, "of two places within a step the last counts");
    // A log of the past ends there.
    tell(&mut session, json!({"do": "seek", "step": 8}));
    let log = Log::parse(&session.log()).unwrap();
    assert!(log.repeat(pyramid()).unwrap().is_same());
}

#[test]
fn a_log_that_is_damaged_or_of_another_scene_is_refused() {
    let text = busy("vbd").log();
    let other = Log::parse(&text).unwrap().repeat(library("pyramid", json!({"rows": 4}))).unwrap_err();
    assert!(other.text.contains("not what it was"), "{}", other.text);
    let moved = text.replace(r#""factor":0.3"#, r#""factor":0.31"#);
    assert_ne!(moved, text);
    assert!(!Log::parse(&moved).unwrap().repeat(pyramid()).unwrap().is_same());
    for bad in ["", "{}", "hello", text.lines().next().unwrap(), &text.replace("release", "let_go")] {
        assert!(Log::parse(bad).is_err(), "{bad:.60}");
    }
}

#[test]
fn every_command_shows_in_the_next_report() {
    let mut session = session(pyramid());
    for (command, place, value) in [
        (json!({"do": "play"}), "/playing", json!(true)),
        (json!({"do": "pause"}), "/playing", json!(false)),
        (json!({"do": "speed", "factor": 0.5}), "/speed", json!(0.5)),
        (json!({"do": "step", "count": 2}), "/step", json!(2)),
        (json!({"do": "back"}), "/step", json!(1)),
        (json!({"do": "grab", "body": 3}), "/held", json!(3)),
        (json!({"do": "release"}), "/held", json!(null)),
        (json!({"do": "freeze", "body": 2}), "/frozen", json!([2])),
        (json!({"do": "thaw", "body": 2}), "/frozen", json!([])),
        (json!({"do": "throw", "origin": [0, 0, 9], "velocity": [0, 0, 0]}), "/bodies", json!(7)),
        (json!({"do": "delete", "body": 6}), "/bodies", json!(6)),
        (json!({"do": "gravity", "value": [0.0, 0.0, -1.6]}), "/settings/gravity", json!([0.0, 0.0, -1.6])),
        (json!({"do": "friction", "factor": 0.1}), "/settings/friction", json!(0.1)),
        (json!({"do": "dt", "seconds": 0.005}), "/settings/dt", json!(0.005)),
        (json!({"do": "option", "key": "iterations", "value": 7}), "/settings/options/iterations", json!(7)),
        (json!({"do": "solver", "name": "structured"}), "/solver", json!("structured")),
        (json!({"do": "show", "contacts": true}), "/show/contacts", json!(true)),
        (json!({"do": "record", "on": true}), "/recording", json!(true)),
        (json!({"do": "compare", "solver": "jacobi"}), "/second/asleep", json!(0)),
        (json!({"do": "compare", "solver": null}), "/second", json!(null)),
        (json!({"do": "scene", "name": "pile", "parameters": {"count": 5}}), "/bodies", json!(9)),
        (json!({"do": "reset"}), "/step", json!(0)),
    ] {
        tell(&mut session, command.clone());
        assert_eq!(session.report().pointer(place), Some(&value), "{command}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let mut session = session(pyramid());
    for (command, word) in [
        (json!({"do": "drag", "target": [0, 0, 0]}), "grab"),
        (json!({"do": "grab", "origin": [0, 0, 50], "direction": [0, 0, 1]}), "nothing"),
        (json!({"do": "grab"}), "body"),
        (json!({"do": "grab", "body": 99}), "99"),
        (json!({"do": "push", "body": 99, "impulse": [0, 0, 1]}), "99"),
        (json!({"do": "delete", "body": 99}), "99"),
        (json!({"do": "thaw", "body": 1}), "frozen"),
        (json!({"do": "throw", "origin": [0, 0, 9], "velocity": [0, 0, 0], "radius": -1}), "positive"),
        (json!({"do": "joint", "joint": 0, "axis": "turn", "target": 0}), "ang_x"),
        (json!({"do": "joint", "joint": 0, "axis": "ang_x", "target": 0}), "joint"),
        (json!({"do": "friction", "factor": -1}), "friction"),
        (json!({"do": "dt", "seconds": 0}), "time step"),
        (json!({"do": "speed", "factor": 1e9}), "speed"),
        (json!({"do": "scene", "name": "pyramit"}), "pyramid"),
        (json!({"do": "scene", "name": "pyramid", "parameters": {"rows": 0}}), "rows"),
        (json!({"do": "fly"}), "fly"),
        (json!("play"), "command"),
    ] {
        let text = refused(&mut session, command.clone());
        assert!(text.contains(word), "{command}: {text}");
    }
    assert_eq!(session.get("/nowhere").unwrap_err().status, 404);
    assert_eq!(session.get("/body?id=77").unwrap_err().status, 404);
    assert_eq!(session.get("/body").unwrap_err().status, 400);
    assert_eq!(session.get("/recording").unwrap_err().status, 404);
}

#[test]
fn a_held_body_follows_the_hand_whatever_it_weighs() {
    for solver in ["vbd", "structured"] {
        for mass in [1e-3, 1.0, 1e3, 1e6] {
            let mut scene = ModelBuilder::new();
            scene.ground();
            scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)).mass(mass));
            let mut session = session(of_model(&scene, solver, 1.0 / 60.0));
            tell(&mut session, json!({"do": "grab", "body": 0}));
            tell(&mut session, json!({"do": "drag", "target": [0.5, 0.2, 3.0]}));
            tell(&mut session, json!({"do": "step", "count": 150}));
            let body: Value = serde_json::from_slice(&session.get("/body?id=0").unwrap().bytes).unwrap();
            let place = [0, 1, 2].map(|axis| body["position"][axis].as_f64().unwrap());
            // The weight stretches the spring by g/ω² (1 + h ω)² = 14.08 mm.
            let turn = 1.0 + 2.0 * std::f64::consts::PI * 7.5 / 60.0;
            let stretch = 9.81 / (2.0 * std::f64::consts::PI * 7.5).powi(2) * turn * turn;
            let off = DVec3::from_array(place) - DVec3::new(0.5, 0.2, 3.0 - stretch);
            assert!(off.length() < 1e-5, "{solver}, {mass} kg: {place:?}");
            // By its upper side it swings, and the point held stays in the hand.
            tell(&mut session, json!({"do": "grab", "body": 0, "at": [0.0, 0.1, 0.5]}));
            tell(&mut session, json!({"do": "drag", "target": [0.9, 0.2, 3.0]}));
            tell(&mut session, json!({"do": "step", "count": 150}));
            let frame = session.frame();
            let number = |at: usize| f64::from(f32::from_le_bytes(frame[at..at + 4].try_into().unwrap()));
            let [point, target] = [24, 12].map(|back| [0, 4, 8].map(|at| number(frame.len() - back + at)));
            assert_eq!(target[0], f64::from(0.9_f32));
            let stretch = (DVec3::from_array(point) - DVec3::from_array(target)).length();
            assert!(stretch < 0.05, "{solver}, {mass} kg: {stretch} m");
        }
    }
}

/// A light link on a heavy bob, and a heavy one on a light: pulled far away, neither runs off.
#[test]
fn no_ratio_of_masses_blows_the_spring_up() {
    for ratio in [1e-3, 1.0, 1e3, 1e6] {
        for held in [0, 1] {
            let mut scene = ModelBuilder::new();
            let link = scene
                .add_body(BodyDef::dynamic("link").at(DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.05, 0.05)).mass(1.0));
            let bob = scene.add_body(BodyDef::dynamic("bob").at(DVec3::X * 1.2).sphere(0.2).mass(ratio));
            scene.add_joint(JointDef::ball(drystone::model::WORLD, link, DVec3::ZERO));
            scene.add_joint(JointDef::ball(link, bob, DVec3::X));
            let mut session = session(of_model(&scene, "structured", 1.0 / 60.0));
            tell(&mut session, json!({"do": "grab", "body": held}));
            tell(&mut session, json!({"do": "drag", "target": [100.0, 50.0, 30.0]}));
            let mut fastest = 0.0_f64;
            for _ in 0..120 {
                tell(&mut session, json!({"do": "step"}));
                for body in 0..2 {
                    let told: Value =
                        serde_json::from_slice(&session.get(&format!("/body?id={body}")).unwrap().bytes).unwrap();
                    let speed = (0..3).map(|axis| told["velocity"][axis].as_f64().unwrap().powi(2)).sum::<f64>().sqrt();
                    fastest = fastest.max(speed);
                }
            }
            // 100 times its weight over an arm of 1.4 m: v² = 2 · 100 g · 2.8 m at most.
            assert!(
                session.report()["failed"].is_null() && fastest < 80.0,
                "ratio {ratio}, held {held}: {fastest} m/s"
            );
        }
    }
}

#[test]
fn a_ray_grabs_what_it_meets_first() {
    let mut session = session(pyramid());
    let picked = tell(&mut session, json!({"do": "pick", "origin": [0, 0, 50], "direction": [0, 0, -1]}));
    let grabbed = tell(&mut session, json!({"do": "grab", "origin": [0, 0, 50], "direction": [0, 0, -2]}));
    assert_eq!(picked["body"], grabbed["body"]);
    for axis in 0..3 {
        let [a, b] = [&picked, &grabbed].map(|told| told["point"][axis].as_f64().unwrap());
        assert!((a - b).abs() < 1e-12);
    }
    let floor = tell(&mut session, json!({"do": "pick", "origin": [30, 0, 5], "direction": [0, 0, -1]}));
    assert_eq!((&floor["body"], floor["point"][2].as_f64()), (&json!(null), Some(0.0)));
}

/// Balls in a row along x that collide with nothing, joined at their sides: beads.
fn beads() -> Session {
    session(library("necklace", json!({"chains": 1, "beads": 5})))
}

#[test]
fn a_ray_meets_what_is_seen_even_if_it_collides_with_nothing() {
    let mut session = beads();
    for bead in 0..5 {
        let above = json!([0.1 * f64::from(bead) + 0.05, 0, 3]);
        let told = tell(&mut session, json!({"do": "pick", "origin": above, "direction": [0, 0, -1]}));
        assert_eq!(told["body"], bead);
        assert!((told["point"][2].as_f64().unwrap() - 0.05).abs() < 1e-12, "{told}");
    }
    let grabbed = tell(&mut session, json!({"do": "grab", "origin": [0.25, 0, 3], "direction": [0, 0, -1]}));
    assert_eq!(grabbed["body"], 2);
}

#[test]
fn rays_into_a_recording_meet_bodies_where_its_frame_has_them() {
    let mut session = beads();
    tell(&mut session, json!({"do": "record", "on": true}));
    tell(&mut session, json!({"do": "step", "count": 40}));
    let recording = session.recording().unwrap().clone();
    let mut film = Session::of_recording("run.npz", recording.clone(), View::default());
    // To and fro, so that what is kept of one frame is brought to others; asked twice at each.
    for frame in [0, 40, 40, 11, 0, 25] {
        tell(&mut film, json!({"do": "seek", "step": frame}));
        for bead in 0..5 {
            let centre = recording.poses(frame)[bead].translation;
            let from = (centre + DVec3::NEG_Y).to_array();
            let told = tell(&mut film, json!({"do": "pick", "origin": from, "direction": [0, 2, 0]}));
            assert_eq!(told["body"], bead, "frame {frame}");
            let met: [f64; 3] = std::array::from_fn(|axis| told["point"][axis].as_f64().unwrap());
            assert!((DVec3::from_array(met) - (centre + DVec3::NEG_Y * 0.05)).length() < 1e-12);
        }
    }
}

#[test]
fn two_solvers_run_side_by_side_until_they_part_and_back_again() {
    let mut session = session(pyramid());
    tell(&mut session, json!({"do": "step", "count": 3}));
    tell(&mut session, json!({"do": "compare", "solver": "jacobi", "options": {"iterations": 1}}));
    tell(&mut session, json!({"do": "push", "body": 0, "impulse": [9000.0, 0, 0]}));
    tell(&mut session, json!({"do": "step", "count": 60}));
    let report = session.report();
    let parted = report["parted"]["step"].as_u64().expect("one iteration is not enough");
    assert!((4..=63).contains(&parted) && report["second"]["kinetic"].is_number());
    tell(&mut session, json!({"do": "seek", "step": parted - 1}));
    assert_eq!(session.report()["parted"], json!(null));
    tell(&mut session, json!({"do": "seek", "step": 63}));
    assert_eq!(session.report()["parted"], report["parted"]);
    assert_eq!(session.report()["second"], report["second"]);
    tell(&mut session, json!({"do": "seek", "step": 2}));
    assert_eq!(session.report()["second"], json!(null), "it began later");
    // The same solver never parts.
    tell(&mut session, json!({"do": "compare", "solver": "vbd"}));
    tell(&mut session, json!({"do": "step", "count": 20}));
    assert_eq!(session.report()["parted"], json!(null));
}

#[test]
fn frames_hold_what_is_shown() {
    let mut session = session(pyramid());
    tell(&mut session, json!({"do": "step", "count": 3}));
    let bare = session.frame();
    assert_eq!((kind_of(&bare), step_of(&bare)), (0, 3));
    assert_eq!(bare.len(), HEAD_BYTES + 4 + 6 * 20);
    assert_eq!(u32::from_le_bytes(bare[..4].try_into().unwrap()) as usize, bare.len() - 4);
    let show = json!({"do": "show", "contacts": true, "velocities": true, "groups": true, "bounds": true});
    tell(&mut session, show);
    tell(&mut session, json!({"do": "freeze", "body": 1}));
    tell(&mut session, json!({"do": "grab", "body": 0}));
    tell(&mut session, json!({"do": "step"}));
    let contacts = session.report()["figures"]["contacts"].as_u64().unwrap() as usize;
    assert!(contacts > 0);
    let parts = [6 * 20, 8 + 32 * contacts, 4 + 6, 4 + 6 * 12, 4 + 6 * 4, 4 + 6 * 24, 24, 4 + 4 * contacts];
    let full = session.frame();
    assert_eq!(full.len(), HEAD_BYTES + 4 + parts.iter().sum::<usize>());
    let flags = u16::from_le_bytes(full[6..8].try_into().unwrap());
    assert_eq!(flags, 1 | 8 | 16 | 32 | 64 | 128 | 512 | 1024);
    // The first pose, to the precision of the frame.
    let x = f32::from_le_bytes(full[36..40].try_into().unwrap());
    let told: Value = serde_json::from_slice(&session.get("/body?id=0").unwrap().bytes).unwrap();
    assert!((f64::from(x) - told["position"][0].as_f64().unwrap()).abs() < 1e-6);
}

#[test]
fn contacts_beyond_the_limit_are_counted() {
    let limits = Limits { contacts: 3, ..Limits::default() };
    let mut session = Session::with_limits(pyramid(), limits).unwrap();
    tell(&mut session, json!({"do": "show", "contacts": true}));
    tell(&mut session, json!({"do": "step"}));
    let all = session.report()["figures"]["contacts"].as_u64().unwrap() as u32;
    let frame = session.frame();
    let at = HEAD_BYTES + 4 + 6 * 20;
    let number = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().unwrap());
    assert!(all > 3);
    assert_eq!((number(at), number(at + 4)), (3, all));
}

#[test]
fn generations_follow_what_there_is_to_draw() {
    let mut session = session(pyramid());
    let mut seen = session.generation();
    let mut changed = |session: &Session| std::mem::replace(&mut seen, session.generation()) != session.generation();
    tell(&mut session, json!({"do": "step", "count": 5}));
    tell(&mut session, json!({"do": "gravity", "value": [0, 0, -5]}));
    assert!(!changed(&session));
    tell(&mut session, json!({"do": "throw", "origin": [0, 0, 9], "velocity": [0, 0, 0]}));
    assert!(changed(&session));
    tell(&mut session, json!({"do": "step", "count": 5}));
    tell(&mut session, json!({"do": "seek", "step": 7}));
    assert!(!changed(&session), "the ball is there");
    tell(&mut session, json!({"do": "seek", "step": 4}));
    assert!(changed(&session), "it is not there yet");
    let scene = session.get("/scene").unwrap().bytes;
    let length = u32::from_le_bytes(scene[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&scene[4..4 + length]).unwrap();
    assert_eq!((head["bodies"].as_array().unwrap().len(), &head["steps"]), (6, &json!([0, 10])));
    assert_eq!(
        (&head["scene"], &head["source"], &head["can"]["drag"]),
        (&json!("pyramid"), &json!("library"), &json!(true))
    );
}

#[test]
fn recordings_play_scrub_and_refuse_to_be_changed() {
    let mut session = session(pyramid());
    tell(&mut session, json!({"do": "record", "on": true}));
    tell(&mut session, json!({"do": "step", "count": 20}));
    let recording: Recording = session.recording().unwrap().clone();
    assert_eq!(recording.frame_count(), 21);
    let twelfth = session.glimpse(12).unwrap();
    let mut film = Session::of_recording("run.npz", recording, View::default());
    assert_eq!(film.steps(), [0, 20]);
    tell(&mut film, json!({"do": "seek", "step": 12}));
    assert_eq!(film.frame()[HEAD_BYTES..], twelfth[HEAD_BYTES..], "the very poses");
    tell(&mut film, json!({"do": "play"}));
    let mut passed = 0;
    while film.is_playing() && passed < 1000 {
        film.pass(0.01);
        passed += 1;
    }
    assert_eq!(film.step(), 20);
    assert!((12..=16).contains(&passed), "8 frames of 1/60 s in steps of 10 ms: {passed}");
    assert!(refused(&mut film, json!({"do": "push", "body": 0, "impulse": [0, 0, 1]})).contains("recording"));
    assert_eq!(tell(&mut film, json!({"do": "pick", "origin": [0, 0, 50], "direction": [0, 0, -1]}))["body"], 5);
    tell(&mut film, json!({"do": "reset"}));
    assert_eq!(film.step(), 0);
    let scene = film.get("/scene").unwrap().bytes;
    let length = u32::from_le_bytes(scene[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&scene[4..4 + length]).unwrap();
    assert_eq!((&head["source"], &head["can"]["drag"]), (&json!("recording"), &json!(false)));
    assert!(head["why"]["contacts"].as_str().unwrap().contains("recording"));
}

#[test]
fn what_is_kept_stays_within_its_bounds() {
    let limits =
        Limits { frame_bytes: 3000, checkpoint_bytes: 60_000, checkpoint_every: 2, series: 10, ..Limits::default() };
    let mut session = Session::with_limits(pyramid(), limits).unwrap();
    tell(&mut session, json!({"do": "step", "count": 60}));
    let hash = session.hash();
    let [frames, checkpoints] = session.kept_bytes();
    assert!(frames <= 3000 && frames > 2000 && checkpoints <= 60_000, "{frames} {checkpoints}");
    let series: Value = serde_json::from_slice(&session.get("/series?since=0").unwrap().bytes).unwrap();
    assert_eq!(series["step"].as_array().unwrap().len(), 10);
    assert_eq!(series["figures"]["energy"].as_array().unwrap().len(), 10);
    tell(&mut session, json!({"do": "seek", "step": 31}));
    tell(&mut session, json!({"do": "seek", "step": 60}));
    assert_eq!(session.hash(), hash);
}

#[test]
fn joint_targets_move_what_they_drive() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1).mass(1.0));
    let hinge = JointDef::revolute(drystone::model::WORLD, arm, DVec3::ZERO, DVec3::Z);
    scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.0, 100.0, 20.0)));
    let mut session = session(of_model(&scene, "vbd", 1.0 / 60.0));
    let scene = session.get("/scene").unwrap().bytes;
    let length = u32::from_le_bytes(scene[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&scene[4..4 + length]).unwrap();
    assert_eq!(head["joints"][0]["axes"][0], json!({"axis": "ang_x", "limits": null, "drive": true, "target": 0.0}));
    tell(&mut session, json!({"do": "joint", "joint": 0, "axis": "ang_x", "target": 0.5}));
    tell(&mut session, json!({"do": "step", "count": 120}));
    let told: Value = serde_json::from_slice(&session.get("/body?id=0").unwrap().bytes).unwrap();
    assert!((told["joints"][0]["axes"][0]["value"].as_f64().unwrap() - 0.5).abs() < 1e-2, "{}", told["joints"]);
}

/// A sheet of 0.8 m held at two corners, level at the start.
fn sheet() -> Start {
    let mut scene = ModelBuilder::new();
    let grid = ClothGrid {
        pose: Pose::from_translation(DVec3::new(0.0, 0.0, 2.0)),
        cells: [8; 2],
        size: [0.1; 2],
        density: 0.2,
        radius: 0.01,
        membrane: ElementMaterial { mu: 400.0, lambda: 300.0, damping: 0.0 },
        bend: BendMaterial::default(),
    };
    let particles = scene.add_cloth_grid(&grid);
    [particles[0], particles[8]].into_iter().for_each(|corner| scene.pin(corner));
    of_model(&scene, "vbd", 1.0 / 60.0)
}

#[test]
fn cloth_is_held_by_a_particle_led_no_further_than_it_stretches() {
    let mut session = session(sheet());
    let ray = json!({"do": "grab", "origin": [0.41, 0.79, 9.0], "direction": [0, 0, -1]});
    let grabbed = tell(&mut session, ray);
    let particle = grabbed["particle"].as_u64().unwrap() as usize;
    assert_eq!((particle, &grabbed["body"]), (8 * 9 + 4, &json!(null)));
    let place = |session: &Session| session.state().particle_q[particle];
    let target = DVec3::new(0.4, 0.6, 2.2);
    tell(&mut session, json!({"do": "drag", "target": target.to_array()}));
    tell(&mut session, json!({"do": "step", "count": 60}));
    assert!(place(&session).distance(target) < 1e-3, "within reach it gets there: {}", place(&session));
    // The corners are 0.4 m and 0.8 m away in the sheet: a metre of way cannot be had.
    tell(&mut session, json!({"do": "drag", "target": [0.4, 9.0, 2.0]}));
    tell(&mut session, json!({"do": "step", "count": 120}));
    let reached = place(&session).distance(DVec3::new(0.0, 0.0, 2.0));
    assert!((0.8..1.2 * 0.8f64.hypot(0.4)).contains(&reached), "{reached}");
    let report = session.report();
    assert_eq!((&report["held"], &report["particle"]), (&json!(null), &json!(particle)));
    tell(&mut session, json!({"do": "release"}));
    tell(&mut session, json!({"do": "step", "count": 30}));
    assert!(place(&session).z < 1.9, "it falls when it is let go: {}", place(&session));
    let done = Log::parse(&session.log()).unwrap().repeat(sheet()).unwrap();
    assert!(done.is_same(), "{done:?}");
    assert!(refused(&mut session, json!({"do": "grab", "particle": 0})).contains("pinned"));
    assert!(refused(&mut session, json!({"do": "grab", "particle": 81})).contains("81"));
}
