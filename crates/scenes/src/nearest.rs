//! The name that was probably meant.

/// The candidate closest to `name` by edit distance, if it is close enough to be a slip: at most a
/// third of the longer word differs.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.into_iter().map(|candidate| (edit_distance(name, candidate), candidate));
    let (distance, best) = scored.min_by_key(|(distance, _)| *distance)?;
    let longer = name.chars().count().max(best.chars().count());
    (3 * distance <= longer).then_some(best)
}

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    table[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        table[i][0] = i;
        for j in 1..=b.len() {
            let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            table[i][j] = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
            }
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_single_slips() {
        for (a, b, distance) in [("", "abc", 3), ("pile", "pile", 0), ("piel", "pile", 1), ("wal", "wall", 1)] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
        }
    }

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["pyramid", "pile", "wall"];
        assert_eq!(nearest("pyramyd", names), Some("pyramid"));
        assert_eq!(nearest("helicopter", names), None);
        assert_eq!(nearest("x", []), None);
    }
}
