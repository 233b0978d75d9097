//! Formulas in TeX's notation become MathML, when the book is built.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser as Tex, Storage, push_mathml};

/// A formula that cannot be set.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the formula {formula}: {reason}")]
pub struct FormulaError {
    /// Its TeX.
    pub formula: String,
    /// The fault in it.
    pub reason: String,
}

/// A page of Markdown with each `$...$` and `$$...$$` outside of code replaced by MathML.
///
/// # Errors
/// [`FormulaError`] for the first formula that cannot be set.
///
/// ```
/// let page = etalon_book::formulas::to_mathml("Find $z$, not `$z$`.")?;
/// assert!(page.starts_with("Find <math"));
/// assert!(page.ends_with("</math>, not `$z$`."));
/// # Ok::<(), etalon_book::formulas::FormulaError>(())
/// ```
pub fn to_mathml(page: &str) -> Result<String, FormulaError> {
    let mut out = String::with_capacity(2 * page.len());
    let mut done = 0;
    for (formula, range) in formulas(page) {
        out.push_str(&page[done..range.start]);
        out.push_str(&formula.mathml()?);
        done = range.end;
    }
    out.push_str(&page[done..]);
    Ok(out)
}

struct Formula {
    tex: String,
    mode: DisplayMode,
}

fn formulas(page: &str) -> impl Iterator<Item = (Formula, Range<usize>)> {
    let options = Options::ENABLE_MATH | Options::ENABLE_TABLES;
    let events = Parser::new_ext(page, options).into_offset_iter();
    events.filter_map(|(event, range)| {
        let (tex, mode) = match event {
            Event::InlineMath(tex) => (tex, DisplayMode::Inline),
            Event::DisplayMath(tex) => (tex, DisplayMode::Block),
            _ => return None,
        };
        let tex = tex.into_string();
        Some((Formula { tex, mode }, range))
    })
}

impl Formula {
    fn mathml(&self) -> Result<String, FormulaError> {
        let error = |reason: String| FormulaError {
            formula: self.tex.clone(),
            reason,
        };
        let storage = Storage::new();
        let events: Vec<_> = Tex::new(&self.tex, &storage).collect();
        if let Some(Err(wrong)) = events.iter().find(|event| event.is_err()) {
            return Err(error(wrong.to_string()));
        }
        let config = RenderConfig {
            display_mode: self.mode,
            ..RenderConfig::default()
        };
        let mut mathml = String::new();
        push_mathml(&mut mathml, events.into_iter(), config)
            .map_err(|wrong| error(wrong.to_string()))?;
        if let Some(element) = misfit(&mathml) {
            return Err(error(format!(
                "its <{element}> has other parts than it should"
            )));
        }
        let mathml = inert(&mathml);
        Ok(match self.mode {
            DisplayMode::Inline => mathml,
            // A block that scrolls by itself where the page is narrow.
            DisplayMode::Block => format!("<span class=\"formula\" tabindex=\"0\">{mathml}</span>"),
        })
    }
}

/// The first element that has not the number of parts that MathML asks of it. Browsers set such a formula anyhow,
/// and wrongly: `\log_2 n` is one, where `{\log}_2 n` is right.
fn misfit(mathml: &str) -> Option<String> {
    // The open elements, each with the parts that it has so far.
    let mut open: Vec<(&str, usize)> = Vec::new();
    for tag in mathml.split('<').skip(1) {
        let inside = tag.split('>').next().unwrap_or_default();
        let name = inside.split([' ', '/']).find(|part| !part.is_empty())?;
        if inside.starts_with('/') {
            let (name, parts) = open.pop()?;
            if parts_of(name).is_some_and(|wanted| wanted != parts) {
                return Some(name.to_owned());
            }
            continue;
        }
        if let Some((_, parts)) = open.last_mut() {
            *parts += 1;
        }
        if !inside.ends_with('/') {
            open.push((name, 0));
        }
    }
    None
}

/// How many parts an element must have, where that is fixed.
fn parts_of(element: &str) -> Option<usize> {
    match element {
        "mfrac" | "mroot" | "msub" | "msup" | "munder" | "mover" => Some(2),
        "msubsup" | "munderover" => Some(3),
        _ => None,
    }
}

/// The same elements with nothing in their text that Markdown would take for its own: what is
/// between tags is still read as Markdown, and on one line, since a blank one would end the paragraph.
fn inert(mathml: &str) -> String {
    let mut out = String::with_capacity(2 * mathml.len());
    let mut in_tag = false;
    let mut in_reference = false;
    for c in mathml.chars() {
        match c {
            '<' => in_tag = true,
            '&' => in_reference = true,
            _ => {}
        }
        let plain = in_tag || in_reference || !c.is_ascii_punctuation();
        match c {
            '\n' | '\r' => out.push(' '),
            // The sign of millionths, which is never italic, for the letter mu.
            '\u{b5}' => out.push('\u{3bc}'),
            c if plain => out.push(c),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
        match c {
            '>' => in_tag = false,
            ';' => in_reference = false,
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_no_formulas() {
        let page = "`$a$`\n\n    $b$\n\n```sh\necho $c$d\n```\n\nand $ 5 or $6.\n";
        assert_eq!(to_mathml(page).as_deref(), Ok(page));
    }

    #[test]
    fn displayed_formulas_are_blocks() {
        let page = to_mathml("so\n\n$$a\n= b$$\n").unwrap_or_default();
        assert!(page.contains("display=\"block\""), "{page}");
        assert!(page.trim_end().lines().count() == 3, "{page}");
    }

    #[test]
    fn nothing_in_a_formula_is_markdown() {
        let page = to_mathml(r"$a * b * c'_i \le [x](y) |z| \{\,\}$").unwrap_or_default();
        let events: Vec<_> = Parser::new(&page).collect();
        let html = |event: &Event<'_>| matches!(event, Event::InlineHtml(_));
        assert!(events.iter().any(html));
        let other = events.iter().find(|event| {
            matches!(event, Event::Start(tag) if !matches!(tag, pulldown_cmark::Tag::Paragraph))
                || matches!(event, Event::Code(_))
        });
        assert_eq!(other, None, "{page}");
    }

    #[test]
    fn elements_have_the_parts_that_mathml_asks_for() {
        for right in [
            r"$a \log n$",
            r"$a {\log}_2 n$",
            r"$\sum_{i<n} x_i^2$",
            r"$\frac12$",
        ] {
            assert!(to_mathml(right).is_ok(), "{right}");
        }
        assert!(to_mathml(r"$a \log_2 n$").is_err());
        assert_eq!(
            misfit("<math><mfrac><mi>a</mi></mfrac></math>").as_deref(),
            Some("mfrac")
        );
        assert_eq!(
            misfit("<math><msup><mi>a</mi><mspace /></msup></math>"),
            None
        );
    }

    #[test]
    fn a_formula_that_cannot_be_set_is_an_error() {
        let error = to_mathml(r"$\left( 1$").err().map(|error| error.formula);
        assert_eq!(error.as_deref(), Some(r"\left( 1"));
        assert!(to_mathml(r"$\nosuchcommand$").is_err());
    }
}
