//! The links of an HTML page, and the anchors on it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// A page, as far as the tests look at it.
#[derive(Debug, Default)]
pub struct Page {
    /// Where its links go.
    pub links: Vec<String>,
    /// Scripts, styles and pictures.
    pub resources: Vec<String>,
    /// The ids of its elements.
    pub anchors: BTreeSet<String>,
    /// Text outside of code.
    pub prose: Vec<String>,
    /// Elements `math`.
    pub formulas: usize,
}

#[derive(Default)]
struct Reader {
    page: RefCell<Page>,
    /// How many elements are open whose text is no prose.
    code: Cell<usize>,
}

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => return self.tag(&tag),
            Token::CharacterTokens(text) if self.code.get() == 0 => {
                self.page.borrow_mut().prose.push(text.to_string());
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Reader {
    fn tag(&self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        if matches!(name, "code" | "pre" | "script" | "style" | "title") && !tag.self_closing {
            let open = self.code.get();
            self.code.set(match tag.kind {
                TagKind::StartTag => open + 1,
                TagKind::EndTag => open.saturating_sub(1),
            });
        }
        if tag.kind == TagKind::EndTag {
            return TokenSinkResult::Continue;
        }
        let mut page = self.page.borrow_mut();
        page.formulas += usize::from(name == "math");
        for attribute in &tag.attrs {
            let value = attribute.value.to_string();
            match (name, &*attribute.name.local) {
                (_, "id") => drop(page.anchors.insert(value)),
                ("a", "href") => page.links.push(value),
                ("img", "src") => {
                    page.links.push(value.clone());
                    page.resources.push(value);
                }
                ("script" | "iframe", "src") | ("link", "href") => page.resources.push(value),
                _ => {}
            }
        }
        match name {
            "script" => TokenSinkResult::RawData(html5ever::tokenizer::states::ScriptData),
            "style" => TokenSinkResult::RawData(html5ever::tokenizer::states::Rawtext),
            _ => TokenSinkResult::Continue,
        }
    }
}

/// Reads a page.
pub fn read_page(path: &Path) -> Page {
    let text = std::fs::read_to_string(path).unwrap();
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let tokenizer = Tokenizer::new(Reader::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.page.into_inner()
}
