//! What serde says of a value that does not fit, in the words of those who write files and options rather than Rust.

use drystone_model::nearest;
use serde::de::Unexpected;

/// What was expected, by serde's name for it.
pub fn expected(text: &str) -> String {
    let whole = |signed: bool| if signed { "a whole number" } else { "a whole number, 0 or more" };
    match text {
        "u8" | "u16" | "u32" | "u64" | "usize" => whole(false).to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => whole(true).to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "a borrowed string" | "a character" => "a text in quotes".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "unit" => "nothing".to_owned(),
        "field identifier" | "variant identifier" | "a field name" => "a name".to_owned(),
        _ if text.starts_with("struct ") => "an object".to_owned(),
        _ if text.starts_with("enum ") => "one of the choices".to_owned(),
        _ => match text.strip_prefix("an array of length ").or_else(|| text.strip_prefix("a tuple of size ")) {
            Some(length) => format!("a list of {length}"),
            None => text.to_owned(),
        },
    }
}

/// What was found instead.
pub fn found(value: Unexpected<'_>) -> String {
    match value {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Str(text) => format!("the text {text:?}"),
        Unexpected::Char(text) => format!("the text \"{text}\""),
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// What is wrong with an option, from the message serde has for it.
pub(crate) fn refusal(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message, quoted.as_slice()) {
        (text, [name, known @ ..]) if text.starts_with("unknown field") => match nearest(name, known.iter().copied()) {
            Some(near) => format!("there is no option `{name}`; did you mean `{near}`?"),
            None => format!("there is no option `{name}`; the options are: {}", known.join(", ")),
        },
        (text, [name, known @ ..]) if text.starts_with("unknown variant") => {
            format!("`{name}` is none of the choices: {}", known.join(", "))
        }
        _ => match message.split_once(", expected ") {
            Some((value, wanted)) => format!("expected {}, found {}", expected(wanted), found_in(value)),
            None => message.to_owned(),
        },
    }
}

/// What was found, by serde's sentence for it: `invalid type: floating point `0.5``.
fn found_in(sentence: &str) -> String {
    let value = sentence.split_once(": ").map_or(sentence, |(_, value)| value);
    let literal = value.split('`').nth(1);
    match (value, literal) {
        (_, Some(literal)) => literal.to_owned(),
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "an object".to_owned(),
        ("null", _) => "nothing".to_owned(),
        (text, _) => text.strip_prefix("string ").map_or_else(|| text.to_owned(), |text| format!("the text {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_no_types_of_rust() {
        for (message, words) in [
            (
                "invalid type: string \"many\", expected u32",
                "expected a whole number, 0 or more, found the text \"many\"",
            ),
            ("invalid value: integer `-1`, expected u32", "expected a whole number, 0 or more, found -1"),
            ("invalid type: floating point `0.5`, expected struct Avbd", "expected an object, found 0.5"),
            ("invalid type: sequence, expected f64", "expected a number, found a list"),
            ("unknown variant `avb`, expected `avbd` or `alm`", "`avb` is none of the choices: avbd, alm"),
            ("unknown field `alhpa`, expected `alpha` or `beta`", "there is no option `alhpa`; did you mean `alpha`?"),
            ("unknown field `x`, expected `alpha` or `beta`", "there is no option `x`; the options are: alpha, beta"),
        ] {
            assert_eq!(refusal(message), words);
        }
    }
}
