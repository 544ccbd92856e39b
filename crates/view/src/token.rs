//! The secret in the address.

/// A random number of 128 bits, as 32 hexadecimal digits.
pub fn random_token() -> Result<String, String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
pub fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let differ = one.iter().zip(other).fold(0u8, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && std::hint::black_box(differ) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_different() {
        let [one, other] = [random_token().unwrap(), random_token().unwrap()];
        assert_eq!(one.len(), 32);
        assert!(same(&one, &one) && !same(&one, &other) && !same(&one, &one[..31]) && !same(&one, ""));
    }
}
