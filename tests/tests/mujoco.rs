//! Joint accelerations of trees against those MuJoCo gave for the same models. The files under
//! `tests/fixtures/mujoco` are its answers; `cargo xtask mujoco --write` asks it again.

use std::fs;
use std::path::Path;

use drystone::model::{DVec3, Twist};
use drystone::structured::{ConstraintSystem, StructuredOptions};
use drystone_tests::mujoco::{Accelerations, CASES, dense_accelerations, difference, in_its_terms, model};

fn answer(case: &str) -> Accelerations {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mujoco").join(case).with_extension("json");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_mass_matrix_gives_mujocos_accelerations() {
    for case in CASES {
        let model = model(case);
        let state = model.state();
        let ours = in_its_terms(&model, &state, &dense_accelerations(&model, &state));
        let apart = difference(&ours, &answer(case.0));
        assert!(apart < 1e-8, "{}: {apart:e}", case.0);
    }
}

#[test]
fn the_structured_solver_gives_mujocos_accelerations() {
    for case in CASES {
        let model = model(case);
        let state = model.state();
        let mut mechanism = ConstraintSystem::new(&model, StructuredOptions::default());
        mechanism.forward_dynamics(&model, &state, &model.control()).unwrap();
        let of_body = mechanism.motion[..model.body_count()]
            .iter()
            .map(|x| Twist { linear: DVec3::from_slice(&x[..3]), angular: DVec3::from_slice(&x[3..]) })
            .collect::<Vec<_>>();
        let apart = difference(&in_its_terms(&model, &state, &of_body), &answer(case.0));
        assert!(apart < 1e-8, "{}: {apart:e}", case.0);
    }
}
