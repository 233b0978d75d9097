//! The field of a line at which reading it went wrong.

/// What the reader is inside of.
enum Level {
    Object {
        key: String,
        awaits_key: bool,
    },
    /// The position of the entry; none before the first one begins.
    Array(Option<usize>),
}

/// The path of the field, such as `contacts[2].gap`, in which the first `length` bytes of a line of JSON end;
/// empty where they end in no field.
pub fn field_at(line: &str, length: usize) -> String {
    let bytes = line.as_bytes();
    let bytes = bytes.get(..length).unwrap_or(bytes);
    let mut levels = Vec::new();
    let (mut string, mut escaped) = (None, false);
    for (i, byte) in bytes.iter().enumerate() {
        if let Some(start) = string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    string = None;
                    name_key(&mut levels, &bytes[start..i]);
                }
                _ => {}
            }
            continue;
        }
        if let Some(Level::Array(index)) = levels.last_mut()
            && !byte.is_ascii_whitespace()
        {
            index.get_or_insert(0);
        }
        match byte {
            b'"' => string = Some(i + 1),
            b'{' => levels.push(Level::Object {
                key: String::new(),
                awaits_key: true,
            }),
            b'[' => levels.push(Level::Array(None)),
            b'}' | b']' => drop(levels.pop()),
            b',' => match levels.last_mut() {
                Some(Level::Object { awaits_key, .. }) => *awaits_key = true,
                Some(Level::Array(Some(index))) => *index += 1,
                _ => {}
            },
            _ => {}
        }
    }
    path(&levels)
}

/// Takes a string for the key that an object awaits.
fn name_key(levels: &mut [Level], text: &[u8]) {
    if let Some(Level::Object { key, awaits_key }) = levels.last_mut()
        && *awaits_key
    {
        *key = String::from_utf8_lossy(text).into_owned();
        *awaits_key = false;
    }
}

fn path(levels: &[Level]) -> String {
    let mut path = String::new();
    for level in levels {
        match level {
            Level::Object { key, .. } => {
                if !path.is_empty() && !key.is_empty() {
                    path.push('.');
                }
                path += key;
            }
            Level::Array(Some(index)) => path += &format!("[{index}]"),
            Level::Array(None) => {}
        }
    }
    path
}
