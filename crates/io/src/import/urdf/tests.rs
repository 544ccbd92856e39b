//! The rules of the format, each with a number worked out by hand.

use std::f64::consts::{FRAC_PI_2, PI};

use drystone_geometry::Shape;
use drystone_model::{Axis, BodyId, DQuat, DVec3, Follow, JointKind, Spring};

use super::super::{Base, ImportError, ImportOptions, Imported, InertiaFaults, MimicJoints, Speeds, parse_urdf};
use crate::atomic::tests::Folder;

const SOLID: &str =
    r#"<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"#;

fn with(options: &ImportOptions, body: &str) -> Result<Imported, ImportError> {
    parse_urdf(&format!("<robot name=\"r\">\n{body}\n</robot>"), "r.urdf".as_ref(), options)
}

fn fixed(body: &str) -> Result<Imported, ImportError> {
    with(&ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() }, body)
}

/// A base and a link that weighs, joined by what is given.
fn arm(joint: &str, link: &str) -> Result<Imported, ImportError> {
    fixed(&format!(
        "<link name=\"base\"/><link name=\"arm\">{link}</link>\n<joint name=\"j\" {joint}<parent link=\"base\"/><child link=\"arm\"/></joint>"
    ))
}

fn shown(result: Result<Imported, ImportError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn rpy_turns_about_x_then_y_then_z_of_the_parent() {
    let robot =
        arm(r#"type="continuous"><origin xyz="1 2 3" rpy="1.5707963267948966 0 1.5707963267948966"/>"#, SOLID).unwrap();
    let pose = robot.model.body_q[0];
    // Rz(90°)·Rx(90°): x to y, y to z, z to x.
    assert!((pose.rotation * DVec3::X - DVec3::Y).length() < 1e-15);
    assert!((pose.rotation * DVec3::Y - DVec3::Z).length() < 1e-15);
    assert_eq!(pose.translation, DVec3::new(1.0, 2.0, 3.0));
}

#[test]
fn the_tensor_is_in_axes_of_the_inertial_frame_about_the_centre_of_mass() {
    let inertial = r#"<inertial><origin xyz="0 0 0.5" rpy="0 0 1.5707963267948966"/><mass value="3"/>
        <inertia ixx="2" iyy="3" izz="4" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    let model = arm(r#"type="continuous">"#, inertial).unwrap().model;
    assert_eq!((model.body_mass[0], model.body_com[0]), (3.0, DVec3::Z * 0.5));
    let moments = model.body_inertia[0].diagonal();
    assert!((moments - DVec3::new(3.0, 2.0, 4.0)).length() < 1e-14, "{moments}");
}

#[test]
fn the_axis_is_x_unless_given_and_need_not_have_unit_length() {
    let along = |axis: &str| {
        let model = arm(&format!("type=\"continuous\">{axis}"), SOLID).unwrap().model;
        model.joint_frame_parent[0].rotation * DVec3::X
    };
    assert_eq!(along(""), DVec3::X);
    assert!((along(r#"<axis xyz="0 -3 4"/>"#) - DVec3::new(0.0, -0.6, 0.8)).length() < 1e-15);
    assert!(shown(arm(r#"type="continuous"><axis xyz="0 0 0"/>"#, SOLID)).contains("has no length"));
}

#[test]
fn sizes_are_full_and_only_collisions_count() {
    let shapes = r#"<visual><geometry><sphere radius="9"/></geometry></visual>
        <collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="0.6"/></geometry></collision>
        <collision><geometry><box size="1 2 3"/></geometry></collision>"#;
    let model = arm(r#"type="continuous">"#, &format!("{SOLID}{shapes}")).unwrap().model;
    assert_eq!(model.shape_geometry[0], Shape::Cylinder { radius: 0.1, half_height: 0.3 });
    assert_eq!(model.shape_geometry[1], Shape::Box { half: DVec3::new(0.5, 1.0, 1.5) });
    assert_eq!((model.shape_count(), model.shape_pose[0].translation), (2, DVec3::Z));
}

#[test]
fn the_base_must_be_said() {
    let robot = format!("<link name=\"a\">{SOLID}</link>");
    let error = shown(with(&ImportOptions::default(), &robot));
    assert!(error.starts_with("r.urdf:2:") && error.contains("--base fixed"), "{error}");
    let free = with(&ImportOptions { base: Some(Base::Free), ..ImportOptions::default() }, &robot).unwrap();
    assert_eq!((free.model.body_count(), free.model.joint_kind[0]), (1, JointKind::Free));
    let state = free.state_at(&[1.0, 2.0, 3.0, 0.5, 0.5, 0.5, 0.5], &[0.1, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
    assert!((state.body_q[0].rotation.dot(DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5)).abs() - 1.0).abs() < 1e-15);
    // The spin about the body's z axis, which points along the world's y axis.
    let z = state.body_q[0].rotation * DVec3::Z;
    assert!((state.body_qd[0].angular - 2.0 * z).length() < 1e-14);
    assert_eq!(fixed(&robot).unwrap().model.body_count(), 0);
}

#[test]
fn links_on_fixed_joints_are_fused_and_stay_as_frames() {
    let robot = fixed(&format!(
        r#"<link name="base"/><link name="arm">{SOLID}</link><link name="tool">{SOLID}</link><link name="tip"/>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
        <joint name="t" type="fixed"><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><parent link="arm"/><child link="tool"/></joint>
        <joint name="u" type="fixed"><origin xyz="0.5 0 0"/><parent link="tool"/><child link="tip"/></joint>"#
    ))
    .unwrap();
    assert_eq!(robot.model.body_name, ["arm"]);
    assert_eq!((robot.model.body_mass[0], robot.model.body_com[0]), (4.0, DVec3::X * 0.5));
    // Two masses of 2 kg half a metre from their centre: 2·(1 + 2·0.25) about y and z, 2 about x.
    assert!((robot.model.body_inertia[0].diagonal() - DVec3::new(2.0, 3.0, 3.0)).length() < 1e-14);
    let tip = robot.frame("tip").unwrap();
    assert!(tip.body == BodyId(0) && (tip.pose.translation - DVec3::new(1.0, 0.5, 0.0)).length() < 1e-15);
    assert_eq!(robot.frame("base").unwrap().body, BodyId::WORLD);
}

#[test]
fn tensors_no_mass_has_are_refused_with_every_link_or_repaired() {
    let tensor = |moments: [f64; 3]| {
        let [x, y, z] = moments;
        format!(
            r#"<inertial><mass value="2"/><inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/></inertial>"#
        )
    };
    let robot = format!(
        r#"<link name="base"/><link name="flat">{}</link><link name="long">{}</link><link name="none"/><link name="end">{SOLID}</link>
        <joint name="a" type="continuous"><parent link="base"/><child link="flat"/></joint>
        <joint name="b" type="continuous"><parent link="flat"/><child link="long"/></joint>
        <joint name="c" type="continuous"><parent link="long"/><child link="none"/></joint>
        <joint name="d" type="continuous"><parent link="none"/><child link="end"/></joint>"#,
        tensor([0.0, 1.0, 1.0]),
        tensor([1.0, 2.0, 5.0])
    );
    let refused = shown(fixed(&robot));
    assert!(refused.contains("`flat`") && refused.contains("`long`"), "{refused}");
    let options = ImportOptions { base: Some(Base::Fixed), inertia: InertiaFaults::Repair, ..ImportOptions::default() };
    let repaired = with(&options, &robot).unwrap();
    let moments = |body: usize| repaired.model.body_inertia[body].diagonal();
    assert!((moments(0) - DVec3::new(2.0 * 9e-6, 1.0, 1.0)).length() < 1e-15, "{}", moments(0));
    assert!((moments(1) - DVec3::new(2.0, 3.0, 5.0)).length() < 1e-14, "{}", moments(1));
    assert_eq!(repaired.model.body_mass[2], 1e-3);
    assert_eq!(repaired.notes.len(), 3);
    // What stands, or is welded to something with extent, may have any tensor.
    let point = tensor([0.0; 3]);
    let welded = format!(
        r#"<link name="base">{point}</link><link name="a">{SOLID}</link><link name="b">{point}</link>
        <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>
        <joint name="k" type="fixed"><origin xyz="2 0 0"/><parent link="a"/><child link="b"/></joint>"#
    );
    assert!((fixed(&welded).unwrap().model.body_inertia[0].diagonal() - DVec3::new(1.0, 5.0, 5.0)).length() < 1e-14);
    let weightless = robot.replace("value=\"2\"", "value=\"0\"");
    assert!(with(&options, &weightless).unwrap().notes.iter().any(|note| note.message.contains("without mass")));
}

#[test]
fn limits_damping_friction_and_effort_reach_the_axis() {
    let joint = r#"type="prismatic"><limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.5" friction="0.25"/>"#;
    let robot = arm(joint, SOLID).unwrap();
    let axis = Axis::LinX as usize;
    let (limit, drive) = (robot.model.joint_limit[0][axis], robot.model.joint_drive[0][axis]);
    assert_eq!((limit.lower, limit.upper, drive.acts(), drive.max_effort), (-1.0, 2.0, false, 30.0));
    assert_eq!(
        robot.model.joint_spring[0][axis],
        Spring::damper(0.5),
        "a damper is no motor and has no largest effort"
    );
    assert_eq!((robot.model.joint_friction[0][axis], robot.joints[0].effort), (0.25, Some(30.0)));
    assert!(robot.joints[0].velocity == Some(4.0) && robot.notes[0].message.contains("velocity"));
    let plain = arm(r#"type="revolute"><limit lower="-1" upper="2" effort="30" velocity="0"/>"#, SOLID).unwrap();
    assert_eq!(plain.model.joint_drive[0][3].max_effort, 30.0);
    let endless = arm(r#"type="continuous"><limit effort="30" velocity="0"/>"#, SOLID).unwrap();
    assert_eq!(endless.model.joint_limit[0][3].upper, f64::INFINITY);
    assert!(shown(arm(r#"type="revolute">"#, SOLID)).contains("no `limit`"));
    assert!(shown(arm(r#"type="revolute"><limit lower="2" upper="1"/>"#, SOLID)).contains("above"));
}

#[test]
fn planar_and_floating_joints() {
    let planar = arm(r#"type="planar"><axis xyz="0 0 1"/>"#, SOLID).unwrap();
    assert_eq!(planar.model.joint_kind[0], JointKind::Planar);
    let state = planar.state_at(&[1.0, 2.0, FRAC_PI_2], &[0.0; 3]).unwrap();
    let moved = state.body_q[0];
    assert!(moved.translation.z.abs() < 1e-15 && (moved.translation.length() - 5f64.sqrt()).abs() < 1e-14);
    assert!((moved.rotation * DVec3::X - DVec3::Y).length() < 1e-14);
    assert_eq!(arm(r#"type="floating">"#, SOLID).unwrap().model.joint_kind[0], JointKind::Free);
}

#[test]
fn joints_that_follow_others_do_or_are_set_free() {
    let file = |mimic: &str| {
        format!(
            r#"<link name="base"/><link name="a">{SOLID}</link><link name="b">{SOLID}</link>
            <joint name="lead" type="continuous"><parent link="base"/><child link="a"/></joint>
            <joint name="j" type="prismatic"><limit lower="-9" upper="9" effort="1" velocity="1"/>{mimic}
            <parent link="base"/><child link="b"/></joint>"#
        )
    };
    let mimic = r#"<mimic joint="lead" multiplier="-2" offset="0.5"/>"#;
    let robot = fixed(&file(mimic)).unwrap();
    let (lead, j) = (robot.model.joint_named("lead").unwrap(), robot.model.joint_named("j").unwrap());
    let follow = robot.model.joint_follow[j.built_index()][Axis::LinX as usize].unwrap();
    assert_eq!(follow, Follow::hard(lead, Axis::AngX, -2.0, 0.5));
    let start = robot.model.joint_coordinates(&robot.model.state(), j.built_index())[0];
    assert!((start - 0.5).abs() < 1e-15, "it starts where the leader asks for: {start}");
    assert!(shown(fixed(&file(r#"<mimic joint="led"/>"#))).contains("did you mean `lead`?"));
    let options = ImportOptions { base: Some(Base::Fixed), mimic: MimicJoints::Free, ..ImportOptions::default() };
    let free = with(&options, &file(mimic)).unwrap();
    assert!(free.notes.iter().any(|note| note.message.contains("by itself")));
    assert_eq!(free.model.joint_follow[j.built_index()], [None; 6]);
}

/// A largest speed is told, or held on request, and written back.
#[test]
fn largest_speeds_are_held_on_request() {
    let text = format!(
        r#"<link name="base"/><link name="a">{SOLID}</link><joint name="j" type="revolute"><limit lower="-1" upper="1" effort="3" velocity="2.5"/>
        <parent link="base"/><child link="a"/></joint>"#
    );
    let told = fixed(&text).unwrap();
    assert_eq!((told.joints[0].velocity, told.model.joint_max_rate[0]), (Some(2.5), [f64::INFINITY; 6]));
    let options = ImportOptions { base: Some(Base::Fixed), speeds: Speeds::Hold, ..ImportOptions::default() };
    let held = with(&options, &text).unwrap();
    assert_eq!(held.model.joint_max_rate[0][Axis::AngX as usize], 2.5);
    assert!(!held.notes.iter().any(|note| note.message.contains("speeds")));
    let written = crate::urdf::export_urdf(&held.model, "r").unwrap().text;
    assert!(written.contains("velocity=\"2.5\""), "{written}");
}

#[test]
fn packages_are_found_above_the_file_or_where_the_user_says() {
    let folder = Folder::new("import-packages");
    let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    std::fs::create_dir_all(folder.0.join("bot/meshes")).unwrap();
    std::fs::create_dir_all(folder.0.join("bot/urdf")).unwrap();
    std::fs::write(folder.0.join("bot/meshes/a.obj"), cube).unwrap();
    let text = |mesh: &str| {
        format!(
            "<robot><link name=\"a\"><collision><geometry><mesh filename=\"{mesh}\" scale=\"2 2 2\"/></geometry></collision></link></robot>"
        )
    };
    let mut options = ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() };
    let path = folder.0.join("bot/urdf/r.urdf");
    for name in ["package://bot/meshes/a.obj", "../meshes/a.obj"] {
        let robot = parse_urdf(&text(name), &path, &options).unwrap();
        let Shape::Hull(hull) = &robot.model.shape_geometry[0] else { panic!("a hull") };
        assert_eq!((hull.vertices.len(), hull.vertices.iter().map(|v| v.x).fold(0.0, f64::max)), (4, 2.0));
    }
    let elsewhere = "package://far/a.obj";
    assert!(shown(parse_urdf(&text(elsewhere), &path, &options)).contains("--package far=FOLDER"));
    options.packages.insert("far".into(), folder.0.join("bot/meshes"));
    assert!(parse_urdf(&text(elsewhere), &path, &options).is_ok());
    let missing = shown(parse_urdf(&text("no.stl"), &path, &options));
    assert!(missing.contains("no.stl") && missing.contains("r.urdf:1:"), "{missing}");
    assert!(shown(parse_urdf(&text("no.dae"), &path, &options)).contains("no.dae"));
}

#[test]
fn what_is_unknown_or_of_other_programs_is_named() {
    let error = shown(arm(r#"type="revolut">"#, SOLID));
    assert!(error.contains("did you mean `revolute`?"), "{error}");
    let error = shown(fixed(r#"<link name="a"><colision/></link>"#));
    assert!(error.contains("did you mean `collision`?"), "{error}");
    let error =
        shown(fixed(r#"<link name="a"><collision><geometry><sphere raduis="1"/></geometry></collision></link>"#));
    assert!(error.contains("did you mean `radius`?") && error.contains("lacks `radius`"), "{error}");
    let error =
        shown(fixed(r#"<link name="a"><collision><geometry><sphere radius="nan"/></geometry></collision></link>"#));
    assert!(error.contains("not a finite number"), "{error}");
    let error = shown(fixed(
        "<link name=\"a\"/>\n<link name=\"b\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>",
    ));
    assert!(error.contains("there is no link `c`"), "{error}");
    let notes = fixed("<link name=\"a\"/><transmission/><gazebo/><gazebo/>").unwrap().notes;
    assert_eq!((notes.len(), notes[1].count), (2, 2));
}

#[test]
fn trees_only() {
    let links = "<link name=\"a\"/><link name=\"b\"/>";
    let joint = |parent: &str, child: &str| {
        format!(
            "<joint name=\"{parent}{child}\" type=\"fixed\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>"
        )
    };
    assert!(shown(fixed(&format!("{links}{}{}", joint("a", "b"), joint("b", "a")))).contains("circle"));
    assert!(shown(fixed(&format!("{links}{}{}", joint("a", "b"), joint("a", "b")))).contains("two joints"));
    assert!(shown(fixed(links)).contains("hangs from nothing"));
}

#[test]
fn coordinates_of_the_file_place_the_links() {
    let two = fixed(&format!(
        r#"<link name="base"/><link name="a">{SOLID}</link><link name="b">{SOLID}</link>
        <joint name="ja" type="continuous"><axis xyz="0 0 1"/><parent link="base"/><child link="a"/></joint>
        <joint name="jb" type="continuous"><origin xyz="1 0 0"/><axis xyz="0 0 -1"/><parent link="a"/><child link="b"/></joint>"#
    ))
    .unwrap();
    let state = two.state_at(&[FRAC_PI_2, PI], &[1.0, 0.5]).unwrap();
    assert!((state.body_q[1].translation - DVec3::Y).length() < 1e-15);
    assert!((state.body_qd[1].angular - DVec3::Z * 0.5).length() < 1e-15);
    assert!((state.body_qd[1].linear + DVec3::X).length() < 1e-15);
    assert!(two.state_at(&[0.0], &[0.0, 0.0]).is_err());
}
