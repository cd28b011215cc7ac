//! What the reader of TOML says, in words of a problem file rather than of Rust.

/// Types of Rust as they are named in messages, and what is to be written for them. Longer names go first.
const WORDS: [(&str, &str); 14] = [
    ("expected u64", "expected a whole number of at least 0"),
    ("expected u32", "expected a whole number of at least 0"),
    ("expected u16", "expected a whole number from 0 to 65535"),
    ("expected usize", "expected a whole number of at least 0"),
    ("expected f64", "expected a number"),
    ("expected a boolean", "expected true or false"),
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected a table"),
    ("expected a string", "expected a text"),
    ("expected path string", "expected a text, the path of a file"),
    ("invalid type: map", "invalid type: table"),
    ("invalid type: sequence", "invalid type: list"),
    ("invalid type: string", "invalid type: text"),
    ("wanted string or table", "expected a text"),
];

/// Where and what is wrong, with the line of the file and the key that it begins with.
pub fn told(error: &toml::de::Error, text: &str) -> String {
    let whole = error.to_string();
    let whole = whole.trim_end();
    // The line of the file, which comes before the message, stays as it is.
    let place = whole.strip_suffix(error.message().trim_end()).unwrap_or("");
    let key = error.span().and_then(|span| key(text, span.start)).map_or(String::new(), |key| format!("{key}: "));
    format!("{place}{key}{}", plain(error.message().trim_end()))
}

/// The key of the value at this place, where it stands in the same line before it.
fn key(text: &str, place: usize) -> Option<&str> {
    let line = text.get(..place)?.rsplit('\n').next()?;
    let (before, value) = line.rsplit_once('=')?;
    let start = before.rfind(['{', ',']).map_or(0, |position| position + 1);
    let key = before[start..].trim();
    let is_key = |text: &str| text.chars().all(|character| character.is_alphanumeric() || "_-.".contains(character));
    (value.trim().is_empty() && !key.is_empty() && is_key(key)).then_some(key)
}

fn plain(message: &str) -> String {
    let mut message = WORDS.iter().fold(message.to_owned(), |text, (rust, plain)| text.replace(rust, plain));
    for kind in ["expected struct ", "expected enum "] {
        if let Some(start) = message.find(kind) {
            let name = start + kind.len();
            let end =
                message[name..].find(|character: char| !character.is_alphanumeric()).map_or(message.len(), |at| name + at);
            let plain = if kind.contains("struct") { "expected a table" } else { "expected a text" };
            message.replace_range(start..end, plain);
        }
    }
    message
}
