//! Clothes.

use std::f64::consts::{FRAC_PI_2, PI};

use drystone::model::{BendMaterial, BodyDef, DQuat, DVec3, ElementMaterial, Model, ModelBuilder, ShapeDef, State};
use drystone_kernels::elementary::{cos, sin};

use crate::check::{Check, Figures};
use crate::measure::{crossings, fastest, largest_stretch, most};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A shirt on a body.
pub const GARMENT: SceneEntry = SceneEntry {
    name: "garment",
    summary: "a shirt of two panels sewn at the sides falls on the shoulders of a body of capsules and hangs",
    parameters: &[Parameter::count("cells", 10, 6, 40, "squares across half of its width")],
    build: garment,
};

/// Half width of the trunk of the shirt, half span with sleeves, height, and height at which the sleeves begin \[m\].
const SHIRT: [f64; 4] = [0.3, 0.6, 0.7, 0.44];
/// Half width of the neck hole \[m\].
const NECK: f64 = 0.12;

/// Points and triangles of a shirt: front and back share the particles along the seams. Hem, neck and ends of the sleeves are open.
fn shirt(cells: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let [trunk, span, height, sleeve] = SHIRT;
    let size = trunk / cells as f64;
    let columns = 2 * (span / size).round() as usize;
    let rows = (height / size).round() as usize;
    let at = |column: usize, row: usize| [column as f64 * size - span, row as f64 * size];
    let filled = |column: usize, row: usize| {
        let [x, z] = at(column, row);
        let middle = [x + 0.5 * size, z + 0.5 * size];
        middle[0].abs() < trunk || middle[1] > sleeve
    };
    // A seam runs where the panel ends, but for hem, neck and sleeves.
    let is_seam = |column: usize, row: usize| {
        let [x, z] = at(column, row);
        let side = (x.abs() - trunk).abs() < 0.1 * size && z < sleeve + 0.6 * size && row > 0;
        let arm_pit = x.abs() > trunk - 0.1 * size && (z - (sleeve / size).round() * size).abs() < 0.1 * size;
        let shoulder = row == rows && x.abs() > NECK - 0.1 * size;
        let under = row == 0 && (x.abs() - trunk).abs() < 0.1 * size;
        side || arm_pit || shoulder || under
    };
    // Out of the plane, and up: an arch across the trunk, and half an ellipse around the arms, evenly by its angle.
    let place = |column: usize, row: usize| {
        let [x, z] = at(column, row);
        let across = (1.0 - (x / trunk) * (x / trunk)).max(0.0).sqrt();
        if z <= sleeve {
            return [0.11 * across, z];
        }
        let up = ((z - sleeve) / (height - sleeve)).min(1.0);
        let out = f64::max(across * cos(FRAC_PI_2 * up), 0.9 * sin(PI * up));
        [0.11 * out, sleeve + 0.5 * (height - sleeve) * (1.0 - cos(PI * up))]
    };
    let mut points = Vec::new();
    let mut number = vec![[u32::MAX; 2]; (columns + 1) * (rows + 1)];
    let mut triangles = Vec::new();
    let mut corner = |column: usize, row: usize, panel: usize, points: &mut Vec<DVec3>| {
        let slot = &mut number[row * (columns + 1) + column];
        if slot[panel] == u32::MAX {
            let seam = is_seam(column, row);
            let (x, [out, z]) = (at(column, row)[0], place(column, row));
            let y = if seam { 0.0 } else { out.max(0.3 * size) * if panel == 0 { -1.0 } else { 1.0 } };
            slot[panel] = points.len() as u32;
            if seam {
                slot[1 - panel] = slot[panel];
            }
            points.push(DVec3::new(x, y, z));
        }
        slot[panel]
    };
    for row in 0..rows {
        for column in (0..columns).filter(|&column| filled(column, row)) {
            for panel in 0..2 {
                let [a, b, c, d] =
                    [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, z]| corner(column + x, row + z, panel, &mut points));
                let faces = if (row + column) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                // Both panels face outwards.
                triangles.extend(faces.map(|[a, b, c]| if panel == 0 { [a, b, c] } else { [a, c, b] }));
            }
        }
    }
    (points, triangles)
}

fn garment(params: &Params) -> Result<Scene, SceneError> {
    let cells = params.count("cells");
    let radius = 0.006;
    let mut scene = ModelBuilder::new();
    scene.ground();
    let upright = |name: &str, at: DVec3, thick: f64, half: f64| {
        BodyDef::fixed(name).at(at).shape(ShapeDef::capsule(thick, half))
    };
    let lying = DQuat::from_rotation_y(FRAC_PI_2);
    scene.add_body(upright("trunk", DVec3::Z * 1.0, 0.09, 0.25));
    scene.add_body(upright("head", DVec3::Z * 1.6, 0.07, 0.06));
    scene.add_body(BodyDef::fixed("arms").at(DVec3::Z * 1.3).rotated(lying).shape(ShapeDef::capsule(0.05, 0.65)));
    let (points, triangles) = shirt(cells);
    let lift = 1.3 - 0.5 * (SHIRT[2] + SHIRT[3]);
    let points: Vec<DVec3> = points.into_iter().map(|at| at + DVec3::Z * lift).collect();
    let membrane = ElementMaterial { mu: 400.0, lambda: 300.0, damping: 0.05 };
    scene.add_cloth_mesh(&points, &triangles, 0.2, radius, membrane, BendMaterial { stiffness: 1e-4, damping: 1e-5 });
    let worst =
        |model: &Model, state: &State| if crossings(model, state) > 0.0 { 1e3 } else { largest_stretch(model, state) };
    let claim = "no triangle crosses another at any step, no edge is stretched by more than a tenth, and the shirt hangs on the arms, its hem \
                 above the ground";
    let check = Check::new(claim, move |run| {
        let inside = |q: &DVec3| 0.05 - DVec3::new(0.0, q.y, q.z - 1.3).length();
        let arm = |q: &&DVec3| q.x.abs() < 0.65;
        let deepest = run.state.particle_q.iter().filter(arm).map(inside).fold(f64::NEG_INFINITY, f64::max);
        let lowest = run.state.particle_q.iter().map(|q| q.z).fold(f64::INFINITY, f64::min);
        let highest = run.state.particle_q.iter().map(|q| q.z).fold(0.0, f64::max);
        Figures::new()
            .below("stretch at any step, 1000 if triangles cross", most(&run.measures.trace), 0.1, "")
            .below("particle inside the arms by", deepest + radius, radius, "m")
            .above("hem", lowest, 0.3, "m")
            .near("top of the shirt", highest, 1.35 + radius, 0.02, "m")
            .below("fastest", fastest(run.state), 0.5, "m/s")
    });
    Scene::new(&scene, Settings::seconds(2.0), check.tracing(worst))
}
