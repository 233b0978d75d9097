//! Reading: a record in CBOR as its JSON without the typed arrays, and these beside it.

use minicbor::Decoder;
use minicbor::data::Token;

use super::{MAX_DEPTH, broken};
use crate::limits::MAX_RECORD_BYTES;
use crate::number::format_f64;
use crate::record::RecordError;
use crate::record::array::{Array, Typed};
use crate::record::write::text;

/// The fields that may be typed arrays: the long ones. Elsewhere one is read as the list that it stands for.
const LONG: [&str; 6] = ["M", "q", "lower", "upper", "scale", "z"];

/// Self-described CBOR, RFC 8949, section 3.4.6.
const SELF_DESCRIBED: u64 = 55_799;
/// A matrix with its shape, row by row: RFC 8746, section 3.1.1.
const ROW_MAJOR: u64 = 40;

type Arrays<'a> = Vec<(String, Array<'a>)>;

/// The JSON of a record in CBOR, but for typed arrays of numbers, which come beside it.
///
/// # Errors
/// Bytes that are no CBOR, or no record: not an object, a name that is no text, a value that JSON does not have.
pub fn parts(record: &[u8]) -> Result<(String, Arrays<'_>), RecordError> {
    let mut arrays = Vec::new();
    let json = read(record, Some(&mut arrays))
        .map_err(|error| error.of_record(name(record).as_deref()))?;
    Ok((json, arrays))
}

/// The JSON of a record in CBOR, typed arrays as lists.
///
/// # Errors
/// As [`parts`].
pub fn json(record: &[u8]) -> Result<String, RecordError> {
    read(record, None)
}

/// The name of a record, where it stands in one piece; the rest is passed over.
pub fn name(record: &[u8]) -> Option<String> {
    let mut decoder = Decoder::new(record);
    let mut token = decoder.decode::<Token<'_>>().ok()?;
    if matches!(token, Token::Tag(tag) if tag.as_u64() == SELF_DESCRIBED) {
        token = decoder.decode().ok()?;
    }
    let pairs = match token {
        Token::Map(pairs) => pairs,
        Token::BeginMap => u64::MAX,
        _ => return None,
    };
    for _ in 0..pairs {
        if decoder.str().ok()? == "name" {
            return decoder.str().ok().map(str::to_owned);
        }
        decoder.skip().ok()?;
    }
    None
}

fn read<'a>(record: &'a [u8], arrays: Option<&mut Arrays<'a>>) -> Result<String, RecordError> {
    if record.len() > MAX_RECORD_BYTES {
        let problem = format!(
            "a record of {} bytes is over the limit of {MAX_RECORD_BYTES}",
            record.len()
        );
        return Err(RecordError::new("", problem));
    }
    let mut reader = Reader {
        decoder: Decoder::new(record),
        json: String::new(),
    };
    let mut token = reader.token()?;
    if matches!(token, Token::Tag(tag) if tag.as_u64() == SELF_DESCRIBED) {
        token = reader.token()?;
    }
    let items = match token {
        Token::Map(pairs) => Some(pairs),
        Token::BeginMap => None,
        _ => return Err(RecordError::new("", "no record: CBOR that is no object")),
    };
    reader.object(items, 0, arrays)?;
    if reader.decoder.position() < record.len() {
        let problem = "there is more after the end of the record";
        return Err(RecordError::new("", problem));
    }
    Ok(reader.json)
}

struct Reader<'a> {
    decoder: Decoder<'a>,
    json: String,
}

impl<'a> Reader<'a> {
    fn token(&mut self) -> Result<Token<'a>, RecordError> {
        self.decoder
            .decode::<Token<'a>>()
            .map_err(|error| broken(&error, 0))
    }

    /// What comes next, without taking it.
    fn next(&self) -> Result<Token<'a>, RecordError> {
        let next = self.decoder.clone().decode::<Token<'a>>();
        next.map_err(|error| broken(&error, 0))
    }

    fn wrong(&self, what: &str) -> RecordError {
        let at = self.decoder.position();
        RecordError::new("", format!("{what}, before byte {at}"))
    }

    /// Whether a container of so many items, of which so many were read, has one more; the break behind the last is taken.
    fn more(&mut self, items: Option<u64>, read: u64) -> Result<bool, RecordError> {
        match items {
            Some(items) => Ok(read < items),
            None if self.next()? == Token::Break => self.token().map(|_| false),
            None => Ok(true),
        }
    }

    /// The pairs of an object; typed arrays of the record itself go to `arrays`.
    fn object(
        &mut self,
        pairs: Option<u64>,
        depth: usize,
        mut arrays: Option<&mut Arrays<'a>>,
    ) -> Result<(), RecordError> {
        self.json.push('{');
        let (mut read, mut is_first) = (0, true);
        while self.more(pairs, read)? {
            read += 1;
            let Token::String(name) = self.token()? else {
                return Err(self.wrong("the name of a field is no text in one piece"));
            };
            if let Some(arrays) = arrays.as_deref_mut()
                && LONG.contains(&name)
                && let Some(array) = self.array().map_err(|error| error.inside(name))?
            {
                arrays.push((name.to_owned(), array));
                continue;
            }
            if !std::mem::take(&mut is_first) {
                self.json.push(',');
            }
            self.json += &text(name);
            self.json.push(':');
            self.value(depth + 1).map_err(|error| error.inside(name))?;
        }
        self.json.push('}');
        Ok(())
    }

    /// The typed array that comes next, if one does.
    fn array(&mut self) -> Result<Option<Array<'a>>, RecordError> {
        match self.next()? {
            Token::Tag(tag) if tag.as_u64() == ROW_MAJOR => {
                self.token()?;
                let two = self.token()?;
                if two != Token::Array(2) {
                    return Err(self.wrong("tag 40 without a list of a shape and values"));
                }
                let shape = self.shape()?;
                let values = self.typed()?;
                let values = values.ok_or_else(|| self.wrong(NOT_TYPED))?;
                Ok(Some(Array::Dense { shape, values }))
            }
            Token::Tag(_) => Ok(self.typed()?.map(Array::Vector)),
            Token::Map(4) => self.sparse(),
            _ => Ok(None),
        }
    }

    /// A sparse matrix in typed arrays, if the object that comes next is one; else nothing is taken.
    fn sparse(&mut self) -> Result<Option<Array<'a>>, RecordError> {
        let before = self.decoder.position();
        self.token()?;
        let (mut shape, mut parts) = (None, [None; 3]);
        for _ in 0..4 {
            let name = self.token()?;
            let names = ["rows", "columns", "values"].map(Token::String);
            if name == Token::String("shape") {
                shape = Some(self.shape()?);
                continue;
            }
            let Some(k) = names.iter().position(|own| *own == name) else {
                break;
            };
            parts[k] = self.typed()?;
            if parts[k].is_none() {
                break;
            }
        }
        let (Some(shape), [Some(rows), Some(columns), Some(values)]) = (shape, parts) else {
            self.decoder.set_position(before);
            return Ok(None);
        };
        Ok(Some(Array::Sparse {
            shape,
            rows,
            columns,
            values,
        }))
    }

    /// A list of two numbers of rows.
    fn shape(&mut self) -> Result<[u64; 2], RecordError> {
        let shape = self.decoder.decode::<[u64; 2]>();
        shape.map_err(|_| RecordError::new("shape", "a shape is a list of two integers"))
    }

    /// The typed array that comes next, if one does.
    fn typed(&mut self) -> Result<Option<Typed<'a>>, RecordError> {
        let Token::Tag(tag) = self.next()? else {
            return Ok(None);
        };
        self.token()?;
        if matches!(tag.as_u64(), 2 | 3) {
            return Err(self.wrong("an integer beyond 64 bits; write it as a text"));
        }
        let Token::Bytes(bytes) = self.token()? else {
            return Err(self.wrong(&format!(
                "tag {} is not known here; write numbers beyond binary64 as texts",
                tag.as_u64()
            )));
        };
        match Typed::of(tag.as_u64(), bytes) {
            Some(Ok(typed)) => Ok(Some(typed)),
            Some(Err(problem)) => Err(self.wrong(&problem)),
            None => Err(self.wrong(&format!("tag {}: {NOT_TYPED}", tag.as_u64()))),
        }
    }

    /// The value that comes next, as JSON.
    fn value(&mut self, depth: usize) -> Result<(), RecordError> {
        if depth > MAX_DEPTH {
            return Err(self.wrong(&format!("more than {MAX_DEPTH} levels")));
        }
        if self.json.len() > MAX_RECORD_BYTES {
            return Err(RecordError::new(
                "",
                format!("a record whose JSON is over the limit of {MAX_RECORD_BYTES} bytes"),
            ));
        }
        let before = self.decoder.position();
        let token = self.token()?;
        if matches!(token, Token::Tag(_)) {
            self.decoder.set_position(before);
            if let Some(typed) = self.typed()? {
                self.list(typed);
            }
            return Ok(());
        }
        let plain = match token {
            Token::Null | Token::Undefined => "null".to_owned(),
            Token::Bool(value) => value.to_string(),
            Token::U8(value) => value.to_string(),
            Token::U16(value) => value.to_string(),
            Token::U32(value) => value.to_string(),
            Token::U64(value) => value.to_string(),
            Token::I8(value) => value.to_string(),
            Token::I16(value) => value.to_string(),
            Token::I32(value) => value.to_string(),
            Token::I64(value) => value.to_string(),
            Token::Int(value) => value.to_string(),
            Token::F16(value) | Token::F32(value) => float(f64::from(value)),
            Token::F64(value) => float(value),
            Token::String(value) => text(value),
            Token::BeginString => {
                let mut whole = String::new();
                while self.more(None, 0)? {
                    let Token::String(part) = self.token()? else {
                        return Err(self.wrong("a part of a text that is no text"));
                    };
                    whole += part;
                }
                text(&whole)
            }
            Token::Array(items) => return self.items(Some(items), depth),
            Token::BeginArray => return self.items(None, depth),
            Token::Map(pairs) => return self.object(Some(pairs), depth, None),
            Token::BeginMap => return self.object(None, depth, None),
            Token::Bytes(_) | Token::BeginBytes => {
                return Err(self.wrong("bytes without the tag of a typed array"));
            }
            Token::Tag(_) | Token::Simple(_) | Token::Break => {
                return Err(self.wrong("a value that JSON does not have"));
            }
        };
        self.json += &plain;
        Ok(())
    }

    fn items(&mut self, items: Option<u64>, depth: usize) -> Result<(), RecordError> {
        self.json.push('[');
        let mut read = 0;
        while self.more(items, read)? {
            if read > 0 {
                self.json.push(',');
            }
            self.value(depth + 1)
                .map_err(|error| error.inside(&format!("[{read}]")))?;
            read += 1;
        }
        self.json.push(']');
        Ok(())
    }

    fn list(&mut self, typed: Typed<'_>) {
        self.json.push('[');
        for (i, value) in typed.values().enumerate() {
            if i > 0 {
                self.json.push(',');
            }
            self.json += &float(value);
        }
        self.json.push(']');
    }
}

const NOT_TYPED: &str = "no typed array of floats or unsigned integers (RFC 8746) stands where one belongs; numbers beyond binary64 are texts";

/// A float as JSON: what JSON has no number for is the text that bounds have for it, and that is an error for numbers.
fn float(value: f64) -> String {
    if value.is_finite() {
        format_f64(value)
    } else if value.is_nan() {
        "\"NaN\"".to_owned()
    } else if value > 0.0 {
        "\"inf\"".to_owned()
    } else {
        "\"-inf\"".to_owned()
    }
}
