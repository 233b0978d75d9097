//! What a notebook shows of a problem and of a verdict: small tables. All text is escaped, since names and reasons
//! come from files.

use etalon::lcp::{Number, Problem, Row, short_text};

use crate::claim::entry;

/// The most rows and columns of M that are shown: what fits a notebook's page.
const SHOWN: usize = 10;

/// Text with the five characters that HTML or an attribute takes for its own.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A table of names and values under a title.
pub fn pairs(title: &str, rows: &[(&str, String)]) -> String {
    let rows = rows.iter().map(|(name, value)| {
        let (name, value) = (escape(name), escape(value));
        format!("<tr><th style=\"text-align: left\">{name}</th><td style=\"text-align: left\">{value}</td></tr>")
    });
    table(title, &rows.collect::<String>())
}

/// M, q and, where there are any, bounds, of the first rows and columns.
pub fn problem(problem: &Problem) -> String {
    let n = problem.n();
    let shown = n.min(SHOWN);
    let columns = (0..shown).map(|j| format!("M<sub>{j}</sub>"));
    let more = (n > shown).then(|| "...".to_owned());
    let bounded = !problem.is_pure();
    let mut heads: Vec<_> = ["row".to_owned()].into_iter().chain(columns).collect();
    heads.extend(more.clone());
    heads.push("q".to_owned());
    heads.extend(bounded.then(|| "z".to_owned()));
    let mut rows = line("th", &heads);
    for (i, limits) in problem.rows().iter().enumerate().take(shown) {
        let mut entries = vec!["0".to_owned(); shown];
        let inside = problem.m().row(i).filter(|(j, _)| *j < shown);
        inside.for_each(|(j, value)| entries[j] = brief(value));
        let mut cells: Vec<_> = [i.to_string()].into_iter().chain(entries).collect();
        cells.extend(more.clone());
        cells.push(brief(&problem.q()[i]));
        cells.extend(bounded.then(|| escape(&condition(limits))));
        rows += &line("td", &cells);
    }
    if n > shown {
        rows += &line("td", &vec!["...".to_owned(); heads.len()]);
    }
    let plural = if n == 1 { "" } else { "s" };
    table(&format!("{}: {n} row{plural}", problem.name()), &rows)
}

/// A number as people read it: exact where that is short, else with four digits.
fn brief(value: &Number) -> String {
    escape(&short_text(&value.to_rational()))
}

/// What bounds the unknown of a row.
fn condition(row: &Row<'_>) -> String {
    let of = |value: &Number| entry(value, true);
    match row {
        Row::Nonnegative => "z >= 0".to_owned(),
        Row::AtLeast(low) => format!("z >= {}", of(low)),
        Row::AtMost(high) => format!("z <= {}", of(high)),
        Row::Between(low, high) => format!("{} <= z <= {}", of(low), of(high)),
        Row::Free => "free".to_owned(),
        Row::Cone => "in a friction cone".to_owned(),
        Row::Friction { normal, mu } => format!("|z| <= {} z_{normal}", of(mu)),
    }
}

/// A row of cells, whose text is HTML already.
fn line(cell: &str, texts: &[String]) -> String {
    let cells = texts.iter().map(|text| format!("<{cell}>{text}</{cell}>"));
    format!("<tr>{}</tr>", cells.collect::<String>())
}

fn table(title: &str, rows: &str) -> String {
    let caption = format!(
        "<caption style=\"text-align: left\"><b>{}</b></caption>",
        escape(title)
    );
    format!("<table>{caption}<tbody>{rows}</tbody></table>")
}
