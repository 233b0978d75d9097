use std::io;

use minicbor::Encoder;
use minicbor::data::Tag;
use proptest::prelude::*;

use super::begins;
use crate::record::stream::{InputError, Records, Texts};
use crate::record::{
    Encoded, Written, name_of, read_claim, read_problem, write_claim, write_claim_cbor,
    write_problem, write_problem_cbor,
};
use crate::{Bound, Claim, Problem};

type Bytes = Encoder<Vec<u8>>;

fn item(write: impl FnOnce(&mut Bytes)) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new());
    write(&mut encoder);
    encoder.into_writer()
}

/// Ends a chain of calls.
fn done(_: &mut Bytes) {}

fn typed(encoder: &mut Bytes, tag: u64, bytes: &[u8]) {
    encoder.tag(Tag::new(tag)).unwrap().bytes(bytes).unwrap();
}

/// A record of the problem (2), (-1), one field written by the caller.
fn record(field: &str, write: impl FnOnce(&mut Bytes)) -> Vec<u8> {
    item(|own| {
        own.begin_map()
            .unwrap()
            .str("name")
            .unwrap()
            .str("p")
            .unwrap();
        for (name, json) in [("M", &[2_i64][..]), ("q", &[-1])] {
            if name == field {
                continue;
            }
            own.str(name).unwrap().array(1).unwrap();
            if name == "M" {
                own.array(1).unwrap();
            }
            own.i64(json[0]).unwrap();
        }
        own.str(field).unwrap();
        write(own);
        own.end().unwrap();
    })
}

fn problem(record: &[u8]) -> Problem {
    let read = read_problem(Encoded::Cbor(record)).unwrap();
    assert!(read.unknown_fields.is_empty(), "{:?}", read.unknown_fields);
    read.record
}

fn error(record: &[u8]) -> String {
    let read = read_problem(Encoded::Cbor(record));
    read.map(|read| read.record).unwrap_err().to_string()
}

fn of_json(json: &str) -> Problem {
    read_problem(json).unwrap().record
}

const ALL_FIELDS: &str = r#"{"name": "all \"fields\" é", "M": [[2, "1/3", 0], [1, 2, 1e-300], [0, 1, 5]], "q": [-1, "0.1", 3],
    "lower": [0, "-inf", "-1/2"], "upper": ["inf", 7, 1e300], "friction": [{"row": 2, "normal": 0, "mu": 0.3}],
    "blocks": [[0, 1]], "scale": [1, 2, 3], "expect": {"status": "unknown"}, "tags": ["a", "b"], "source": {"what": "a test", "n": [1, -2, 2.5, null, true]},
    "notes": "line\nline", "digest": "sha256:00"}"#;

#[test]
fn a_record_with_all_fields_is_the_same_in_both_forms() {
    let json = ALL_FIELDS.replace(r#"[{"row": 2, "normal": 0, "mu": 0.3}]"#, "[]");
    for text in [
        &json,
        &json.replace("\"1/3\"", "0.25").replace("\"0.1\"", "-0.0"),
        &json.replace("\"-1/2\"", "0"),
    ] {
        let own = of_json(text);
        assert_eq!(problem(&write_problem_cbor(&own)), own);
    }
    let friction = of_json(
        r#"{"name": "f", "M": [[1, 0], [0, 1]], "q": [-1, 2], "friction": [{"row": 1, "normal": 0, "mu": "1/3"}]}"#,
    );
    assert_eq!(problem(&write_problem_cbor(&friction)), friction);
    let cones = of_json(
        r#"{"name": "c", "M": [[1, 0], [0, 1]], "q": [-1, 2], "cones": [{"rows": [0, 1], "mu": 0.5}]}"#,
    );
    assert_eq!(problem(&write_problem_cbor(&cones)), cones);
    let sparse = of_json(
        r#"{"name": "s", "M": {"shape": [3, 3], "entries": [[2, 0, 1], [0, 0, -2.5], [1, 1, 4]]}, "q": [1, 2, 3]}"#,
    );
    assert_eq!(problem(&write_problem_cbor(&sparse)), sparse);
    let exact =
        of_json(r#"{"name": "s", "M": {"shape": [1, 1], "entries": [[0, 0, "1/3"]]}, "q": [1]}"#);
    assert_eq!(problem(&write_problem_cbor(&exact)), exact);
}

#[test]
fn numbers_may_stand_in_any_typed_array() {
    let wanted = of_json(r#"{"name": "p", "M": [[2]], "q": [-1]}"#);
    for (tag, bytes) in [
        (86, (-1.0_f64).to_le_bytes().to_vec()),
        (82, (-1.0_f64).to_be_bytes().to_vec()),
        (85, (-1.0_f32).to_le_bytes().to_vec()),
        (81, (-1.0_f32).to_be_bytes().to_vec()),
    ] {
        assert_eq!(
            problem(&record("q", |own| typed(own, tag, &bytes))),
            wanted,
            "{tag}"
        );
    }
    for (tag, bytes) in [
        (64, vec![2]),
        (65, vec![0, 2]),
        (69, vec![2, 0]),
        (66, vec![0, 0, 0, 2]),
        (70, vec![2, 0, 0, 0]),
        (67, vec![0, 0, 0, 0, 0, 0, 0, 2]),
        (71, vec![2, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        let dense = record("M", |own| {
            own.tag(Tag::new(40)).unwrap().array(2).unwrap();
            own.array(2).unwrap().u8(1).unwrap().u8(1).unwrap();
            typed(own, tag, &bytes);
        });
        assert_eq!(problem(&dense), wanted, "{tag}");
    }
    // Floats of 16 bits, and texts that are exact.
    let list = record("q", |own| done(own.array(1).unwrap().f16(-1.0).unwrap()));
    assert_eq!(problem(&list), wanted);
    let text = record("q", |own| done(own.array(1).unwrap().str("-1/3").unwrap()));
    assert_eq!(
        problem(&text).q()[0],
        crate::Number::parse_exact("-1/3").unwrap()
    );
    // Where a list is not long, a typed array is the list: mu of a friction row in an object, and the tags of a problem are none.
    let blocks = record("blocks", |own| {
        own.array(1).unwrap();
        typed(own, 64, &[0]);
    });
    assert_eq!(problem(&blocks).blocks(), [[0]]);
}

#[test]
fn bounds_may_be_infinite_and_nothing_else() {
    let floats = |values: &[f64]| {
        values
            .iter()
            .flat_map(|own| own.to_le_bytes())
            .collect::<Vec<_>>()
    };
    let upper = record("upper", |own| typed(own, 86, &floats(&[f64::INFINITY])));
    assert_eq!(
        problem(&upper),
        of_json(r#"{"name": "p", "M": [[2]], "q": [-1], "upper": ["inf"]}"#)
    );
    let list = record("upper", |own| {
        done(own.array(1).unwrap().f64(f64::INFINITY).unwrap())
    });
    assert_eq!(problem(&list).upper().unwrap(), [Bound::Infinity]);
    let low = record("lower", |own| typed(own, 86, &floats(&[f64::NEG_INFINITY])));
    assert_eq!(problem(&low).lower().unwrap(), [Bound::NegativeInfinity]);
    for (field, value) in [("q", f64::INFINITY), ("q", f64::NAN), ("upper", f64::NAN)] {
        let told = error(&record(field, |own| typed(own, 86, &floats(&[value]))));
        assert!(
            told.contains(&format!("{field}[0]")) && told.contains("is not finite"),
            "{told}"
        );
        let told = error(&record(field, |own| {
            done(own.array(1).unwrap().f64(value).unwrap())
        }));
        assert!(
            told.contains(&format!("{field}[0]")) && told.contains("is not finite"),
            "{told}"
        );
    }
    // An answer that is not finite is told from one that cannot be read.
    for z in [f64::NAN, f64::NEG_INFINITY] {
        let claim = item(|own| {
            own.map(3).unwrap().str("name").unwrap().str("p").unwrap();
            own.str("status")
                .unwrap()
                .str("solved")
                .unwrap()
                .str("z")
                .unwrap();
            typed(own, 86, &z.to_le_bytes());
        });
        let error = read_claim(Encoded::Cbor(&claim)).map(|_| ()).unwrap_err();
        assert!(error.is_not_finite(), "{error}");
        assert_eq!(name_of(Encoded::Cbor(&claim)).as_deref(), Some("p"));
    }
}

#[test]
fn what_is_wrong_is_told_with_its_field() {
    let dense = |shape: [u64; 2], tag, bytes: Vec<u8>| {
        record("M", move |own| {
            own.tag(Tag::new(40)).unwrap().array(2).unwrap();
            own.array(2)
                .unwrap()
                .u64(shape[0])
                .unwrap()
                .u64(shape[1])
                .unwrap();
            typed(own, tag, &bytes);
        })
    };
    let sparse = |tag, rows: Vec<u8>| {
        record("M", move |own| {
            own.map(4)
                .unwrap()
                .str("shape")
                .unwrap()
                .array(2)
                .unwrap()
                .u8(1)
                .unwrap()
                .u8(1)
                .unwrap();
            own.str("rows").unwrap();
            typed(own, tag, &rows);
            own.str("columns").unwrap();
            typed(own, 64, &[0]);
            own.str("values").unwrap();
            typed(own, 86, &1.0_f64.to_le_bytes());
        })
    };
    let nan = f64::NAN.to_le_bytes().to_vec();
    for (record, words) in [
        (
            dense([1 << 40, 1 << 40], 64, vec![]),
            "M: the shape 1099511627776 x 1099511627776 does not have 0 values",
        ),
        (
            dense([1 << 40, 0], 64, vec![]),
            "M has the shape 1099511627776 x 0, which is not square",
        ),
        (
            dense([2, 1], 64, vec![1, 2]),
            "M has the shape 2 x 1, which is not square",
        ),
        (dense([1, 1], 86, nan), "M[0][0]: \"NaN\" is not finite"),
        (
            dense([1, 1], 86, vec![0; 9]),
            "9 bytes are no whole numbers of 8 bytes",
        ),
        (dense([1, 1], 7, vec![0; 8]), "tag 7: no typed array"),
        (
            sparse(64, vec![0, 0]),
            "M: 2 rows, 1 columns and 1 values: an entry has one of each",
        ),
        (
            sparse(64, vec![7]),
            "M.entries[0] stands at (7, 0), outside the shape 1 x 1",
        ),
        (
            sparse(85, vec![0; 4]),
            "M.rows: floats stand where indices belong",
        ),
        (
            record("M", |own| typed(own, 64, &[1])),
            "M: a vector stands where a matrix belongs",
        ),
        (
            record("q", |own| {
                done(own.tag(Tag::new(2)).unwrap().bytes(&[1]).unwrap())
            }),
            "record \"p\": q: an integer beyond 64 bits; write it as a text",
        ),
        (
            record("q", |own| done(own.bytes(&[1]).unwrap())),
            "bytes without the tag of a typed array",
        ),
        (
            record("name", |own| done(own.str("again").unwrap())),
            "name: the field is given twice",
        ),
        (
            record("blocks", |own| {
                done(own.array(1).unwrap().f64(f64::NAN).unwrap())
            }),
            "blocks[0]: ",
        ),
        (
            item(|own| done(own.array(0).unwrap())),
            "CBOR that is no object",
        ),
        (
            item(|own| done(own.map(1).unwrap().u8(1).unwrap().u8(1).unwrap())),
            "the name of a field is no text",
        ),
        (
            [record("q", |own| typed(own, 64, &[1])), vec![0]].concat(),
            "there is more after the end of the record",
        ),
        (vec![0xbf; 400], "the name of a field is no text"),
        (
            record("notes", |own| {
                for _ in 0..400 {
                    own.array(1).unwrap();
                }
                own.u8(1).unwrap();
            }),
            "more than 128 levels",
        ),
    ] {
        let told = error(&record);
        assert!(told.contains(words), "{told}, not {words}");
    }
    let twice = record("q", |own| typed(own, 64, &[1]));
    let both = [
        &twice[..twice.len() - 1],
        &item(|own| {
            own.str("q").unwrap().array(1).unwrap().u8(1).unwrap();
        })[..],
        &[0xff],
    ]
    .concat();
    assert!(error(&both).contains("q: the field is given twice"));
}

/// Hands on a few bytes at a time.
struct Dripping(io::Cursor<Vec<u8>>, usize);

impl io::Read for Dripping {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = into.len().min(self.1);
        self.0.read(&mut into[..most])
    }
}

fn names(bytes: &[u8], at_once: usize) -> (Vec<String>, Option<String>) {
    let input = Dripping(io::Cursor::new(bytes.to_vec()), at_once);
    let texts = Texts::new("a pipe", Box::new(input));
    let (mut names, mut told) = (Vec::new(), None);
    for read in Records::new(texts, |record| read_problem(record)) {
        match read {
            Ok(located) => {
                names.push(format!("{}:{}", located.line, located.read.record.name()));
                assert!(matches!(located.text, Written::Cbor(_)));
            }
            Err(error @ InputError::Record { .. }) => told = Some(error.to_string()),
            Err(error) => panic!("{error}"),
        }
    }
    (names, told)
}

#[test]
fn a_sequence_is_read_as_it_comes_and_cut_anywhere() {
    let mut stream = item(|own| done(own.tag(Tag::new(55_799)).unwrap()));
    stream.extend(write_problem_cbor(&of_json(
        r#"{"name": "a", "M": [[2]], "q": [-1]}"#,
    )));
    stream.extend(record("notes", |own| {
        // A text in parts.
        own.begin_str()
            .unwrap()
            .str("né")
            .unwrap()
            .str("z")
            .unwrap()
            .end()
            .unwrap();
    }));
    let first = stream.len();
    stream.extend(write_problem_cbor(&of_json(
        r#"{"name": "c", "M": {"shape": [1, 1], "entries": [[0, 0, 3]]}, "q": [-1]}"#,
    )));
    for at_once in [1, 2, 7, 4096] {
        assert_eq!(
            names(&stream, at_once),
            (vec!["1:a".into(), "2:p".into(), "3:c".into()], None)
        );
    }
    for end in first + 1..stream.len() {
        let (read, told) = names(&stream[..end], 5);
        assert_eq!(read, ["1:a", "2:p"]);
        assert_eq!(
            told.unwrap(),
            "a pipe:3: the record ends too early; is the file truncated?"
        );
    }
    let (read, told) = names(
        &[&stream[..first], b"\x1f\x8b".as_slice(), &stream[..first]].concat(),
        4096,
    );
    assert_eq!(read, ["1:a", "2:p"]);
    assert!(told.unwrap().starts_with("a pipe:3: no CBOR at byte 0: "));
}

#[test]
fn text_is_told_from_cbor_by_its_first_byte() {
    for text in ["{", " {", "\n", "\u{feff}{", "[", "é"] {
        assert!(!begins(text.as_bytes()), "{text}");
    }
    for other in [
        &b"\x89PNG"[..],
        b"\x7fELF",
        b"\x1f\x8b",
        b"PK",
        b"\xff\xfe{",
        b"\xd9\x01",
        b"",
    ] {
        assert!(!begins(other), "{other:?}");
    }
    for own in [
        &b"\xa2"[..],
        b"\xbf",
        b"\xb9\x01",
        b"\xd9\xd9\xf7\xa1",
        b"\xd9",
    ] {
        assert!(begins(own), "{own:?}");
    }
}

#[test]
fn a_claim_is_the_same_in_both_forms() {
    for json in [
        r#"{"name": "p", "status": "solved", "z": [0, 1.5, -2e-300], "basis": "010", "method": "m", "pivots": 7, "seconds": 0.25, "message": "x"}"#,
        r#"{"name": "p", "status": "solved", "z": [0, "1/3"]}"#,
        r#"{"name": "p", "status": "unsolvable", "certificate": {"kind": "farkas", "y": [1, 0.5, "2/3"]}}"#,
        r#"{"name": "p", "status": "failed"}"#,
    ] {
        let own: Claim = read_claim(json).unwrap().record;
        let again = read_claim(Encoded::Cbor(&write_claim_cbor(&own))).unwrap();
        assert_eq!(again.record, own);
        assert_eq!(write_claim(&again.record), write_claim(&own));
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 12), name in ".*") {
        let rows: Vec<_> = values.chunks(3).take(3).map(|row| format!("{row:?}")).collect();
        let name = serde_json::to_string(&name).unwrap();
        let json = format!("{{\"name\": {name}, \"M\": [{}], \"q\": {:?}}}", rows.join(","), &values[9..]);
        let own = of_json(&json);
        let again = problem(&write_problem_cbor(&own));
        prop_assert_eq!(write_problem(&again), write_problem(&own));
    }

    #[test]
    fn no_bytes_are_a_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0_usize..200, flip in any::<u8>()) {
        let _ = read_problem(Encoded::Cbor(&bytes));
        let _ = names(&[&[0xa2][..], &bytes].concat(), 3);
        let mut own = write_problem_cbor(&of_json(ALL_FIELDS));
        let at = at % own.len();
        own[at] ^= flip;
        let _ = (read_problem(Encoded::Cbor(&own)), read_claim(Encoded::Cbor(&own)), name_of(Encoded::Cbor(&own)));
        own.truncate(at);
        bytes.extend(own);
        let _ = names(&bytes, 11);
    }
}
