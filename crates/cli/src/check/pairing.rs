//! Bringing problems and claims together by name, as they come.
//!
//! Where both come in the same order, nothing is held but the names. A problem that waits for its
//! claim is kept as a place in its file; only one from a pipe is kept whole.

use std::collections::hash_map;
use std::num::NonZeroU64;
use std::sync::Arc;

use etalon_golden::{DuplicateName, Origin, ReadError};
use etalon_lcp::record::stream::{InputError, Text, Texts};
use etalon_lcp::record::{RecordError, Written, name_of, read_claim, read_problem};

use super::shard::{Key, KeyMap, Shard};

/// A claim with the problem that it is about.
pub struct Pair {
    pub key: Key,
    pub problem: Text,
    /// None when nothing was claimed.
    pub claim: Option<Text>,
}

/// The texts of a pair.
#[derive(Default)]
pub struct PairTexts {
    pub problem: Written,
    pub claim: Option<Written>,
}

impl Pair {
    /// The length of its texts in bytes.
    pub fn bytes(&self) -> usize {
        let claim = self.claim.as_ref().map_or(0, |claim| claim.text.len());
        self.problem.text.len() + claim
    }

    /// Takes the texts out; the places stay.
    pub fn take_texts(&mut self) -> PairTexts {
        let claim = self.claim.as_mut();
        PairTexts {
            problem: std::mem::take(&mut self.problem.text),
            claim: claim.map(|claim| std::mem::take(&mut claim.text)),
        }
    }
}

/// The names of both inputs.
pub struct Files {
    problems: String,
    claims: String,
}

impl Files {
    /// Where a problem stands.
    pub fn problem(&self, text: &Text) -> Origin {
        Origin::new(&self.problems, text.line)
    }

    /// Where a claim stands.
    pub fn claim(&self, text: &Text) -> Origin {
        Origin::new(&self.claims, text.line)
    }
}

/// Both inputs, with the pairs found so far.
pub struct Pairing {
    pub files: Arc<Files>,
    problems: Texts,
    claims: Texts,
    shard: Shard,
    names: KeyMap<Named>,
    /// The last problem read, if it waits: where both inputs come in the same order, the only one.
    recent: Option<(Key, Text)>,
    waiting: KeyMap<Kept>,
    complaints: Vec<String>,
    /// Whether some problem could not be read, which may be the one that a claim is about.
    unreadable: bool,
}

/// Where records of one name stand.
struct Named {
    problem: u64,
    claim: Option<NonZeroU64>,
}

/// A problem that waits for its claim.
enum Kept {
    Whole(Text),
    /// The rest is to be read again.
    Place {
        line: u64,
        offset: u64,
        length: usize,
    },
}

impl Pairing {
    pub fn new(problems: Texts, claims: Texts, shard: Shard) -> Self {
        let files = Arc::new(Files {
            problems: problems.name().to_owned(),
            claims: claims.name().to_owned(),
        });
        Self {
            files,
            problems,
            claims,
            shard,
            names: KeyMap::default(),
            recent: None,
            waiting: KeyMap::default(),
            complaints: Vec::new(),
            unreadable: false,
        }
    }

    /// The records that could not be read or paired since the last call.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Whether the next pair can be had without waiting for input from a pipe.
    pub fn is_ready(&self) -> bool {
        self.problems.is_ready() && self.claims.is_ready()
    }

    /// Whether there is any problem; complains if not.
    pub fn begin(&mut self) -> bool {
        let begun = self.advance(None).is_some();
        if !begun && self.complaints.is_empty() {
            let file = self.problems.name().to_owned();
            self.complain(ReadError::Empty { file });
        }
        begun
    }

    /// The next claim with its problem.
    pub fn next_pair(&mut self) -> Option<Pair> {
        loop {
            let claim = match self.claims.next()? {
                Ok(claim) => claim,
                Err(error) => {
                    self.complain(error);
                    continue;
                }
            };
            // A NaN is no JSON, but the name may stand beside it: the claim is then judged as failed.
            let broken = || read_claim(&claim.text).err();
            let name = name_of(&claim.text).or_else(|| broken()?.record);
            let Some(name) = name else {
                let error = unreadable(self.claims.name(), &claim, broken());
                self.complain(error);
                continue;
            };
            let key = Key::of(&name);
            if !self.shard.holds(key) {
                continue;
            }
            match self.problem_of(key, &name, &claim) {
                Ok(problem) => {
                    let claim = Some(claim);
                    return Some(Pair {
                        key,
                        problem,
                        claim,
                    });
                }
                Err(complaint) => self.complaints.push(complaint),
            }
        }
    }

    /// The problems without a claim, once all claims have come.
    pub fn unclaimed(&mut self) -> Vec<Key> {
        while self.advance(None).is_some() {}
        self.put_away();
        let waiting = self.waiting.iter();
        let mut waiting: Vec<_> = waiting.map(|(key, kept)| (kept.line(), *key)).collect();
        waiting.sort_unstable();
        waiting.into_iter().map(|(_, key)| key).collect()
    }

    /// One of those.
    pub fn waiting(&mut self, key: Key) -> Option<Pair> {
        match self.take_out(key)? {
            Ok(problem) => Some(Pair {
                key,
                problem,
                claim: None,
            }),
            Err(error) => {
                self.complain(error);
                None
            }
        }
    }

    fn complain(&mut self, error: impl std::fmt::Display) {
        self.complaints.push(error.to_string());
    }

    /// The problem of a claim, reading on until it comes; or a complaint.
    fn problem_of(&mut self, key: Key, name: &str, claim: &Text) -> Result<Text, String> {
        while !self.names.contains_key(&key) {
            if self.advance(Some((key, name))).is_none() {
                break;
            }
        }
        let origin = self.files.claim(claim);
        let Some(named) = self.names.get_mut(&key) else {
            return Err(without_problem(&origin, name, self.unreadable));
        };
        if let Some(first) = named.claim {
            let twice = DuplicateName {
                name: name.to_owned(),
                first: Origin::new(self.claims.name(), first.get()),
                second: origin,
            };
            return Err(twice.to_string());
        }
        named.claim = NonZeroU64::new(claim.line);
        match self.take_out(key) {
            Some(problem) => problem.map_err(|error| error.to_string()),
            None => Err(without_problem(&origin, name, self.unreadable)),
        }
    }

    /// Takes the next problem of the shard in, often the one whose name is looked for; `None` at the end.
    fn advance(&mut self, wanted: Option<(Key, &str)>) -> Option<()> {
        loop {
            let text = match self.problems.next()? {
                Ok(text) => text,
                Err(error) => {
                    self.unreadable = true;
                    self.complain(error);
                    continue;
                }
            };
            let Some(name) = name_of(&text.text) else {
                let error = unreadable(self.problems.name(), &text, read_problem(&text.text).err());
                self.unreadable = true;
                self.complain(error);
                continue;
            };
            let is_wanted = wanted.filter(|(_, wanted)| *wanted == name);
            let key = is_wanted.map_or_else(|| Key::of(&name), |(key, _)| key);
            if self.shard.holds(key) {
                self.take_in(key, name, text);
            }
            return Some(());
        }
    }

    fn take_in(&mut self, key: Key, name: String, text: Text) {
        match self.names.entry(key) {
            hash_map::Entry::Occupied(first) => {
                let file = self.problems.name();
                let twice = DuplicateName {
                    name,
                    first: Origin::new(file, first.get().problem),
                    second: Origin::new(file, text.line),
                };
                self.complaints.push(twice.to_string());
            }
            hash_map::Entry::Vacant(place) => {
                place.insert(Named {
                    problem: text.line,
                    claim: None,
                });
                self.put_away();
                self.recent = Some((key, text));
            }
        }
    }

    fn put_away(&mut self) {
        let Some((key, text)) = self.recent.take() else {
            return;
        };
        let kept = if self.problems.can_reread() {
            Kept::Place {
                line: text.line,
                offset: text.offset,
                length: text.text.len(),
            }
        } else {
            Kept::Whole(text)
        };
        self.waiting.insert(key, kept);
    }

    /// A problem that waits, if it does.
    fn take_out(&mut self, key: Key) -> Option<Result<Text, InputError>> {
        if self
            .recent
            .as_ref()
            .is_some_and(|(recent, _)| *recent == key)
        {
            return self.recent.take().map(|(_, text)| Ok(text));
        }
        Some(match self.waiting.remove(&key)? {
            Kept::Whole(text) => Ok(text),
            Kept::Place {
                line,
                offset,
                length,
            } => {
                let text = self.problems.reread(offset, length);
                text.map(|text| Text { line, offset, text })
            }
        })
    }
}

impl Kept {
    fn line(&self) -> u64 {
        match self {
            Self::Whole(text) => text.line,
            Self::Place { line, .. } => *line,
        }
    }
}

/// A complaint about a claim whose problem is not there, or cannot be read.
pub fn without_problem(origin: &Origin, name: &str, unreadable: bool) -> String {
    let readable = if unreadable { "readable " } else { "" };
    format!("{origin}: record {name:?}: there is no {readable}problem of that name")
}

/// A complaint about a record; its name can always be had when the rest can.
fn unreadable(file: &str, text: &Text, error: Option<RecordError>) -> String {
    let (file, line) = (file.to_owned(), text.line);
    match error {
        Some(source) => InputError::Record { file, line, source }.to_string(),
        None => format!("{file}:{line}: the record has no name"),
    }
}
