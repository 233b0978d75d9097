//! Where one record of a CBOR sequence ends (RFC 8742), found as the bytes come.

use std::io::{self, BufRead};

use minicbor::Decoder;
use minicbor::data::Token;

use super::{CUT, MAX_DEPTH, broken};
use crate::limits::MAX_RECORD_BYTES;
use crate::record::RecordError;
use crate::record::stream::MIXED;

/// What has been read of a sequence, from the item on that comes next.
#[derive(Debug, Default)]
pub struct Sequence {
    bytes: Vec<u8>,
    /// Where that item begins.
    begin: usize,
    frame: Frame,
}

impl Sequence {
    /// The next item; `None` at the end of the input.
    ///
    /// # Errors
    /// An input that cannot be read; bytes that are no CBOR, are cut, or are over the limit.
    pub fn read(
        &mut self,
        input: &mut impl BufRead,
    ) -> io::Result<Result<Option<Vec<u8>>, RecordError>> {
        loop {
            match self.whole() {
                Ok(None) => {}
                found => return Ok(found),
            }
            self.bytes.drain(..self.begin);
            self.begin = 0;
            let more = input.fill_buf()?;
            let length = more.len();
            self.bytes.extend_from_slice(more);
            input.consume(length);
            let problem = if self.bytes.len() > MAX_RECORD_BYTES {
                format!("a record is over the limit of {MAX_RECORD_BYTES} bytes")
            } else if length > 0 {
                continue;
            } else if self.is_empty() {
                return Ok(Ok(None));
            } else {
                CUT.to_owned()
            };
            return Ok(Err(RecordError::new("", problem)));
        }
    }

    /// The next item, where all of it has been read.
    fn whole(&mut self) -> Result<Option<Vec<u8>>, RecordError> {
        let rest = self.bytes.get(self.begin..).unwrap_or_default();
        // As CBOR that is a text of some eight bytes' length, whose end would be looked for.
        if rest.first() == Some(&b'{') {
            return Err(RecordError::new("", MIXED));
        }
        let Some(end) = self.frame.end(rest)? else {
            return Ok(None);
        };
        let item = rest.get(..end).unwrap_or_default().to_vec();
        self.begin += end;
        self.frame = Frame::default();
        Ok(Some(item))
    }

    /// Whether nothing has been read of the item that comes next.
    pub fn is_empty(&self) -> bool {
        self.begin == self.bytes.len()
    }
}

/// Finds the end of a data item whose bytes come in parts. Each byte is looked at once, except those of a text that was cut.
#[derive(Debug, Clone, Default)]
struct Frame {
    /// So much of the item is whole.
    at: usize,
    /// How many items each container that is open still has; `None` of one that ends with a break.
    open: Vec<Option<u64>>,
    /// Whether the item is more than the tags before it.
    is_begun: bool,
}

impl Frame {
    /// The length of the item, where all of it has come. `bytes` begin where the item does, and have what the last call had, and
    /// more.
    ///
    /// # Errors
    /// Bytes that are no CBOR.
    fn end(&mut self, bytes: &[u8]) -> Result<Option<usize>, RecordError> {
        while !self.is_begun || !self.open.is_empty() {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let mut decoder = Decoder::new(rest);
            let token = match decoder.decode::<Token<'_>>() {
                Ok(token) => token,
                Err(error) if error.is_end_of_input() => return Ok(None),
                Err(error) => return Err(broken(&error, self.at)),
            };
            self.take(&token)?;
            self.at += decoder.position();
        }
        Ok(Some(self.at))
    }

    fn take(&mut self, token: &Token<'_>) -> Result<(), RecordError> {
        match token {
            // It belongs to the item behind it.
            Token::Tag(_) => return Ok(()),
            Token::Array(0) | Token::Map(0) => self.close(),
            Token::Array(items) => self.open(Some(*items))?,
            Token::Map(pairs) => self.open(Some(pairs.saturating_mul(2)))?,
            Token::BeginArray | Token::BeginMap | Token::BeginBytes | Token::BeginString => {
                self.open(None)?;
            }
            Token::Break => {
                if self.open.pop() != Some(None) {
                    return Err(self.wrong("a break where nothing is open"));
                }
                self.close();
            }
            _ => self.close(),
        }
        self.is_begun = true;
        Ok(())
    }

    fn open(&mut self, items: Option<u64>) -> Result<(), RecordError> {
        if self.open.len() == MAX_DEPTH {
            return Err(self.wrong(&format!("more than {MAX_DEPTH} levels")));
        }
        self.open.push(items);
        Ok(())
    }

    /// One item is whole, and with the last one of a container that container.
    fn close(&mut self) {
        while let Some(Some(left)) = self.open.last_mut() {
            *left -= 1;
            if *left > 0 {
                return;
            }
            self.open.pop();
        }
    }

    fn wrong(&self, what: &str) -> RecordError {
        RecordError::new("", format!("no CBOR: {what} at byte {}", self.at))
    }
}
