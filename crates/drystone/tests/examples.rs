//! The examples of queries, sensors and hooks run, and hold what they assert.

#[path = "../examples/character.rs"]
mod character;
#[path = "../examples/custom_hook.rs"]
mod custom_hook;
#[path = "../examples/sensors.rs"]
mod sensors;
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
