//! Figures: a plot with its caption, its legend, a text in its place for those who cannot see it,
//! and its data as a table.

use maud::{Markup, PreEscaped, html};

use super::compact::compact;
use super::ids::Ids;
use super::table::Table;
use crate::plot::{Line, PlotError, PlotFrame, Shape, Unit, part};

/// What a figure is made of.
pub struct Figure<'a> {
    pub frame: PlotFrame<'a>,
    pub lines: &'a [Line],
    /// The colour of each line; without any, in turn.
    pub colors: &'a [usize],
    pub unit: Unit,
    /// What is behind the lines of a plan.
    pub shapes: &'a [Shape],
    /// What is to be seen, in words.
    pub text: String,
    /// The numbers.
    pub data: Option<Table>,
}

/// A plot has at most so many lines, which is how many colours there are.
pub const LINES: usize = crate::plot::COLORS.len();

impl Figure<'_> {
    pub fn show(&self, ids: &Ids) -> Result<Markup, PlotError> {
        let in_turn: Vec<usize> = (0..self.lines.len()).collect();
        let colors = if self.colors.is_empty() {
            &in_turn
        } else {
            self.colors
        };
        let (inside, (width, height)) =
            part(&self.frame, self.lines, colors, self.unit, self.shapes)?;
        let (title, text) = (ids.next(), ids.next());
        let frame = &self.frame;
        Ok(html! {
            figure {
                figcaption { (frame.title) }
                svg.plot viewBox={ "0 0 " (width) " " (height) } role="img"
                    aria-labelledby={ (title) " " (text) } {
                    title id=(title) { (frame.title) }
                    desc id=(text) { (frame.y) " against " (frame.x) ". " (self.text) }
                    (PreEscaped(compact(&inside)))
                }
                @if self.lines.len() > 1 || self.lines.iter().any(|l| !l.name.is_empty()) {
                    ul.legend {
                        @for (color, line) in colors.iter().zip(self.lines) {
                            @if !line.name.is_empty() { li { (swatch(*color)) (line.name) } }
                        }
                    }
                }
                @if let Some(data) = &self.data {
                    details { summary { "Numbers" } (data.show(ids)) }
                }
            }
        })
    }
}

/// The line of a legend.
fn swatch(k: usize) -> Markup {
    html! {
        svg.swatch viewBox="0 0 28 8" aria-hidden="true" focusable="false" {
            line class={ "s" (k % LINES) } x1="0" y1="4" x2="28" y2="4" {}
        }
    }
}
