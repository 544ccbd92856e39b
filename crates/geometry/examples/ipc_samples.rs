//! Distances, derivatives and times of impact on stencils from a file, for comparison with other implementations
//! (`tools/compare_ipctk_derivatives.py` writes the input and reads the output).
//!
//! Usage: `ipc_samples INPUT OUTPUT`. Both are little-endian `f64`. A record of the input is 25 numbers: 0 for a point
//! and a triangle or 1 for two edges, the four points at the start, the four points at the end. A record of the output is
//! 315 numbers: squared distance, gradient (12), Hessian (144), the fading factor of nearly parallel edges (1 for
//! points), its gradient (12) and Hessian (144, by the points at the start as rest), the time of impact (−1 for none).

use std::error::Error;

use drystone_geometry::DVec3;
use drystone_geometry::ccd::Ccd;
use drystone_geometry::distance::mollifier::{mollifier, threshold};
use drystone_geometry::distance::{edge_edge, point_triangle};
use glamx::DMat3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (input, output) = (args.next().ok_or("no input")?, args.next().ok_or("no output")?);
    let bytes = std::fs::read(input)?;
    let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let mut out = Vec::new();
    for record in numbers.chunks_exact(25) {
        sample(record, &mut out);
    }
    let bytes: Vec<u8> = out.iter().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::write(output, bytes)?;
    Ok(())
}

fn sample(record: &[f64], out: &mut Vec<f64>) {
    let point = |k: usize| DVec3::new(record[1 + 3 * k], record[2 + 3 * k], record[3 + 3 * k]);
    let [a, b, c, d] = [0, 1, 2, 3].map(point);
    let end = [4, 5, 6, 7].map(point);
    let ccd = Ccd::default();
    if record[0] == 0.0 {
        let nearest = point_triangle::nearest(a, [b, c, d]);
        out.push(nearest.distance_squared());
        push_derivatives(&nearest.gradient(), &nearest.hessian(), out);
        out.push(1.0);
        out.extend([0.0; 156]);
        out.push(ccd.point_triangle([a, b, c, d], end).unwrap_or(-1.0));
    } else {
        let nearest = edge_edge::nearest([a, b], [c, d]);
        out.push(nearest.distance_squared());
        push_derivatives(&nearest.gradient(), &nearest.hessian(), out);
        let fading = mollifier([a, b], [c, d], threshold([a, b], [c, d]));
        out.push(fading.value);
        push_derivatives(&fading.gradient, &fading.hessian, out);
        out.push(ccd.edge_edge([a, b, c, d], end).unwrap_or(-1.0));
    }
}

fn push_derivatives(gradient: &[DVec3; 4], hessian: &[[DMat3; 4]; 4], out: &mut Vec<f64>) {
    gradient.iter().for_each(|g| out.extend(g.to_array()));
    for i in 0..12 {
        out.extend((0..12).map(|j| hessian[i / 3][j / 3].col(j % 3)[i % 3]));
    }
}
