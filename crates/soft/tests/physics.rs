//! Particles and elements against beams, chains and sheets that are known.

use drystone_model::{
    BendMaterial, ClothGrid, DVec3, ElementMaterial, Model, ModelBuilder, ParticleDef, ParticleId, Pose, SoftGrid,
    State,
};
use drystone_soft::{Asked, Soft, SoftOptions};

/// Steps of `h` seconds.
fn run(model: &Model, state: &mut State, soft: &mut Soft, options: SoftOptions, h: f64, steps: u32) {
    let force = vec![DVec3::ZERO; model.particle_count()];
    for _ in 0..steps {
        soft.predict(model, state, &Asked { force: &force, target: &[], wind: &[] }, h);
        for _ in 0..options.sweeps {
            soft.sweep(options.cycles);
        }
        soft.finish(state);
    }
}

/// Steps that forget all speed: to where the forces balance.
fn settle(model: &Model, state: &mut State, soft: &mut Soft, h: f64, steps: u32) {
    let options = SoftOptions { sweeps: 4, cycles: 6 };
    for _ in 0..steps {
        state.particle_qd.fill(DVec3::ZERO);
        run(model, state, soft, options, h, 1);
    }
}

const WEIGHTLESS: DVec3 = DVec3::ZERO;

fn at(particle: ParticleId) -> usize {
    particle.built_index()
}

/// A beam of `n × n × 8n` boxes, clamped at one end, pulled across at the other: how far it bends, by what Timoshenko's beam does.
fn bent_beam(n: usize) -> f64 {
    let (young, width, length, load): (f64, f64, f64, f64) = (1e6, 0.125, 1.0, 0.02);
    let mut builder = ModelBuilder::new();
    builder.gravity(WEIGHTLESS);
    let side = width / n as f64;
    let ids = builder.add_soft_grid(&SoftGrid {
        pose: Pose::IDENTITY,
        cells: [n, n, 8 * n],
        size: DVec3::splat(side),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(young, 0.0, 0.0),
    });
    let layer = (n + 1) * (n + 1);
    ids[..layer].iter().for_each(|&id| builder.pin(id));
    let model = builder.finalize().unwrap();
    let (mut state, mut soft) = (model.state(), Soft::new(&model));
    let tip = &ids[ids.len() - layer..];
    let mut force = vec![DVec3::ZERO; model.particle_count()];
    tip.iter().for_each(|&id| force[at(id)] = DVec3::X * load / layer as f64);
    for _ in 0..3 {
        state.particle_qd.fill(DVec3::ZERO);
        soft.predict(&model, &state, &Asked { force: &force, target: &[], wind: &[] }, 10.0);
        (0..3).for_each(|_| _ = soft.sweep(12));
        soft.finish(&mut state);
    }
    let moved =
        tip.iter().map(|&id| state.particle_q[at(id)].x - model.particle_q[at(id)].x).sum::<f64>() / layer as f64;
    let second_moment = width.powi(4) / 12.0;
    let shear = 0.5 * young * width * width * 5.0 / 6.0;
    moved / (load * length.powi(3) / (3.0 * young * second_moment) + load * length / shear)
}

/// Tetrahedra with straight edges bend too little, by an error that falls with the square of their size: what is left at none is
/// the beam.
#[test]
fn beams_bend_as_theory_says_as_they_are_refined() {
    let [coarse, fine] = [4, 8].map(bent_beam);
    assert!(coarse < fine && fine < 1.0, "{coarse}, {fine}");
    let limit = fine + (fine - coarse) / 3.0;
    assert!((limit - 1.0).abs() < 0.03, "{coarse}, {fine}, in the limit {limit}");
}

/// A sheet that hangs by its upper edge is stretched by the weight below: ρ g L² / 2E in all.
#[test]
fn hanging_sheets_stretch_by_their_weight() {
    for young in [1e2, 1e4, 1e6] {
        let mut builder = ModelBuilder::new();
        let membrane = ElementMaterial { mu: 0.5 * young, lambda: 0.0, damping: 0.0 };
        let pose = Pose::new(DVec3::ZERO, DVec3::X * -std::f64::consts::FRAC_PI_2);
        let cells = [20, 20];
        let grid = ClothGrid {
            pose,
            cells,
            size: [0.05; 2],
            density: 0.2,
            radius: 0.0,
            membrane,
            bend: BendMaterial::default(),
        };
        let ids = builder.add_cloth_grid(&grid);
        ids[..21].iter().for_each(|&id| builder.pin(id));
        let model = builder.finalize().unwrap();
        let (mut state, mut soft) = (model.state(), Soft::new(&model));
        settle(&model, &mut state, &mut soft, 1.0 / 60.0, 400);
        let lowest = at(ids[ids.len() - 11]);
        let fallen = model.particle_q[lowest].z - state.particle_q[lowest].z;
        let expected = 0.2 * 9.81 / (2.0 * young);
        // Green's strain makes the sheet firmer by one and a half times its strain.
        let firmer = 1.5 * 0.2 * 9.81 / young;
        assert!((fallen / expected - 1.0).abs() < 0.002 + firmer, "{fallen} for {expected} at {young}");
    }
}

/// A chain of springs between two points hangs in a catenary.
#[test]
fn chains_hang_in_a_catenary() {
    let (count, span, length) = (101usize, 1.0, 1.3);
    let mut builder = ModelBuilder::new();
    let link = length / (count - 1) as f64;
    // Along two straight lines that meet below.
    let depth = (0.25 * (length * length - span * span)).sqrt();
    let points = (0..count).map(|i| {
        let s = i as f64 / (count - 1) as f64;
        DVec3::new(s * span, 0.0, -2.0 * depth * s.min(1.0 - s))
    });
    let ids: Vec<ParticleId> = points.map(|at| builder.add_particle(ParticleDef::new(at, 0.01))).collect();
    ids.windows(2).for_each(|ends| builder.add_spring(ends[0], ends[1], 1e6, 0.0));
    builder.pin(ids[0]);
    builder.pin(ids[count - 1]);
    let model = builder.finalize().unwrap();
    assert!((model.spring_length[3] - link).abs() < 1e-12);
    let (mut state, mut soft) = (model.state(), Soft::new(&model));
    settle(&model, &mut state, &mut soft, 1.0 / 60.0, 1500);
    // length = 2 a sinh(span / 2a).
    let (mut low, mut high) = (0.05, 10.0);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length { low = a } else { high = a }
    }
    let sag = low * ((span / (2.0 * low)).cosh() - 1.0);
    let found = -state.particle_q[at(ids[count / 2])].z;
    // Links are straight: a chain of a hundred sags by their number squared less.
    assert!((found / sag - 1.0).abs() < 2e-3, "{found} for {sag}");
}

/// Boundary particles moved by a linear map carry those inside along by the same map.
#[test]
fn patches_keep_uniform_strain() {
    let mut builder = ModelBuilder::new();
    builder.gravity(WEIGHTLESS);
    let n = 4;
    let material = ElementMaterial::solid(1e5, 0.3, 0.0);
    let grid = SoftGrid {
        pose: Pose::IDENTITY,
        cells: [n; 3],
        size: DVec3::splat(0.25),
        density: 1000.0,
        radius: 0.0,
        material,
    };
    let ids = builder.add_soft_grid(&grid);
    let inside = |q: DVec3| q.min_element() > 1e-9 && q.max_element() < 1.0 - 1e-9;
    for (i, &id) in ids.iter().enumerate() {
        let m = n + 1;
        let q = DVec3::new((i % m) as f64, (i / m % m) as f64, (i / (m * m)) as f64) * 0.25;
        if !inside(q) {
            builder.pin(id);
        }
    }
    let model = builder.finalize().unwrap();
    let strained = |q: DVec3| DVec3::new(1.1 * q.x + 0.05 * q.y, 0.95 * q.y - 0.03 * q.z, 1.02 * q.z + 0.04 * q.x);
    let (mut state, mut soft) = (model.state(), Soft::new(&model));
    for (q, rest) in state.particle_q.iter_mut().zip(&model.particle_q) {
        *q = if inside(*rest) { *rest } else { strained(*rest) };
    }
    settle(&model, &mut state, &mut soft, 10.0, 12);
    for (q, rest) in state.particle_q.iter().zip(&model.particle_q) {
        assert!(q.distance(strained(*rest)) < 1e-10, "{q} for {}", strained(*rest));
    }
}

fn spinning_cube(length: f64, mass: f64, time: f64) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity(WEIGHTLESS);
    let density = 1000.0 * mass / length.powi(3);
    let young = 2e4 * mass / (length * time * time);
    let material = ElementMaterial::solid(young, 0.4, 0.0);
    let ids = builder.add_soft_grid(&SoftGrid {
        pose: Pose::IDENTITY,
        cells: [4; 3],
        size: DVec3::splat(0.1 * length),
        density,
        radius: 0.0,
        material,
    });
    let model = builder.finalize().unwrap();
    let mut state = model.state();
    let spin = DVec3::new(1.0, 4.0, 2.0) / time;
    for id in ids {
        let r = state.particle_q[at(id)] - DVec3::splat(0.2 * length);
        state.particle_qd[at(id)] = spin.cross(r) + DVec3::new(0.3, 0.0, -0.1) * length / time;
    }
    (model, state)
}

/// Linear and angular momentum stay, and energy never grows, however early the solve is cut short.
#[test]
fn free_bodies_keep_their_momentum() {
    for options in [SoftOptions::default(), SoftOptions { sweeps: 1, cycles: 1 }] {
        let (model, mut state) = spinning_cube(1.0, 1.0, 1.0);
        let mut soft = Soft::new(&model);
        let start = model.momentum(&state);
        let mut energy = f64::INFINITY;
        for _ in 0..300 {
            run(&model, &mut state, &mut soft, options, 1.0 / 60.0, 1);
            let now = model.momentum(&state);
            // Positions of size one are rounded in every step, and divided by its length.
            let linear = (now.linear - start.linear).length() / start.linear.length();
            assert!(linear < 1e-11, "{linear}");
            let angular = (now.angular - start.angular).length() / start.angular.length();
            assert!(angular < 1e-10, "{angular}");
            let whole = model.energy(&state).kinetic + soft.elastic_energy();
            assert!(whole < energy * (1.0 + 1e-9), "{whole} after {energy}");
            energy = whole;
        }
        assert!(energy > 0.0);
    }
}

#[test]
fn units_do_not_matter() {
    let place = |length: f64, mass: f64, time: f64| {
        let (model, mut state) = spinning_cube(length, mass, time);
        let mut soft = Soft::new(&model);
        run(&model, &mut state, &mut soft, SoftOptions::default(), time / 60.0, 60);
        state.particle_q.iter().map(|q| *q / length).collect::<Vec<_>>()
    };
    let one = place(1.0, 1.0, 1.0);
    for (length, mass, time) in [(1e-3, 1.0, 1.0), (1.0, 1e6, 1.0), (1e2, 1e-4, 1e-2)] {
        for (a, b) in one.iter().zip(place(length, mass, time)) {
            assert!(a.distance(b) < 1e-9, "{a} and {b}");
        }
    }
}

/// The same bits on one thread and on four.
#[test]
fn threads_do_not_matter() {
    let place = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut builder = ModelBuilder::new();
            let membrane = ElementMaterial { mu: 4e3, lambda: 2e3, damping: 0.1 };
            let bend = BendMaterial { stiffness: 1e-3, damping: 1e-5 };
            let cells = [40, 30];
            let grid =
                ClothGrid { pose: Pose::IDENTITY, cells, size: [0.02; 2], density: 0.2, radius: 0.0, membrane, bend };
            let ids = builder.add_cloth_grid(&grid);
            [ids[0], ids[40]].into_iter().for_each(|id| builder.pin(id));
            let model = builder.finalize().unwrap();
            let (mut state, mut soft) = (model.state(), Soft::new(&model));
            run(&model, &mut state, &mut soft, SoftOptions::default(), 1.0 / 60.0, 20);
            assert!(state.particle_q[at(ids[ids.len() - 1])].z < -0.1);
            state.particle_q
        })
    };
    assert_eq!(place(1), place(4));
}

/// A sheet a hundred times as stiff as a penalty could hold stretches by less than a fiftieth while it swings down.
#[test]
fn stiff_sheets_hardly_stretch_while_they_swing() {
    let mut builder = ModelBuilder::new();
    let membrane = ElementMaterial { mu: 4e4, lambda: 3e4, damping: 0.0 };
    let bend = BendMaterial { stiffness: 1e-3, damping: 0.0 };
    let cells = [32, 32];
    let grid =
        ClothGrid { pose: Pose::IDENTITY, cells, size: [1.0 / 32.0; 2], density: 0.2, radius: 0.0, membrane, bend };
    let ids = builder.add_cloth_grid(&grid);
    ids[..33].iter().for_each(|&id| builder.pin(id));
    let model = builder.finalize().unwrap();
    let (mut state, mut soft) = (model.state(), Soft::new(&model));
    let mut lowest = 0.0_f64;
    for frame in 0..60 {
        run(&model, &mut state, &mut soft, SoftOptions::default(), 1.0 / 60.0, 1);
        let stretch = soft.elements().strain().unwrap()[0];
        assert!(stretch < 0.02, "{stretch} in frame {frame}");
        lowest = lowest.min(state.particle_q[at(ids[ids.len() - 1])].z);
    }
    assert!(lowest < -0.9, "it swung down to {lowest} only");
}

/// A sheet of 64 by 64 particles that goes several squares in a step is stretched by less than a fiftieth at every frame and gains no energy.
#[test]
fn fine_sheets_hardly_stretch_while_they_swing() {
    let mut builder = ModelBuilder::new();
    let membrane = ElementMaterial { mu: 1e3, lambda: 1e3, damping: 0.0 };
    let bend = BendMaterial { stiffness: 1e-4, damping: 0.0 };
    let ids = builder.add_cloth_grid(&ClothGrid {
        pose: Pose::IDENTITY,
        cells: [63; 2],
        size: [1.0 / 63.0; 2],
        density: 0.2,
        radius: 0.0,
        membrane,
        bend,
    });
    ids[..64].iter().for_each(|&id| builder.pin(id));
    let model = builder.finalize().unwrap();
    let (mut state, mut soft) = (model.state(), Soft::new(&model));
    for frame in 0..60 {
        run(&model, &mut state, &mut soft, SoftOptions::default(), 1.0 / 60.0, 1);
        let stretch = soft.elements().strain().unwrap()[0];
        assert!(stretch < 0.02, "{stretch} in frame {frame}");
        let energy = model.energy(&state);
        let whole = energy.kinetic + energy.potential + soft.elastic_energy();
        assert!(whole < 0.0, "{whole} J in frame {frame}");
    }
}

/// A square sheet without folds' stiffness, lying flat, that the air pushes.
fn sail(drag: f64, lift: f64, mass_per_area: f64) -> (Model, State, Soft) {
    let mut builder = ModelBuilder::new();
    let ids = builder.add_cloth_grid(&ClothGrid {
        pose: Pose::IDENTITY,
        cells: [4; 2],
        size: [0.1; 2],
        density: mass_per_area,
        radius: 0.0,
        membrane: ElementMaterial { mu: 400.0, lambda: 300.0, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-3, damping: 0.0 },
    });
    builder.air(&ids, drag, lift);
    let model = builder.finalize().unwrap();
    (model.clone(), model.state(), Soft::new(&model))
}

/// A flat sheet falls face down at the speed at which its drag is its weight, however long the steps are.
#[test]
fn sheets_fall_as_fast_as_their_drag_is_their_weight() {
    let (drag, density) = (0.6, 0.2);
    let terminal = f64::sqrt(density * 9.81 / drag);
    for h in [1.0 / 240.0, 1.0 / 60.0, 0.1] {
        let (model, mut state, mut soft) = sail(drag, 0.3, density);
        run(&model, &mut state, &mut soft, SoftOptions::default(), h, (6.0 / h) as u32);
        for v in &state.particle_qd {
            assert!(v.distance(DVec3::NEG_Z * terminal) < 1e-6 * terminal, "{v} for {terminal} at {h}");
        }
    }
}

/// A storm carries a light sheet along and never faster than it blows itself, in steps far longer than it takes to get going.
#[test]
fn a_storm_is_not_too_strong_for_a_step() {
    for speed in [10.0, 300.0] {
        let (model, mut state, mut soft) = sail(0.6, 0.6, 0.05);
        let (force, wind) = (vec![DVec3::ZERO; model.particle_count()], [DVec3::Z * speed]);
        let mut last = 0.0;
        for _ in 0..240 {
            soft.predict(&model, &state, &Asked { force: &force, target: &[], wind: &wind }, 1.0 / 60.0);
            (0..3).for_each(|_| _ = soft.sweep(2));
            soft.finish(&mut state);
            let now = state.particle_qd.iter().map(|v| v.z).sum::<f64>() / state.particle_qd.len() as f64;
            assert!(now >= last - 1e-9 * speed && now <= speed, "{now} after {last} of {speed}");
            last = now;
        }
        // Weight is carried by what is left of the stream.
        let left = (0.05 * 9.81 / 0.6_f64).sqrt();
        assert!((speed - last - left).abs() < 0.02 * speed, "{last} of {speed}");
    }
}
