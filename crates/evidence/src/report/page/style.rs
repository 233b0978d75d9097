//! The style: one sheet, light and dark, and the colours of plots by the attributes that the
//! drawing library writes.

use std::fmt::Write;

use crate::ink::{COLORS, DASHES, hex, quarter};

const SHEET: &str = include_str!("style.css");

/// The colours of lines on dark paper, in the order of [`COLORS`].
const DARK: [&str; COLORS.len()] = [
    "#6db3ff", "#ff9d5c", "#4fd1a5", "#e08ad0", "#e69f00", "#d0d6df", "#55cfe6", "#f0e442",
];

pub fn css() -> String {
    let mut text = String::from(SHEET);
    let (mut light, mut dark) = (String::new(), String::new());
    for k in 0..COLORS.len() {
        let color = hex(k);
        let _ = write!(light, "--s{k}:{color};");
        let _ = write!(dark, "--s{k}:{};", DARK[k]);
        let dash = DASHES[k];
        let _ = write!(
            text,
            ".plot [stroke=\"{color}\"],.swatch .s{k}{{stroke:var(--s{k})}}.plot [fill=\"{color}\"]{{fill:var(--s{k})}}.plot polyline[stroke=\"{color}\"]{{stroke-dasharray:{dash}}}.swatch .s{k}{{stroke-dasharray:{}}}",
            quarter(dash)
        );
    }
    let _ = write!(
        text,
        ":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.2).
    fn luminance(color: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The value of a variable in the light and in the dark sheet.
    fn both(name: &str) -> [String; 2] {
        let marker = format!("--{name}:");
        let mut found = SHEET.match_indices(&marker);
        let mut next = || {
            let at = found.next().unwrap().0 + marker.len();
            SHEET[at..at + 7].to_owned()
        };
        [next(), next()]
    }

    #[test]
    fn text_and_lines_stand_out_from_their_paper() {
        let (paper, card) = (both("paper"), both("card"));
        for name in ["ink", "soft", "link", "good", "bad", "warn"] {
            let ink = both(name);
            for k in 0..2 {
                for ground in [&paper[k], &card[k]] {
                    assert!(
                        contrast(&ink[k], ground) >= 4.5,
                        "{name}: {} on {ground}",
                        ink[k]
                    );
                }
            }
        }
        for (k, (r, g, b)) in COLORS.into_iter().enumerate() {
            let light = format!("#{r:02x}{g:02x}{b:02x}");
            assert!(contrast(&light, &card[0]) >= 3.0, "{light}");
            assert!(contrast(DARK[k], &card[1]) >= 3.0, "{}", DARK[k]);
        }
    }

    #[test]
    fn the_sheet_fetches_nothing() {
        let css = css();
        assert!(!css.contains("url(") && !css.contains("@import") && !css.contains("//"));
        assert!(css.contains(".plot [stroke=\"#0072B2\"]"));
    }
}
