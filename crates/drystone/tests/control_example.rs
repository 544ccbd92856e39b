//! The example of `docs/inverse.md` does what the page says.

#[path = "../examples/control.rs"]
#[allow(dead_code)]
mod control;

/// Efforts are held for a step, so that accelerations lag by about the jerk times half a step, 27 · 0.6 · 0.0025 = 0.04 rad/s². A gain
/// of 400 /s² lets that stray by 10⁻⁴ rad; changes of weight and of the velocity terms come on top.
#[test]
fn computed_torque_follows_its_path() {
    let strayed = control::follow().unwrap();
    assert!(strayed < 1e-3, "{strayed}");
}

#[test]
fn gradients_through_steps_learn_the_throw() {
    let (missed, rounds) = control::throw().unwrap();
    assert!(missed < 1e-9 && rounds <= 12, "{missed} {rounds}");
}
