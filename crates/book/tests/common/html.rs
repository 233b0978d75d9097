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
    /// What a browser fetches to show the page: scripts, styles, pictures, fonts, frames.
    pub resources: Vec<String>,
    /// The text of its styles, in elements and in attributes.
    pub styles: Vec<String>,
    /// The classes of its elements.
    pub classes: BTreeSet<String>,
    /// What its policy says of requests.
    pub policy: Option<String>,
    /// The ids of its elements.
    pub anchors: BTreeSet<String>,
    /// Text outside of code.
    pub prose: Vec<String>,
    /// Text inside of code, scripts apart.
    pub code: Vec<String>,
    /// Elements `math`.
    pub formulas: usize,
}

#[derive(Default)]
struct Reader {
    page: RefCell<Page>,
    /// How many elements are open whose text is no prose.
    code: Cell<usize>,
    /// Whether the text is that of a style.
    style: Cell<bool>,
    /// Whether the text is that of a script.
    script: Cell<bool>,
}

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => return self.tag(&tag),
            Token::CharacterTokens(text) if self.style.get() => {
                self.page.borrow_mut().styles.push(text.to_string());
            }
            Token::CharacterTokens(text) if self.code.get() > 0 && !self.script.get() => {
                self.page.borrow_mut().code.push(text.to_string());
            }
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
        self.script
            .set(name == "script" && tag.kind == TagKind::StartTag);
        self.style
            .set(name == "style" && tag.kind == TagKind::StartTag);
        if tag.kind == TagKind::EndTag {
            return TokenSinkResult::Continue;
        }
        let mut page = self.page.borrow_mut();
        page.formulas += usize::from(name == "math");
        page.policy = page.policy.take().or_else(|| policy(tag));
        for attribute in &tag.attrs {
            let value = attribute.value.to_string();
            match (name, &*attribute.name.local) {
                (_, "id") => drop(page.anchors.insert(value)),
                (_, "style") => page.styles.push(value),
                (_, "class") => page
                    .classes
                    .extend(value.split_whitespace().map(str::to_owned)),
                ("a" | "area", "href") => page.links.push(value),
                ("img", "src") => {
                    page.links.push(value.clone());
                    page.resources.push(value);
                }
                // A list of pictures, each with its size.
                (_, "srcset") => page.resources.extend(value.split(',').map(first_word)),
                // Fetched, shown or sent without a reader's click, or changing where all addresses lead.
                (
                    _,
                    "src" | "href" | "poster" | "data" | "background" | "ping" | "action"
                    | "formaction",
                ) => page.resources.push(value),
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

fn first_word(text: &str) -> String {
    text.split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The policy that an element states.
fn policy(tag: &Tag) -> Option<String> {
    let value = |name: &str| {
        let found = tag.attrs.iter().find(|own| &*own.name.local == name)?;
        Some(found.value.to_string())
    };
    let stated = &*tag.name == "meta" && value("http-equiv")? == "Content-Security-Policy";
    stated.then(|| value("content"))?
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
