//! The kind of a file of records, by the field `format` of its first record.

use std::fmt;
use std::io::{BufReader, Read};
use std::path::Path;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::files;

/// A format is looked for in so many bytes: records of scenes and trajectories begin with it.
const LOOKED_AT: u64 = 1 << 20;

/// Nearly all records begin with their format. Chosen: this much unpacks within some microseconds.
const LOOKED_AT_FIRST: usize = 1 << 12;

/// Some editors put it before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The field `format` of the first record of a file; `None` where it has none, or is no regular
/// file: what a pipe has given cannot be had again.
pub(crate) fn format_of(file: &Path) -> Option<String> {
    // Who reads the file finds its damage.
    let start = files::built_in_start(file, LOOKED_AT_FIRST);
    if let Some(format) = start.and_then(|start| format_in(&start[..])) {
        return Some(format);
    }
    if !files::is_regular(file) {
        return None;
    }
    let mut input = BufReader::new(files::open_file(file).ok()?.take(LOOKED_AT));
    let mut start = Vec::new();
    let mark = BYTE_ORDER_MARK.len() as u64;
    input.by_ref().take(mark).read_to_end(&mut start).ok()?;
    if start == BYTE_ORDER_MARK {
        start.clear();
    }
    format_in(start.chain(input))
}

fn format_in(input: impl Read) -> Option<String> {
    let mut format = None;
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    // A record that is cut off or broken after its format has one all the same.
    let _ = deserializer.deserialize_map(Head(&mut format));
    format
}

/// Reads an object up to its field `format`.
struct Head<'a>(&'a mut Option<String>);

impl<'de> Visitor<'de> for Head<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if name == "format" {
                *self.0 = Some(fields.next_value()?);
                return Ok(());
            }
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_found_wherever_it_stands() {
        let format = |text: &str| format_in(text.as_bytes());
        let scene = Some("etalon-forces/1".to_owned());
        assert_eq!(format(r#"{"format":"etalon-forces/1","name":"s"}"#), scene);
        assert_eq!(
            format("{\n  \"name\": {\"format\": \"x\"},\n  \"format\" : \"etalon-forces/1\"\n}"),
            scene
        );
        // What follows in the file is another record.
        assert_eq!(format("{\"name\":\"p\"}\n{\"format\":\"x\"}"), None);
        assert_eq!(format(r#"{"format":"etalon-forces/1","na"#), scene);
        for none in ["", "[]", "{\"name\"", "{\"format\": 1}"] {
            assert_eq!(format(none), None, "{none}");
        }
    }
}
