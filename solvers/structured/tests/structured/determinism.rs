//! The same bits for any number of threads, and after a resumed run.

use drystone_model::{Axis, BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
use drystone_solve::Solver;
use drystone_structured::StructuredOptions;

use crate::bench::Bench;

/// Chains that fall onto the ground, a ring, and stops: every part of the solver at work.
fn scene() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for chain in 0..6 {
        let mut last = WORLD.into();
        for i in 0..20 {
            let at = DVec3::new(0.2 * f64::from(i), f64::from(chain), 0.6);
            let link = scene.add_body(BodyDef::dynamic(format!("{chain} {i}")).at(at).sphere(0.05));
            let joint = JointDef::revolute(last, link, at - DVec3::X * 0.1, DVec3::Y);
            scene.add_joint(if i == 3 { joint.limit(Axis::AngX, -0.2, 0.2) } else { joint });
            last = link;
        }
    }
    scene
}

fn hash_after(threads: usize, seconds: f64) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut bench = Bench::new(&scene(), StructuredOptions::default(), 1.0 / 120.0);
        bench.run(seconds);
        bench.state.hash()
    })
}

#[test]
fn threads_make_no_difference() {
    assert_eq!(hash_after(1, 0.5), hash_after(3, 0.5));
}

#[test]
fn a_resumed_run_goes_on_bit_for_bit() {
    let mut first = Bench::new(&scene(), StructuredOptions::default(), 1.0 / 120.0);
    first.run(0.4);
    let mut second = Bench::new(&scene(), StructuredOptions::default(), 1.0 / 120.0);
    second.solver.restore(&first.solver.snapshot()).unwrap();
    second.collide.restore(&first.collide.snapshot()).unwrap();
    second.state = first.state.clone();
    first.run(0.2);
    second.run(0.2);
    assert_eq!(first.state.hash(), second.state.hash());
    assert!(second.solver.restore(&[7; 3]).is_err());
}
