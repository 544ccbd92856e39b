//! The name that was probably meant.

/// Longer texts are no misspelling, and comparing them costs the product of their lengths.
const LONGEST_NAME: usize = 64;

/// The candidate closest to `name`, if it is close enough to be a slip: at most a third of the longer word differs
/// by insertions, deletions, replacements and swaps of neighbours.
///
/// ```
/// assert_eq!(drystone_model::nearest("pyramyd", ["pile", "pyramid"]), Some("pyramid"));
/// assert_eq!(drystone_model::nearest("helicopter", ["pile", "pyramid"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let short = candidates.into_iter().filter(|candidate| candidate.len() <= LONGEST_NAME);
    let scored = short.map(|candidate| (strsim::osa_distance(name, candidate), candidate));
    let (distance, best) = scored.min_by_key(|(distance, _)| *distance)?;
    let longer = name.chars().count().max(best.chars().count());
    (3 * distance <= longer).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["pyramid", "pile", "wall", "friction", "position", "half_height"];
        for (slip, meant) in [
            ("pyramyd", "pyramid"),
            ("piel", "pile"),
            ("Wall", "wall"),
            ("frction", "friction"),
            ("poistion", "position"),
            ("half-height", "half_height"),
        ] {
            assert_eq!(nearest(slip, names), Some(meant));
        }
        assert_eq!(nearest("helicopter", names), None);
        assert_eq!(nearest("x", []), None);
        assert_eq!(nearest(&"wall".repeat(100), names), None);
    }
}
