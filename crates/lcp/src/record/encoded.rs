//! A record as it stands in an input: JSON text, or CBOR.

use std::borrow::Cow;

use super::RecordError;
use super::array::Array;
use super::fields::Fields;

/// A record as it stands: JSON (RFC 8259), or CBOR (RFC 8949) with the same fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoded<'a> {
    /// JSON text.
    Json(&'a str),
    /// CBOR, in which long lists of numbers may be typed arrays (RFC 8746).
    Cbor(&'a [u8]),
}

/// As [`Encoded`], owned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// JSON text.
    Json(String),
    /// CBOR.
    Cbor(Vec<u8>),
}

impl Default for Written {
    fn default() -> Self {
        Self::Json(String::new())
    }
}

impl Written {
    /// How many bytes it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Json(text) => text.len(),
            Self::Cbor(bytes) => bytes.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text, if it is JSON.
    pub fn as_json(&self) -> Option<&str> {
        match self {
            Self::Json(text) => Some(text),
            Self::Cbor(_) => None,
        }
    }
}

impl<'a> From<&'a str> for Encoded<'a> {
    fn from(text: &'a str) -> Self {
        Self::Json(text)
    }
}

impl<'a> From<&'a String> for Encoded<'a> {
    fn from(text: &'a String) -> Self {
        Self::Json(text)
    }
}

impl<'a> From<&'a Written> for Encoded<'a> {
    fn from(written: &'a Written) -> Self {
        match written {
            Written::Json(text) => Self::Json(text),
            Written::Cbor(bytes) => Self::Cbor(bytes),
        }
    }
}

/// A record split into its JSON and the typed arrays that stand beside it.
pub(super) struct Opened<'a> {
    json: Cow<'a, str>,
    arrays: Vec<(String, Array<'a>)>,
}

impl<'a> Encoded<'a> {
    /// The JSON of the record: of CBOR with typed arrays as the lists that they stand for.
    ///
    /// # Errors
    /// Bytes that are no CBOR, or no record.
    pub fn to_json(self) -> Result<Cow<'a, str>, RecordError> {
        match self {
            Self::Json(text) => Ok(Cow::Borrowed(text)),
            #[cfg(feature = "cbor")]
            Self::Cbor(record) => super::cbor::json(record).map(Cow::Owned),
            #[cfg(not(feature = "cbor"))]
            Self::Cbor(_) => Err(without()),
        }
    }

    pub(super) fn open(self) -> Result<Opened<'a>, RecordError> {
        match self {
            Self::Json(text) => Ok(Opened {
                json: Cow::Borrowed(text),
                arrays: Vec::new(),
            }),
            #[cfg(feature = "cbor")]
            Self::Cbor(record) => {
                let (json, arrays) = super::cbor::parts(record)?;
                let json = Cow::Owned(json);
                Ok(Opened { json, arrays })
            }
            #[cfg(not(feature = "cbor"))]
            Self::Cbor(_) => Err(without()),
        }
    }
}

impl Opened<'_> {
    pub(super) fn fields(&self) -> Result<Fields<'_>, RecordError> {
        Fields::of(&self.json)?.with_arrays(self.arrays.clone())
    }
}

#[cfg(not(feature = "cbor"))]
fn without() -> RecordError {
    let problem = "a record in CBOR, which this program was built without";
    RecordError::new("", problem)
}
