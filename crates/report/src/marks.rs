//! Documents with parts that a program writes.

/// The document with `made` between the marks `<!-- NAME: begin -->` and `<!-- NAME: end -->`; `None` if it has no
/// such marks.
pub fn with_made_part(document: &str, name: &str, made: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
    let (before, rest) = document.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{made}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::with_made_part;

    #[test]
    fn only_what_stands_between_the_marks_changes() {
        let document = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n<!-- y: begin -->\n<!-- y: end -->\n";
        let once = with_made_part(document, "x", "new\n").unwrap();
        assert_eq!(once, document.replace("old", "new"));
        assert_eq!(with_made_part(&once, "x", "new\n").as_deref(), Some(once.as_str()));
        assert_eq!(with_made_part(document, "z", "new\n"), None);
    }
}
