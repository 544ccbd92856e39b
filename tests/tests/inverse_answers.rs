//! The inverse side against MuJoCo and Pinocchio: mass matrix, inverse dynamics and Jacobians of trees, by their kept answers.
//! `cargo xtask inverse` asks them again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use drystone::mechanism::JointSpace;
use drystone::model::{BodyId, DVec3, Model, State, Twist};
use drystone_tests::inverse::{Answer, Question, TREES, question, tree};

/// Largest difference over the largest of the values.
fn apart(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let most = theirs.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / most
}

fn rows(of: &[Vec<f64>]) -> Vec<f64> {
    of.iter().flatten().copied().collect()
}

fn differences(model: &Model, state: &State, ask: &Question, said: &Answer) -> [(&'static str, f64); 6] {
    let joints = JointSpace::new(model).unwrap();
    let control = model.control();
    let mut still = state.clone();
    still.body_qd.iter_mut().for_each(|twist| *twist = Twist::default());
    let nothing = vec![0.0; ask.rate.len()];
    let body = BodyId(model.body_count() as u32 - 1);
    let point = state.body_q[body.built_index()] * DVec3::from_array(ask.point);
    let frame = drystone::model::Pose::from_translation(DVec3::from_array(ask.point));
    assert_eq!(joints.point_jacobian(state, body, point).len(), ask.rate.len());
    let columns = joints.frame_jacobian(state, body, frame);
    let jacobian: Vec<f64> = (0..6)
        .flat_map(|row| {
            let part = move |twist: &Twist| if row < 3 { twist.linear[row] } else { twist.angular[row - 3] };
            columns.iter().map(part).collect::<Vec<_>>()
        })
        .collect();
    let of_centre = joints.centre_jacobian(state);
    let centre: Vec<f64> = (0..3).flat_map(|row| of_centre.iter().map(move |column| column[row])).collect();
    [
        ("mass matrix", apart(joints.mass_matrix(state).values(), &rows(&said.mass_matrix))),
        ("inverse dynamics", apart(&joints.inverse_dynamics(state, &control, &ask.acceleration), &said.effort)),
        ("weight", apart(&joints.inverse_dynamics(&still, &control, &nothing), &said.weight)),
        ("frame Jacobian", apart(&jacobian, &rows(&said.jacobian))),
        ("centre of mass", apart(&joints.centroidal(state).centre.to_array(), &said.centre)),
        ("its Jacobian", apart(&centre, &rows(&said.centre_jacobian))),
    ]
}

/// Where the answers are: those kept, or those `cargo xtask inverse` has just got.
fn folder() -> PathBuf {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/inverse");
    std::env::var_os("DRYSTONE_INVERSE_ANSWERS").map_or(kept, PathBuf::from)
}

#[test]
fn mujoco_and_pinocchio_say_the_same() {
    for &(seed, bodies) in TREES {
        let model = tree(seed, bodies);
        let text = fs::read_to_string(folder().join(format!("tree-{seed}.json"))).unwrap();
        let answers: BTreeMap<String, Answer> = serde_json::from_str(&text).unwrap();
        assert_eq!(answers.keys().collect::<Vec<_>>(), ["mujoco", "pinocchio"]);
        for (engine, said) in &answers {
            for (what, off) in differences(&model, &model.state(), &question(&model), said) {
                println!("tree-{seed} {engine}: {what} {off:.1e}");
                assert!(off < 1e-13, "tree-{seed} {engine}: {what} {off:e}");
            }
        }
    }
}
