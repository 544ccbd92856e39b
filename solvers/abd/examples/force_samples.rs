//! The barrier and the work of friction on numbers from a file, for comparison with other implementations
//! (`tools/compare_ipctk_forces.py` writes the input and reads the output).
//!
//! Usage: `force_samples INPUT OUTPUT`. Both are little-endian `f64`. A record of the input is a distance, d̂, the
//! separation, a slip and the slip at which friction has its full size; one of the output the value and the first two
//! derivatives of the barrier by the distance, the same of the work of friction by the slip, and its slope over the slip.

#[path = "../src/barrier.rs"]
mod barrier;

use std::error::Error;

use barrier::{Barrier, slip_ratio, slip_work};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (input, output) = (args.next().ok_or("no input")?, args.next().ok_or("no output")?);
    let bytes = std::fs::read(input)?;
    let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let mut out = Vec::new();
    for &[distance, d_hat, separation, slip, edge] in numbers.as_chunks::<5>().0 {
        let push = Barrier { d_hat, separation }.at(distance);
        let drag = slip_work(slip, edge);
        let both = [push, drag].map(|d| [d.value, d.slope, d.curvature]);
        out.extend(both.iter().flatten().flat_map(|x| x.to_le_bytes()));
        out.extend(slip_ratio(slip, edge).to_le_bytes());
    }
    std::fs::write(output, out)?;
    Ok(())
}
