//! The page without an engine behind it, as the book shows it: files from a folder, the engine as WebAssembly.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use crate::process::root;

use super::driver::{Browser, Look};
use super::page::{Page, Tools};

/// The page of the book that shows scenes live.
const BOOK_PAGE: &str = "docs/view-demo.md";
const LEAST: usize = 3;

/// Opens every window of the book's page in Chromium: it draws, plays, and goes back exactly, without a complaint.
pub fn embedded(tools: &Tools, folder: &Path) -> Result<(), String> {
    let text = fs::read_to_string(root().join(BOOK_PAGE)).map_err(|error| format!("{BOOK_PAGE}: {error}"))?;
    let sources = text.split("<iframe src=\"demo/").skip(1).filter_map(|rest| rest.split('"').next());
    let sources: Vec<String> = sources.map(|source| source.replace("&amp;", "&")).collect();
    if sources.len() < LEAST {
        return Err(format!("{BOOK_PAGE} shows {} scenes, not {LEAST}", sources.len()));
    }
    let port = serve(folder.to_owned())?;
    for source in sources {
        let browser = Browser::open(&tools.driver, &tools.chromium, Look { size: [760, 560], ..Look::default() })?;
        browser.go(&format!("http://127.0.0.1:{port}/{source}"))?;
        browser.wait("window.drystone?.ready", 30.0).map_err(|why| format!("{source}: {why}"))?;
        let page = Page { browser, engine: None };
        page.command(r#"{"do": "play"}"#)?;
        page.wait("d.session.report.step > 30", 30.0).map_err(|why| format!("{source}: {why}"))?;
        page.go_to(30)?;
        let before = page.hash()?;
        page.go_to(5)?;
        page.go_to(30)?;
        if page.hash()? != before || before.len() != 16 {
            return Err(format!("{source}: step 30 has bits {before}, and others after going back"));
        }
        page.check_clean().map_err(|why| format!("{source}: {why}"))?;
        let name = source.split(['?', '&', '=']).nth(3).unwrap_or("scene").to_owned();
        tools.keep(&page, &format!("embedded-{name}"))?;
        println!("       {source}: step 30 has bits {before}, also after going back");
    }
    Ok(())
}

/// Gives away the files of a folder on a port of this machine, until the program ends.
fn serve(folder: PathBuf) -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| format!("no port is free: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            std::thread::spawn(move || give(stream, &folder));
        }
    });
    Ok(port)
}

fn give(mut stream: TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines().map_while(Result::ok);
    let first = lines.next()?;
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split(' ').nth(1)?.split('?').next()?.trim_start_matches('/').to_owned();
    let plain = path.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
    let kind = match path.rsplit('.').next()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    };
    let found = if plain { fs::read(folder.join(&path)).ok() } else { None };
    let (status, bytes) = found.map_or(("404 Not Found", Vec::new()), |bytes| ("200 OK", bytes));
    let length = bytes.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes)).ok()
}
