//! Imports every robot file below the given folders and counts what became of them, by reason.
//!
//! usage: import_corpus FOLDER… [--each]
//!
//! Files that are neither URDF nor MJCF by their first element, nor USD with physics, and pieces meant to be included, are
//! passed over. URDF is
//! read with a fixed base. `cargo xtask robots` fetches the files that `docs/robots.md` tells of and runs this over them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use drystone_io::import::{Base, ImportOptions, read};

/// How often something happened, and the first file in which it did.
type Counts = BTreeMap<String, (usize, PathBuf)>;

fn main() {
    let (flags, folders): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let each = flags.iter().any(|flag| flag == "--each");
    let mut files = Vec::new();
    folders.iter().for_each(|folder| gather(Path::new(folder), &mut files));
    files.sort();
    let options = ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() };
    let (mut read_well, mut still, mut refused) = (0, 0, 0);
    let mut formats: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let (mut reasons, mut sole, mut notes) = (Counts::new(), Counts::new(), Counts::new());
    for file in files {
        if each {
            println!("{}", file.display());
        }
        let outcome = read(&file, &options);
        let format = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        formats.entry(format).or_default()[usize::from(outcome.is_err())] += 1;
        match outcome {
            Ok(robot) => {
                read_well += 1;
                still += usize::from(robot.joints.is_empty());
                robot.notes.iter().for_each(|note| count(&mut notes, &note.message, &file));
            }
            Err(error) => {
                refused += 1;
                let mut own: Vec<String> = error.faults.iter().map(|fault| without_names(&fault.message)).collect();
                own.sort_unstable();
                own.dedup();
                if let [only] = &own[..] {
                    count(&mut sole, only, &file);
                }
                own.iter().for_each(|reason| count(&mut reasons, reason, &file));
                if each {
                    println!("{error}\n");
                }
            }
        }
    }
    println!("{read_well} read ({still} of them without joints), {refused} refused");
    formats.iter().for_each(|(format, [well, ill])| println!("  .{format}: {well} read, {ill} refused"));
    table("refused, files by reason (one file may have several)", &reasons);
    table("refused for this alone", &sole);
    table("noted, files", &notes);
}

fn count(counts: &mut Counts, message: &str, file: &Path) {
    counts.entry(without_names(message)).or_insert_with(|| (0, file.to_owned())).0 += 1;
}

fn table(title: &str, counts: &Counts) {
    println!("\n{title}:");
    let mut rows: Vec<_> = counts.iter().collect();
    rows.sort_by_key(|(reason, (count, _))| (std::cmp::Reverse(*count), reason.as_str()));
    for (reason, (count, file)) in rows {
        println!("{count:5}  {reason}  [{}]", file.display());
    }
}

/// A message without what differs from file to file: names of entities and numbers.
fn without_names(message: &str) -> String {
    const KINDS: [&str; 13] = [
        "link ",
        "joint ",
        "body ",
        "geom ",
        "mesh ",
        "shape ",
        "motor ",
        "position ",
        "general ",
        "tendon ",
        "spatial ",
        "fixed ",
        "key ",
    ];
    let mut out = String::new();
    for (index, piece) in message.split('`').enumerate() {
        let keep = index % 2 == 0 || !KINDS.iter().any(|kind| out.ends_with(kind)) && !piece.contains(['/', '.']);
        match (index % 2, keep) {
            (0, _) => out.push_str(piece),
            (_, true) => out.push_str(&format!("`{piece}`")),
            (_, false) => out.push('…'),
        }
    }
    // Vectors, then numbers.
    let text = match (out.find('['), out.rfind(']')) {
        (Some(start), Some(end)) if start < end => format!("{}[…]{}", &out[..start], &out[end + 1..]),
        _ => out,
    };
    text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            gather(&path, files);
        } else if is_robot(&path) {
            files.push(path);
        }
    }
}

/// Whether a file looks like a whole robot: by its extension, and MJCF by its world.
fn is_robot(path: &Path) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("urdf") => true,
        // Scenes without physics are none of the importer's business; binary ones cannot be told apart here.
        Some("usd") => true,
        Some("usda") => std::fs::read_to_string(path).is_ok_and(|text| text.contains("Physics")),
        Some("xml") => std::fs::read_to_string(path).is_ok_and(|text| {
            let whole = text.contains("<worldbody") || text.contains("<include");
            text.contains("<mujoco") && !text.contains("<mujocoinclude") && whole
        }),
        _ => false,
    }
}
