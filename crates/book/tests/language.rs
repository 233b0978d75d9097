//! The pages stay readable: no sentence of prose has more than 40 words.
//!
//! The style of the book asks for at most 30 words where no reason speaks for more. 40 is chosen as the limit of the
//! test, so that a sentence with a list in it may stay. A colon or a semicolon ends a sentence here as a full stop
//! does: a reader can pause there.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod common;

use common::root;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The largest number of words of a sentence.
const WORDS: usize = 40;

/// `etalon scoreboard` writes this page from the adapters' own descriptions.
const GENERATED: &str = "scoreboard.md";

/// Pages of proofs that still have sentences over the limit, with the number of them, which may only fall.
const OPEN: [(&str, usize); 3] = [
    ("measure.md", 5),
    ("mutation-testing.md", 2),
    ("trusted-base.md", 1),
];

/// The paragraphs, items and headings of a page. Code and formulas count as one word; blocks of code, quoted
/// formulas, tables, HTML and the addresses of links do not count.
fn paragraphs(page: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut skipped = 0;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_MATH) {
        let last = paragraphs.last_mut().unwrap();
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::BlockQuote(_) | Tag::Table(_)) => skipped += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::BlockQuote(_) | TagEnd::Table) => skipped -= 1,
            Event::Start(Tag::Paragraph | Tag::Item | Tag::Heading { .. } | Tag::List(_))
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_))
            | Event::DisplayMath(_) => paragraphs.push(String::new()),
            _ if skipped > 0 => {}
            Event::Text(text) => last.push_str(&text),
            Event::Code(_) | Event::InlineMath(_) => last.push('X'),
            Event::SoftBreak | Event::HardBreak => last.push(' '),
            _ => {}
        }
    }
    paragraphs
}

/// The sentences of a page with more than [`WORDS`] words.
fn long_sentences(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let paragraphs = paragraphs(page);
    for paragraph in &paragraphs {
        let mut sentence = Vec::new();
        for word in paragraph.split_whitespace() {
            sentence.push(word);
            let end = word.trim_end_matches([')', '"', '*', '\'']);
            if end.ends_with(['.', ':', ';', '?', '!']) {
                found.push(std::mem::take(&mut sentence));
            }
        }
        found.push(sentence);
    }
    let long = found.into_iter().filter(|words| words.len() > WORDS);
    long.map(|words| format!("{} words: {}", words.len(), words.join(" ")))
        .collect()
}

#[test]
fn no_sentence_of_the_book_has_more_than_40_words() {
    let mut pages = vec![root().join("README.md")];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let markdown = path.extension().is_some_and(|own| own == "md");
        if markdown && !path.ends_with(GENERATED) {
            pages.push(path);
        }
    }
    assert!(pages.len() > 40, "{} pages", pages.len());
    pages.sort();
    let mut found = Vec::new();
    for path in pages {
        let page = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let open = OPEN.iter().find(|(page, _)| *page == name);
        let long = long_sentences(&page);
        if long.len() > open.map_or(0, |(_, count)| *count) {
            found.extend(long.iter().map(|sentence| format!("{name}: {sentence}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn words_are_counted_in_prose_alone() {
    let prose = |words: usize| format!("{}end.", "word ".repeat(words - 1));
    assert_eq!(long_sentences(&prose(WORDS)), Vec::<String>::new());
    assert_eq!(long_sentences(&prose(WORDS + 1)).len(), 1);
    let item = format!("* {}\n* {}", prose(WORDS + 1), prose(WORDS));
    assert_eq!(long_sentences(&item).len(), 1);
    let two = format!("{} {}", prose(WORDS), prose(WORDS));
    let table = format!("| a |\n|---|\n| {} |", prose(99));
    let code = format!("```text\n{}\n```", prose(99));
    let quote = format!("> {}", prose(99));
    let span = format!("{} `{}` $a b c$ end.", "word ".repeat(30), prose(99));
    let link = format!("{} [to](a.md \"{}\").", "word ".repeat(30), prose(99));
    for page in [two, table, code, quote, span, link] {
        assert_eq!(long_sentences(&page), Vec::<String>::new(), "{page}");
    }
}
