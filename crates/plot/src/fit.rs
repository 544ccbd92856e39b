//! What is read off a plot.

/// Exponent of a power law through points of positive coordinates: the slope of log y over log x.
pub fn exponent(points: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = points.iter().map(|p| p.map(f64::ln)).collect();
    let count = logs.len() as f64;
    let mean = [0, 1].map(|k| logs.iter().map(|p| p[k]).sum::<f64>() / count);
    let across: f64 = logs.iter().map(|p| (p[0] - mean[0]).powi(2)).sum();
    logs.iter().map(|p| (p[0] - mean[0]) * (p[1] - mean[1])).sum::<f64>() / across
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_law_is_found() {
        let points: Vec<[f64; 2]> = (1..9).map(|k| [f64::from(k), 3.0 * f64::from(k).powf(1.7)]).collect();
        assert!((exponent(&points) - 1.7).abs() < 1e-12);
    }
}
