//! Where figures are kept and shown: result files, sections of a document, plots.

use std::path::{Path, PathBuf};

use clap::Args;
use drystone_io::atomic::atomic_write;
use drystone_plot::Plot;
use drystone_report::with_made_part;
use serde::Serialize;

use super::record::BenchFile;
use crate::error::Failure;
use crate::print;

/// Where figures come from and go to.
#[derive(Debug, Args)]
pub struct Files {
    /// Write the figures here, as .csv beside it, and the plots as .svg
    #[arg(long, value_name = "FILE.json")]
    pub out: Option<PathBuf>,
    /// Measure nothing: show the figures of this file
    #[arg(long, value_name = "FILE.json", conflicts_with = "out")]
    pub from: Option<PathBuf>,
    /// Put the tables into this document between its marks, and the plots into the folder `images` beside it
    #[arg(long, value_name = "PAGE.md")]
    pub markdown: Option<PathBuf>,
    /// Print nothing but the tables
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the figures as JSON, as --out writes them, instead of the tables
    #[arg(long)]
    pub json: bool,
}

impl Files {
    /// Prints the tables, or the figures behind them.
    pub fn show<R: Serialize>(&self, file: &BenchFile<R>, tables: &str) -> Result<(), Failure> {
        if self.json {
            print::line(serde_json::to_string_pretty(file)?);
        } else {
            print::line(tables);
        }
        Ok(())
    }

    /// Refuses a document that cannot take a section before an hour is spent on its figures.
    pub fn check(&self, section: &str) -> Result<(), Failure> {
        self.markdown.as_deref().map_or(Ok(()), |page| filled(page, section, "").map(drop))
    }

    /// Writes a section of the document, if there is one.
    pub fn section(&self, name: &str, text: &str) -> Result<(), Failure> {
        let Some(page) = &self.markdown else { return Ok(()) };
        save(page, &filled(page, name, &format!("\n{text}\n\n"))?)
    }

    /// Draws a plot beside the figures, and in the document's folder of images.
    pub fn plot(&self, name: &str, plot: &Plot) -> Result<(), Failure> {
        let beside = self.out.as_deref().map(|out| out.with_file_name(format!("{}-{name}.svg", stem(out))));
        let image = self.markdown.as_deref().map(|page| page.with_file_name("images").join(format!("{name}.svg")));
        // A document shows its own copy, so that there is only one in the repository.
        image.or(beside).map_or(Ok(()), |path| save(&path, &plot.svg()))
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(atomic_write(path, |out| std::io::Write::write_all(out, text.as_bytes()))?)
}

fn filled(page: &Path, section: &str, text: &str) -> Result<String, Failure> {
    let document = std::fs::read_to_string(page)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", page.display())))?;
    with_made_part(&document, section, text).ok_or_else(|| {
        Failure::new(format!(
            "{} has no place for the figures; put the lines `<!-- {section}: begin -->` and `<!-- {section}: end -->` there",
            page.display()
        ))
    })
}
