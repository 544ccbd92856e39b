//! The commands that documents ask a reader to type are ones this program takes.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use clap::error::ErrorKind;
use drystone_scenes::SCENES;

use crate::args::{Arguments, Command, SceneOptions};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// What stands in blocks of code, and code within lines.
fn code(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code || line.starts_with("    ") {
            found.push(line.trim());
        } else {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

/// The commands of a document as their words; a mention of a command alone (`drystone check`) is none.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let lines = code(text).into_iter().filter_map(|line| line.split(" #").next());
    let calls = lines.flat_map(|line| line.split("&&")).filter_map(|call| call.split(" > ").next()).map(str::trim);
    let ours = calls.filter(|call| call.starts_with("drystone ") || call.contains(" -p drystone-cli -- "));
    ours.map(|call| call.rsplit(" -- ").next().unwrap_or(call).split_whitespace().collect::<Vec<&str>>())
        .map(|words| words.into_iter().filter(|word| *word != "drystone").collect::<Vec<&str>>())
        .filter(|words| words.len() > 1)
        .collect()
}

/// What is wrong with a command.
fn fault(words: &[&str]) -> Option<String> {
    let any_number = |word: &&str| if *word == "N" { "1".to_owned() } else { (*word).to_owned() };
    let typed = std::iter::once("drystone".to_owned()).chain(words.iter().map(any_number));
    match Arguments::try_parse_from(typed) {
        Ok(arguments) => match &arguments.command {
            Command::Run(options) => scene_fault(&options.source),
            Command::Compare(options) => scene_fault(&options.source),
            Command::View(options) => options.scene.as_ref().and_then(|scene| {
                scene_fault(&SceneOptions { scene: scene.clone(), set: options.set.clone(), ..SceneOptions::default() })
            }),
            _ => None,
        },
        Err(error) if error.kind() == ErrorKind::DisplayHelp => None,
        Err(error) => Some(error.to_string()),
    }
}

/// A scene of the library has to be there, with the parameters it is given.
fn scene_fault(options: &SceneOptions) -> Option<String> {
    let name = &options.scene;
    if name.contains('.') || name.chars().all(|letter| letter.is_ascii_uppercase()) {
        return None;
    }
    let Some(entry) = SCENES.iter().find(|entry| entry.name == name) else { return Some(format!("no scene `{name}`")) };
    let key = |setting: &str| setting.split('=').next().unwrap_or_default().to_owned();
    let known: Vec<String> = entry.parameters.iter().map(|parameter| key(&parameter.to_string())).collect();
    let unknown = options.set.iter().find(|setting| !known.contains(&key(setting)));
    unknown.map(|setting| format!("scene `{name}` has no parameter `{setting}`"))
}

#[test]
fn documents_ask_for_commands_there_are() {
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for words in commands(&text) {
            count += 1;
            let fault = fault(&words);
            assert!(fault.is_none(), "{}: `{}`: {}", document.display(), words.join(" "), fault.unwrap_or_default());
        }
    }
    assert!(count > 40, "only {count} commands were found");
}

#[test]
fn wrong_commands_are_told() {
    let text = "`drystone run nowhere` `drystone run pyramid --set height=3` `drystone run pyramid --speed 3` `drystone run`\n\
                ```sh\ndrystone run pyramid --set rows=3   # fine\n```";
    let faults: Vec<bool> = commands(text).iter().map(|words| fault(words).is_some()).collect();
    assert_eq!(faults, [true, true, true, false]);
}
