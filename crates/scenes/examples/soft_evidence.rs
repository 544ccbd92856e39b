//! Heavy measurements on cloth and soft bodies for `docs/soft-evidence.md`:
//! `cargo run --release -p drystone-scenes --example soft_evidence -- beam frequency sweeps folded caught`.

use drystone::Simulation;
use drystone::geometry::Pose;
use drystone::model::{BendMaterial, BodyDef, ClothGrid, DQuat, DVec3, ElementMaterial, Model, ModelBuilder, SoftGrid};
use drystone_scenes::make;
use drystone_scenes::measure::{crossings, fastest};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "beam" => beam()?,
            "frequency" => frequency()?,
            "sweeps" => sweeps()?,
            "folded" => folded()?,
            "caught" => caught()?,
            "stacked" => stacked()?,
            other => return Err(format!("no measurement `{other}`").into()),
        }
    }
    Ok(())
}

/// What is left at cells of no size, if the error falls with the square of their size.
fn limit(coarse: f64, fine: f64) -> f64 {
    fine + (fine - coarse) / 3.0
}

/// The scene `beam`: sag over that of Timoshenko's beam.
fn beam() -> Result<(), Failure> {
    let mut found = Vec::new();
    for cells in [4, 8, 16] {
        let scene = make("beam", &[format!("cells={cells}")])?;
        let layer = (cells + 1) * (cells + 1);
        let steps = scene.settings.steps();
        let mut simulation = Simulation::builder(scene.model).dt(scene.settings.dt).build()?;
        simulation.run(steps, |_| ())?;
        let (model, state) = (simulation.model(), simulation.state());
        let tip = model.particle_count() - layer..model.particle_count();
        let sag = tip.map(|k| model.particle_q[k].z - state.particle_q[k].z).sum::<f64>() / layer as f64;
        let (width, young, load): (f64, f64, f64) = (0.125, 2e7, 9810.0 * 0.125 * 0.125);
        let theory = load / (8.0 * young * width.powi(4) / 12.0) + load / (2.0 * 5.0 / 12.0 * young * width * width);
        println!("beam: {cells} x {cells} x {}: sag over theory {:.4}", 8 * cells, sag / theory);
        found.push(sag / theory);
    }
    println!(
        "beam: in the limit of 4 and 8: {:.4}, of 8 and 16: {:.4}",
        limit(found[0], found[1]),
        limit(found[1], found[2])
    );
    Ok(())
}

const LENGTH: f64 = 1.0;
const WIDTH: f64 = 0.125;
const YOUNG: f64 = 2e7;
const DENSITY: f64 = 1000.0;

/// First frequency of Timoshenko's cantilever \[rad/s\]: where moment and shear at the free end can both be none.
fn timoshenko() -> f64 {
    let (area, second) = (WIDTH * WIDTH, WIDTH.powi(4) / 12.0);
    let (bend, shear) = (YOUNG * second, 5.0 / 6.0 * 0.5 * YOUNG * area);
    // Deflection, turn, moment and shear force along the beam.
    let slope = |[w, turn, moment, force]: [f64; 4], omega: f64| {
        let square = DENSITY * omega * omega;
        [turn + force / shear, moment / bend, -force - square * second * turn, -square * area * w]
    };
    let free_end = |start: [f64; 4], omega: f64| {
        let (count, mut y) = (2000, start);
        let h = LENGTH / f64::from(count);
        for _ in 0..count {
            let ahead = |k: [f64; 4], by: f64| std::array::from_fn(|i| y[i] + by * k[i]);
            let k1 = slope(y, omega);
            let k2 = slope(ahead(k1, 0.5 * h), omega);
            let k3 = slope(ahead(k2, 0.5 * h), omega);
            let k4 = slope(ahead(k3, h), omega);
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        [y[2], y[3]]
    };
    let determinant = |omega: f64| {
        let ([a, b], [c, d]) = (free_end([0.0, 0.0, bend, 0.0], omega), free_end([0.0, 0.0, 0.0, bend], omega));
        a * d - b * c
    };
    let slender = 1.875_104_068_711_961_f64.powi(2) * (bend / (DENSITY * area)).sqrt() / (LENGTH * LENGTH);
    let (mut low, mut high) = (0.5 * slender, 1.1 * slender);
    let sign = determinant(low).signum();
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if determinant(middle).signum() == sign { low = middle } else { high = middle }
    }
    low
}

/// A beam pulled aside by its first mode and let go: its frequency by when its tip passes the middle.
fn frequency() -> Result<(), Failure> {
    let theory = timoshenko();
    let mut found = Vec::new();
    for cells in [4_usize, 8] {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        let ids = scene.add_soft_grid(&SoftGrid {
            pose: Pose::IDENTITY,
            cells: [cells, cells, 8 * cells],
            size: DVec3::splat(WIDTH / cells as f64),
            density: DENSITY,
            radius: 0.0,
            material: ElementMaterial::solid(YOUNG, 0.0, 0.0),
        });
        let layer = (cells + 1) * (cells + 1);
        ids[..layer].iter().for_each(|&id| scene.pin(id));
        let dt = std::f64::consts::TAU / theory / 400.0;
        let builder = Simulation::builder(scene.finalize()?).dt(dt);
        let mut simulation = builder.option("particles.sweeps", 4).option("particles.cycles", 4).build()?;
        for k in layer..ids.len() {
            // The static shape under a load at the tip is near enough to the first mode.
            let z = simulation.model().particle_q[k].z;
            simulation.state_mut().particle_qd[k].x = 0.05 * (3.0 * z * z - z * z * z);
        }
        let tip = ids.len() - layer..ids.len();
        let place = |simulation: &Simulation| {
            tip.clone().map(|k| simulation.state().particle_q[k].x - simulation.model().particle_q[k].x).sum::<f64>()
        };
        let (mut passed, mut before) = (Vec::new(), 0.0);
        while passed.len() < 4 {
            simulation.step()?;
            let now = place(&simulation);
            if now * before < 0.0 {
                passed.push(simulation.time() - dt * now / (now - before));
            }
            before = now;
        }
        // From the first passage to the fourth it swings one and a half times.
        let omega = 1.5 * std::f64::consts::TAU / (passed[3] - passed[0]);
        println!("frequency: {cells} x {cells} x {}: over Timoshenko's {:.4}", 8 * cells, omega / theory);
        found.push(omega / theory);
    }
    println!("frequency: in the limit {:.4}", limit(found[0], found[1]));
    Ok(())
}

/// Largest stretch of a swinging sheet by sweeps, at a stiffness and a hundred times as much.
fn sweeps() -> Result<(), Failure> {
    for stiffness in ["1e5", "1e7"] {
        for sweeps in [1, 2, 3, 5, 10] {
            let scene = make("cloth-hang", &["cells=64".to_owned(), format!("stiffness={stiffness}")])?;
            let steps = scene.settings.steps();
            let builder = Simulation::builder(scene.model).dt(scene.settings.dt).option("particles.sweeps", sweeps);
            let mut simulation = builder.build()?;
            let (mut worst, mut last) = (0.0_f64, 0.0);
            for _ in 0..steps {
                last = simulation.step()?.max_strain.unwrap_or(f64::NAN);
                worst = worst.max(last);
            }
            println!(
                "sweeps: {stiffness} N/m, {sweeps}: stretched by {:.3} % at most, {:.3} % at the end",
                100.0 * worst,
                100.0 * last
            );
        }
    }
    Ok(())
}

fn sheet(pose: Pose, cells: usize, side: f64, stiffness: f64, radius: f64) -> ClothGrid {
    ClothGrid {
        pose,
        cells: [cells; 2],
        size: [side / cells as f64; 2],
        density: 0.2,
        radius,
        membrane: ElementMaterial { mu: 0.4 * stiffness, lambda: 0.3 * stiffness, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-4, damping: 1e-6 },
    }
}

/// A sheet dropped on its edge that folds up on the ground, for a minute.
fn folded() -> Result<(), Failure> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let turn = DQuat::from_rotation_y(1.4) * DQuat::from_rotation_x(0.1);
    scene.add_cloth_grid(&sheet(Pose::from_parts(DVec3::new(0.0, -0.4, 1.0), turn), 24, 0.8, 1e3, 0.008));
    let mut simulation = Simulation::builder(scene.finalize()?).build()?;
    let mut crossed = 0;
    for second in 1..=60 {
        let mut quickest = 0.0_f64;
        for _ in 0..60 {
            simulation.step()?;
            let (model, state) = (simulation.model(), simulation.state());
            crossed += u32::from(crossings(model, state) > 0.0);
            quickest = quickest.max(fastest(state));
        }
        if [1, 2, 5, 10, 20, 40, 60].contains(&second) {
            println!(
                "folded: second {second}: steps with crossings so far {crossed}, fastest in it {quickest:.1e} m/s"
            );
        }
    }
    Ok(())
}

/// Four sheets dropped on each other, for ten seconds.
fn stacked() -> Result<(), Failure> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for layer in 0..4 {
        let turn = DQuat::from_rotation_z(0.2 * f64::from(layer));
        let place = turn * DVec3::new(-0.3, -0.3, 0.0) + DVec3::Z * (0.05 + 0.06 * f64::from(layer));
        scene.add_cloth_grid(&sheet(Pose::from_parts(place, turn), 12, 0.6, 1e3, 0.01));
    }
    let mut simulation = Simulation::builder(scene.finalize()?).build()?;
    for half in 1..=20 {
        let mut quickest = 0.0_f64;
        for _ in 0..30 {
            simulation.step()?;
            quickest = quickest.max(fastest(simulation.state()));
        }
        println!("stacked: {} s: fastest {quickest:.1e} m/s", 0.5 * f64::from(half));
    }
    Ok(())
}

fn momentum(model: &Model, simulation: &Simulation) -> [DVec3; 2] {
    let now = model.momentum(simulation.state());
    [now.linear, now.angular]
}

/// A heavy box thrown at a free sheet: what is left of the momentum after a second. And held by its corners: how far it sinks in.
fn caught() -> Result<(), Failure> {
    for ratio in [1.0, 100.0, 1000.0] {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        scene.add_cloth_grid(&sheet(Pose::from_translation(DVec3::new(-0.5, -0.5, 0.0)), 24, 1.0, 1e5, 0.01));
        let heavy = BodyDef::dynamic("box").at(DVec3::new(0.1, 0.05, 0.3)).cuboid(DVec3::splat(0.1)).mass(0.2 * ratio);
        scene.add_body(heavy.velocity(DVec3::new(0.3, 0.0, -2.0)).spin(DVec3::new(1.0, 2.0, 0.0)));
        let model = scene.finalize()?;
        let mut simulation = Simulation::builder(model.clone()).build()?;
        let start = momentum(&model, &simulation);
        simulation.run(60, |_| ())?;
        let end = momentum(&model, &simulation);
        let off: [f64; 2] = std::array::from_fn(|k| (end[k] - start[k]).length() / start[k].length());
        println!(
            "caught: a box of {ratio} sheets and a free one: momentum off by {:.1e}, angular by {:.1e}",
            off[0], off[1]
        );
        let scene = make("cloth-box", &[format!("ratio={ratio}")])?;
        let steps = scene.settings.steps();
        let mut simulation = Simulation::builder(scene.model).dt(scene.settings.dt).build()?;
        let mut deepest = 0.0_f64;
        for _ in 0..steps {
            deepest = deepest.max(simulation.step()?.max_penetration.unwrap_or(f64::NAN));
        }
        let state = simulation.state();
        let lowest = state.particle_q.iter().map(|q| q.z).fold(f64::INFINITY, f64::min);
        println!(
            "caught: held by its corners: box {:.3} m over the lowest of the cloth, {:.1e} m/s, overlap at most {:.1} mm",
            state.body_q[0].translation.z - lowest,
            state.body_qd[0].linear.length(),
            1e3 * deepest
        );
    }
    Ok(())
}
