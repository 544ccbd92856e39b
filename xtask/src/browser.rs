//! Pages of `drystone compare` in a real browser: opened, used and photographed, light, dark and narrow.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{cargo, find_program, root, run};

/// Names the browser goes by.
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
/// What a reader does with a page.
const TEST: &str = include_str!("browser_test.js");
/// Scenes with contacts and with joints, small and short.
const SCENES: [&[&str]; 2] =
    [&["pyramid", "--set", "rows=3", "--seconds", "0.5"], &["chain", "--set", "links=8", "--seconds", "0.5"]];

/// How a page is looked at: a name, the size of the window, whether the room is dark.
const LOOKS: [(&str, [u32; 2], bool); 3] =
    [("light", [1280, 4600], false), ("dark", [1280, 4600], true), ("phone", [390, 9000], false)];

/// Checks the pages named, or two made for it.
pub fn browser(pages: &[String]) -> Result<(), String> {
    let program = PROGRAMS.into_iter().find_map(find_program);
    let program = program.ok_or("a browser is needed here; on Debian: `apt-get install chromium`")?;
    let folder = root().join("target/browser");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let pages = if pages.is_empty() { make_pages(&folder)? } else { pages.iter().map(PathBuf::from).collect() };
    for page in &pages {
        for (look, size, dark) in LOOKS {
            check(&program, page, &folder, look, size, dark)?;
        }
    }
    println!("xtask: {} pages are as they should be; pictures are in {}", pages.len(), folder.display());
    Ok(())
}

fn make_pages(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut pages = Vec::new();
    for scene in SCENES {
        let page = folder.join(scene[0]).with_extension("html");
        let mut command = cargo();
        command.args(["run", "--release", "--quiet", "-p", "drystone-cli", "--", "compare"]).args(scene);
        run(command.args(["--budget", "5", "--out"]).arg(&page))?;
        pages.push(page);
    }
    Ok(pages)
}

/// Opens a page with the test at its end, reads what the test wrote down, and takes a picture of the page itself.
fn check(program: &Path, page: &Path, folder: &Path, look: &str, size: [u32; 2], dark: bool) -> Result<(), String> {
    let name = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let at = |error: std::io::Error| format!("{}: {error}", page.display());
    let html = fs::read_to_string(page).map_err(at)?;
    let tested = folder.join(format!("{name}-test.html"));
    fs::write(&tested, html.replace("</body>", &format!("<script>\n{TEST}</script>\n</body>"))).map_err(at)?;
    let dom = command(program, size, dark).arg("--dump-dom").arg(address(&tested)?).output();
    let dom = dom.map_err(|error| format!("{} did not start: {error}", program.display()))?;
    let dom = String::from_utf8_lossy(&dom.stdout).into_owned();
    let head = dom.split('>').find(|tag| tag.trim_start().starts_with("<html")).unwrap_or_default();
    if !head.contains("data-checked=\"good\"") || head.contains("data-error") {
        return Err(format!(
            "{}, {look}: {}",
            page.display(),
            if head.is_empty() { "no page came back" } else { head }
        ));
    }
    let picture = folder.join(format!("{name}-{look}.png"));
    let _ = fs::remove_file(&picture);
    let shot = format!("--screenshot={}", picture.display());
    let _ = command(program, size, dark).arg(shot).arg(address(page)?).output().map_err(at)?;
    match fs::metadata(&picture) {
        Ok(file) if file.len() > 0 => Ok(()),
        _ => Err(format!("{} took no picture of {}", program.display(), page.display())),
    }
}

fn command(program: &Path, [width, height]: [u32; 2], dark: bool) -> Command {
    let mut command = Command::new(program);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=120000"]);
    command.args([
        format!("--window-size={width},{height}"),
        format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)),
    ]);
    command.stderr(Stdio::null());
    command
}

fn address(page: &Path) -> Result<String, String> {
    let whole = page.canonicalize().map_err(|error| format!("{}: {error}", page.display()))?;
    Ok(format!("file://{}", whole.display()))
}
