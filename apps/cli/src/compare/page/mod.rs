//! The page of a comparison, section by section.

mod agreement;
mod commands;
mod convergence;
mod motion;
mod phases;
mod summary;
mod time_series;

use drystone_report::Page;

use super::Comparison;
use crate::error::Failure;

/// The page as one HTML file.
pub fn html(comparison: &Comparison) -> Result<String, Failure> {
    let scene = std::iter::once(&comparison.job.name).chain(&comparison.job.set).cloned().collect::<Vec<_>>().join(" ");
    let mut page = Page::new(&format!("{scene}: solvers compared"), summary::lead(comparison));
    page.section("figures", "Figures", summary::figures(comparison));
    page.section("motion", "Motion", motion::section(comparison)?);
    page.section("course", "Over time", time_series::section(comparison));
    page.section("time", "Where the time goes", phases::section(comparison));
    page.section("convergence", "Convergence", convergence::section(comparison));
    page.section("agreement", "Agreement", agreement::section(comparison));
    page.section("repeat", "Repeat it", commands::section(comparison));
    Ok(page.html())
}
