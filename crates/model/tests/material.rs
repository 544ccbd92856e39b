//! Two materials in contact.

use drystone_model::{Contacts, Material};

#[test]
fn mixing_does_not_depend_on_the_order() {
    let rubber =
        Material { friction_static: 0.9, friction_dynamic: 0.4, restitution: 0.7, damping: 2.0, ..Material::default() };
    let steel = Material { friction_static: 0.4, friction_dynamic: 0.1, restitution: 0.1, ..Material::default() };
    let mixed = rubber.mix(&steel);
    assert_eq!(mixed, steel.mix(&rubber));
    assert!((mixed.friction_static - 0.6).abs() < 1e-15 && (mixed.friction_dynamic - 0.2).abs() < 1e-15);
    assert_eq!((mixed.restitution, mixed.damping), (0.7, 1.0));
}

#[test]
fn stiffnesses_act_in_series_and_hard_means_hard() {
    let of = |stiffness| Material { stiffness, ..Material::default() };
    assert_eq!(of(3.0).mix(&of(6.0)).stiffness, 2.0);
    assert_eq!(of(3.0).mix(&of(f64::INFINITY)).stiffness, 3.0);
    assert_eq!(of(f64::INFINITY).mix(&of(f64::INFINITY)).stiffness, f64::INFINITY);
    assert_eq!(of(1e300).mix(&of(1e300)).stiffness, 5e299);
}

#[test]
fn points_belong_to_their_manifold() {
    let contacts = Contacts { point_start: vec![0, 4, 5], point_gap: vec![0.0; 5], ..Contacts::default() };
    assert_eq!((contacts.points(0), contacts.points(1), contacts.point_count()), (0..4, 4..5, 5));
}
