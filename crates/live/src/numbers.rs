//! Numbers that a text can say exactly.

use serde_json::{Number, Value};

/// Rounds every number of a command to 15 significant digits. Those are read back to the same bits by any reader of JSON, those
/// with 17 digits not by all; so a log says exactly what was done.
pub fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            let exact = number.as_f64().and_then(|value| Number::from_f64(round(value)));
            Value::Number(exact.unwrap_or(number))
        }
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, rounded(value))).collect(),
        other => other,
    }
}

/// A number to 15 significant digits, or to as many as text keeps: readers lose a bit of very small and very large ones.
pub fn round(value: f64) -> f64 {
    let read = |value: f64| serde_json::to_string(&value).ok().and_then(|text| serde_json::from_str::<f64>(&text).ok());
    let rounded = (0..15).rev().map(|digits| format!("{value:.digits$e}").parse().unwrap_or(value));
    let mut exact = rounded.filter(|&value| read(value) == Some(value));
    exact.next().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rounded_number_survives_the_way_through_text() {
        let mut value = 0.1234567890123456_f64;
        for _ in 0..2000 {
            value = (value * 1.37).fract() + 1e-9;
            for scaled in [value, value * 1e6, -value * 1e-7, value * 1e-40, value * 1e90] {
                let kept = round(scaled);
                let text = serde_json::to_string(&kept).unwrap();
                assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), kept.to_bits(), "{text}");
                let usual = (1e-6..1e7).contains(&scaled.abs());
                assert!((kept - scaled).abs() <= if usual { 1e-14 } else { 1e-4 } * scaled.abs());
            }
        }
    }

    #[test]
    fn whole_numbers_and_words_stay() {
        let value = serde_json::json!({"a": 7, "b": [1e300, "x", null, true], "c": 18446744073709551615_u64});
        assert_eq!(rounded(value.clone()), value);
    }
}
