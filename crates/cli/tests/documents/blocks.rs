//! The blocks of code on a page of Markdown.

use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A block of code.
pub struct Block {
    /// Its page, in the repository.
    pub page: PathBuf,
    /// The line where it begins, from 1.
    pub line: usize,
    /// The language that it is marked with; `indented` where it is marked by four spaces.
    pub language: String,
    pub text: String,
    /// What stands in a remark on the line before it.
    remark: Option<String>,
}

impl Block {
    /// The rest of the remark, where it begins with this word.
    pub fn remark(&self, word: &str) -> Option<&str> {
        let rest = self.remark.as_ref()?.strip_prefix(word)?;
        Some(rest.trim_start_matches(':').trim())
    }
}

pub fn blocks(page: &Path, text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut inside = false;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                inside = true;
                let before = &text[..range.start];
                found.push(Block {
                    page: page.to_owned(),
                    line: before.matches('\n').count() + 1,
                    language: match kind {
                        CodeBlockKind::Fenced(language) => language.to_string(),
                        CodeBlockKind::Indented => "indented".to_owned(),
                    },
                    text: String::new(),
                    remark: remark(before),
                });
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(code) if inside => {
                if let Some(block) = found.last_mut() {
                    block.text.push_str(&code);
                }
            }
            _ => {}
        }
    }
    found
}

/// The remark that the text ends with.
fn remark(before: &str) -> Option<String> {
    let last = before.trim_end().lines().last()?;
    let inner = last.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    Some(inner.trim().to_owned())
}
