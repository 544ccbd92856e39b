//! Sheets and ropes by what they are made of.

use drystone_model::{DVec3, Model, ModelBuilder, RopeMaterial, SheetMaterial, WORLD};

const SHEET: SheetMaterial =
    SheetMaterial { young: 2e6, poisson: 0.3, thickness: 2e-3, density: 300.0, damping: 0.0, bending: 1.0 };

/// Triangles with equal sides over about a square metre.
fn regular(rows: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let side = 1.0 / rows as f64;
    let point = |row: usize, k: usize| {
        DVec3::new((k as f64 + 0.5 * (row % 2) as f64) * side, row as f64 * side * 0.75f64.sqrt(), 0.0)
    };
    let number = |row: usize, k: usize| (row * (rows + 1) + k) as u32;
    let points = (0..=rows).flat_map(|row| (0..=rows).map(move |k| point(row, k))).collect();
    let mut triangles = Vec::new();
    for row in 0..rows {
        for k in 0..rows {
            let [a, b, c, d] = [number(row, k), number(row, k + 1), number(row + 1, k), number(row + 1, k + 1)];
            triangles.extend(if row % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] });
        }
    }
    (points, triangles)
}

fn sheet(points: &[DVec3], triangles: &[[u32; 3]]) -> Model {
    let mut scene = ModelBuilder::new();
    scene.add_sheet(points, triangles, &SHEET);
    scene.finalize().unwrap()
}

/// Energy per area of the folds of every direction, with the particles at places; the mean of the three is that of the sheet, as each
/// stands for a third of it \[J/m²\].
fn folded(model: &Model, places: &[DVec3]) -> f64 {
    let at = |particle: u32| places[particle as usize];
    let (mut energy, mut area) = ([0.0; 3], [0.0; 3]);
    for (edge, &[p, q, a, b]) in model.edge_particle.iter().enumerate().filter(|(_, edge)| edge[1] != WORLD) {
        let (n, m) = ((at(a) - at(p)).cross(at(b) - at(p)), (at(b) - at(q)).cross(at(a) - at(q)));
        let angle = n.angle_between(m);
        let along = model.particle_q[b as usize] - model.particle_q[a as usize];
        let direction = (along.y.atan2(along.x).to_degrees() / 60.0).round().rem_euclid(3.0) as usize;
        energy[direction] += 0.5 * model.edge_material[edge][0] * model.edge_length[edge] * angle * angle;
        // A triangle has three edges.
        area[direction] += (n.length() + m.length()) / 6.0;
    }
    (0..3).map(|direction| energy[direction] / area[direction]).sum::<f64>() / 3.0
}

/// ½ D κ² per area, whichever way it is bent and however fine the mesh is.
#[test]
fn a_bent_sheet_has_the_energy_of_a_plate() {
    for rows in [10, 20] {
        let (points, triangles) = regular(rows);
        let model = sheet(&points, &triangles);
        for angle in [0.0, 0.3, 0.9, 1.5] {
            let (curvature, along) = (0.5, DVec3::new(f64::cos(angle), f64::sin(angle), 0.0));
            let across = DVec3::Z.cross(along);
            let bend = |p: &DVec3| {
                let turn = curvature * p.dot(along);
                across * p.dot(across) + along * (turn.sin() / curvature) + DVec3::Z * ((1.0 - turn.cos()) / curvature)
            };
            let places: Vec<DVec3> = points.iter().map(bend).collect();
            let (found, plate) = (folded(&model, &places), 0.5 * SHEET.rigidity() * curvature * curvature);
            assert!((found / plate - 1.0).abs() < 2e-3, "{rows} rows, {angle} rad: {found} J/m² for {plate}");
        }
    }
}

/// Drawn by a strain e along x, free across it, a sheet pulls with E t e: the membrane's constants are those of plane stress.
#[test]
fn a_drawn_sheet_pulls_as_young_says() {
    let membrane = SHEET.membrane();
    // Stress λ (exx + eyy) + 2 μ e; none along y.
    let across = -membrane.lambda / (membrane.lambda + 2.0 * membrane.mu);
    let stress = membrane.lambda * (1.0 + across) + 2.0 * membrane.mu;
    assert!((across + SHEET.poisson).abs() < 1e-14);
    assert!((stress - SHEET.young * SHEET.thickness).abs() < 1e-9);
}

#[test]
fn a_sheet_weighs_its_volume_and_has_half_its_thickness_as_radius() {
    let (points, triangles) = regular(6);
    let model = sheet(&points, &triangles);
    let area: f64 = model.triangle_area.iter().sum();
    assert!((model.particle_mass.iter().sum::<f64>() - 300.0 * 2e-3 * area).abs() < 1e-12);
    assert!(model.particle_radius.iter().all(|&radius| radius == 1e-3));
}

/// Pieces of one length on every straight part, corners kept; the whole stretches as a bar does.
#[test]
fn a_rope_follows_its_points() {
    let corner = [DVec3::ZERO, DVec3::X * 2.0, DVec3::new(2.0, 1.0, 0.0)];
    let material = RopeMaterial { young: 1e8, density: 1000.0, radius: 5e-3, damping: 0.0 };
    let mut scene = ModelBuilder::new();
    assert_eq!(scene.add_rope(&corner, 30, &material).len(), 31);
    let model = scene.finalize().unwrap();
    assert!(model.particle_q.contains(&corner[1]) && model.spring_length.iter().all(|l| (l - 0.1).abs() < 1e-12));
    let section = std::f64::consts::PI * 25e-6;
    assert!((model.particle_mass.iter().sum::<f64>() - 3.0 * 1000.0 * section).abs() < 1e-12);
    let give: f64 = model.spring_stiffness.iter().map(|k| 1.0 / k).sum();
    assert!((1e8 * section * give - 3.0).abs() < 1e-9);
}

#[test]
fn ropes_without_length_are_refused() {
    let material = RopeMaterial { young: 1e8, density: 1000.0, radius: 5e-3, damping: 0.0 };
    for (points, segments) in [(vec![DVec3::ZERO], 3), (vec![DVec3::X; 2], 3), (vec![DVec3::ZERO, DVec3::X], 0)] {
        let mut scene = ModelBuilder::new();
        scene.add_rope(&points, segments, &material);
        let error = scene.finalize().unwrap_err().to_string();
        assert!(error.contains("a rope along"), "{error}");
    }
}
