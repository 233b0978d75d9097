//! Writing: the fields of a record, each as its JSON or as a typed array.

use minicbor::Encoder;
use serde_json::Value;

/// The value of a field.
pub enum Item<'a> {
    /// Its JSON.
    Json(&'a str),
    /// Floats, as a typed array.
    Floats(Vec<f64>),
    /// A dense matrix of so many rows.
    Dense(usize, Vec<f64>),
    /// A sparse matrix of so many rows: rows, columns and values of its entries.
    Sparse(usize, [Vec<u32>; 2], Vec<f64>),
}

/// Binary64, the lowest byte first: RFC 8746, section 2.
const FLOATS: u64 = 86;
/// Unsigned integers of 32 bits, the lowest byte first.
const INDICES: u64 = 70;
const ROW_MAJOR: u64 = 40;

type Written = Result<(), minicbor::encode::Error<std::convert::Infallible>>;

/// One data item: an object with these fields.
pub fn encode(fields: &[(&str, Item<'_>)]) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new());
    let written = all(&mut encoder, fields);
    // A vector takes all that is written to it.
    debug_assert!(written.is_ok());
    encoder.into_writer()
}

fn all(encoder: &mut Encoder<Vec<u8>>, fields: &[(&str, Item<'_>)]) -> Written {
    encoder.map(fields.len() as u64)?;
    for (name, item) in fields {
        encoder.str(name)?;
        match item {
            Item::Json(json) => match serde_json::from_str::<Value>(json) {
                Ok(value) => json_value(encoder, &value)?,
                Err(_) => encoder.null().map(drop)?,
            },
            Item::Floats(values) => floats(encoder, values)?,
            Item::Dense(n, values) => {
                encoder.tag(minicbor::data::Tag::new(ROW_MAJOR))?.array(2)?;
                shape(encoder, *n)?;
                floats(encoder, values)?;
            }
            Item::Sparse(n, [rows, columns], values) => {
                encoder.map(4)?.str("shape")?;
                shape(encoder, *n)?;
                encoder.str("rows")?;
                indices(encoder, rows)?;
                encoder.str("columns")?;
                indices(encoder, columns)?;
                encoder.str("values")?;
                floats(encoder, values)?;
            }
        }
    }
    Ok(())
}

fn shape(encoder: &mut Encoder<Vec<u8>>, n: usize) -> Written {
    encoder.array(2)?.u64(n as u64)?.u64(n as u64)?.ok()
}

fn floats(encoder: &mut Encoder<Vec<u8>>, values: &[f64]) -> Written {
    let bytes: Vec<u8> = values.iter().flat_map(|own| own.to_le_bytes()).collect();
    encoder
        .tag(minicbor::data::Tag::new(FLOATS))?
        .bytes(&bytes)?
        .ok()
}

fn indices(encoder: &mut Encoder<Vec<u8>>, values: &[u32]) -> Written {
    let bytes: Vec<u8> = values.iter().flat_map(|own| own.to_le_bytes()).collect();
    encoder
        .tag(minicbor::data::Tag::new(INDICES))?
        .bytes(&bytes)?
        .ok()
}

fn json_value(encoder: &mut Encoder<Vec<u8>>, value: &Value) -> Written {
    match value {
        Value::Null => encoder.null()?.ok(),
        Value::Bool(own) => encoder.bool(*own)?.ok(),
        Value::Number(own) => match (own.as_u64(), own.as_i64(), own.as_f64()) {
            (Some(own), ..) => encoder.u64(own)?.ok(),
            (_, Some(own), _) => encoder.i64(own)?.ok(),
            (.., own) => encoder.f64(own.unwrap_or(f64::NAN))?.ok(),
        },
        Value::String(own) => encoder.str(own)?.ok(),
        Value::Array(items) => {
            encoder.array(items.len() as u64)?;
            items.iter().try_for_each(|own| json_value(encoder, own))
        }
        Value::Object(pairs) => {
            encoder.map(pairs.len() as u64)?;
            pairs.iter().try_for_each(|(name, own)| {
                encoder.str(name)?;
                json_value(encoder, own)
            })
        }
    }
}
