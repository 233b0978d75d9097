//! Where in a broken record the JSON breaks: its name, and the path to the place.
//!
//! serde_json counts lines and columns, but the reader of an error thinks in `M[0][1]`. This walk
//! is lenient: it believes nothing but brackets, commas and strings, and cannot fail.

use super::RecordError;
use super::words::{is_trailing, plain_words};

/// The error for a text that is no JSON object, with the place inside the record.
pub(super) fn broken(text: &str, error: &serde_json::Error) -> RecordError {
    let place = offset(text, error.line(), error.column());
    let located = locate(text, place);
    // A number may be cut after its point.
    let is_cut = error.is_eof() || (place + 1 >= text.len() && what_is_number(error));
    let what = plain_words(error);
    let place = place_in(text, error);
    if is_trailing(error) {
        let problem = format!("{what}: it goes on at {place}");
        return RecordError::new("", problem).of_record(located.record.as_deref());
    }
    let not_finite = !is_cut && is_not_finite(&located.word);
    let problem = if is_cut {
        format!("the JSON ends too early ({what} at {place}); is the file truncated?")
    } else if not_finite {
        format!(
            "{} is neither JSON nor a finite number ({place})",
            located.word
        )
    } else {
        format!("no JSON object: {what} at {place}")
    };
    RecordError {
        not_finite,
        ..RecordError::new(located.path, problem).of_record(located.record.as_deref())
    }
}

/// Where a text breaks, in words. What is cut ends where its last line does: the end of that line begins no other.
fn place_in(text: &str, error: &serde_json::Error) -> String {
    let (line, column) = match error.is_eof() {
        false => (error.line(), error.column()),
        true => {
            let whole = text.trim_end();
            let last = whole.rfind('\n').map_or(0, |end| end + 1);
            (
                whole.matches('\n').count() + 1,
                whole.len().saturating_sub(last),
            )
        }
    };
    match line {
        1 => format!("column {column}"),
        // The file has its own count, which the record begins somewhere in.
        line => format!("line {line} of the record, column {column}"),
    }
}

/// Whether a bare word is a NaN or an infinity as languages write it: `NaN`, `-nan`, `Infinity`, `Inf`, and `1.#QNAN` of C on old Windows.
fn is_not_finite(word: &str) -> bool {
    let bare = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    matches!(bare.as_str(), "nan" | "inf" | "infinity") || bare.starts_with("1.#")
}

fn what_is_number(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("invalid number")
}

/// The byte that serde_json means: lines and columns count from 1, columns in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    (before + column.saturating_sub(1)).min(text.len())
}

/// The findings of a walk over a record.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Located {
    /// The value of the top-level field `name`, wherever it stands.
    pub record: Option<String>,
    /// The path to the place, such as `M[0][1]`; empty at the top.
    pub path: String,
    /// The bare word that stands there, such as `NaN`.
    pub word: String,
}

/// A container that is open.
enum Open {
    Object { key: String },
    Array { index: usize },
}

/// Walks over `text` and notes the path at the byte `place`.
pub(super) fn locate(text: &str, place: usize) -> Located {
    let mut walk = Walk::default();
    let mut located = Located::default();
    let mut passed = false;
    let mut bytes = text.bytes().enumerate();
    let mut string_start = None;
    while let Some((at, byte)) = bytes.next() {
        if !passed && at >= place {
            passed = true;
            located.path = walk.path();
        }
        match (string_start, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(start), b'"') => {
                walk.string(&text[start..=at]);
                string_start = None;
            }
            (Some(_), _) => {}
            (None, b'"') => string_start = Some(at),
            (None, byte) => walk.mark(byte),
        }
    }
    if !passed {
        located.path = walk.path();
    }
    located.word = word_at(text, place);
    located.record = walk.record;
    located
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    /// The last string, which is a key if a colon follows.
    last: String,
    /// Whether the next string at the top is the record's name.
    name_follows: bool,
    record: Option<String>,
    /// Whether the record is whole: what follows is another one's.
    ended: bool,
}

impl Walk {
    fn string(&mut self, quoted: &str) {
        self.last = serde_json::from_str(quoted).unwrap_or_default();
        if std::mem::take(&mut self.name_follows) {
            self.record = Some(self.last.clone());
        }
    }

    fn mark(&mut self, byte: u8) {
        match byte {
            b'{' => self.open.push(Open::Object { key: String::new() }),
            b'[' => self.open.push(Open::Array { index: 0 }),
            b'}' | b']' => {
                self.ended |= self.open.pop().is_some() && self.open.is_empty();
            }
            b':' => {
                self.name_follows = self.open.len() == 1 && self.last == "name" && !self.ended;
                if let Some(Open::Object { key }) = self.open.last_mut() {
                    *key = std::mem::take(&mut self.last);
                }
            }
            b',' => match self.open.last_mut() {
                Some(Open::Array { index }) => *index += 1,
                Some(Open::Object { key }) => key.clear(),
                None => {}
            },
            _ => {}
        }
    }

    /// Deep nesting is junk, of which the beginning tells enough.
    fn path(&self) -> String {
        const SHOWN: usize = 6;
        let mut path = String::new();
        for open in self.open.iter().take(SHOWN) {
            match open {
                Open::Object { key } if key.is_empty() => {}
                Open::Object { key } if path.is_empty() => path.clone_from(key),
                Open::Object { key } => path = format!("{path}.{key}"),
                Open::Array { index } => path = format!("{path}[{index}]"),
            }
        }
        path
    }
}

/// The bare word around a byte: serde_json stops somewhere inside it.
fn word_at(text: &str, place: usize) -> String {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.#".contains(byte);
    let bytes = text.as_bytes();
    let place = place.min(bytes.len());
    let before = bytes[..place]
        .iter()
        .rev()
        .take(12)
        .take_while(|b| is_word(b))
        .count();
    let after = bytes[place..]
        .iter()
        .take(12)
        .take_while(|b| is_word(b))
        .count();
    String::from_utf8_lossy(&bytes[place - before..place + after]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_to_a_bare_word_is_found() {
        let text = r#"{"M": [[1, "a,]"], [NaN, 2]], "q": [1, 2], "name": "x"}"#;
        let place = text.find("NaN").unwrap() + 1;
        let located = locate(text, place);
        assert_eq!(located.path, "M[1][0]");
        assert_eq!(located.word, "NaN");
        assert_eq!(located.record.as_deref(), Some("x"));
    }

    #[test]
    fn a_truncated_record_breaks_at_its_end() {
        let text = r#"{"name": "t\"", "M": [[1, 2], [3"#;
        let located = locate(text, text.len());
        assert_eq!(located.path, "M[1][0]");
        assert_eq!(located.record.as_deref(), Some("t\""));
    }

    #[test]
    fn junk_is_walked_over() {
        for text in ["", "}}}", "[[[[", "\"", "\"\\", "{:,}", "é{é:é"] {
            for place in 0..text.len() + 2 {
                let _ = locate(text, place);
            }
        }
    }
}
