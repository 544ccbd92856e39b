//! The examples run, and hold what they assert.

#[path = "../examples/character.rs"]
mod character;
#[path = "../examples/custom_hook.rs"]
mod custom_hook;
#[path = "../examples/gripper.rs"]
mod gripper;
#[path = "../examples/rewind.rs"]
mod rewind;
#[path = "../examples/sensors.rs"]
mod sensors;
#[path = "../examples/stack.rs"]
mod stack;
#[path = "../examples/vehicle.rs"]
mod vehicle;

#[test]
fn a_character_walks() {
    character::main().expect("the example");
}

#[test]
fn a_car_drives() {
    vehicle::main().expect("the example");
}

#[test]
fn a_line_counts_and_bins() {
    sensors::main().expect("the example");
}

#[test]
fn a_platform_is_one_way() {
    custom_hook::main().expect("the example");
}

#[test]
fn a_stack_is_built_and_cleared() {
    stack::main().expect("the example");
}

#[test]
fn a_gripper_lifts_and_weighs() {
    gripper::main().expect("the example");
}

#[test]
fn a_throw_is_taken_back() {
    rewind::main().expect("the example");
}
