//! Problems as people read them: M, q, bounds and friction.

use etalon_lcp::{Bound, Cone, Disc, Mu, Number, Problem, format_f64};

/// Rows and columns that are shown of a larger problem, on each side of what is left out.
const SIDE: usize = 4;

/// A number of more characters is rounded to six digits where lines are short.
const LONG: usize = 9;

/// M and q as they are; bounds and friction below.
pub fn whole_system(problem: &Problem) -> String {
    let all: Vec<_> = (0..problem.n()).map(Some).collect();
    matrix(problem, &all, &exact) + &limits(problem)
}

/// M and q in lines of at most so many characters, with what is missing marked by dots and long numbers rounded; bounds and
/// friction below. A problem is shown whole where it fits.
pub fn system(problem: &Problem, width: usize) -> String {
    let n = problem.n();
    let whole = matrix(problem, &(0..n).map(Some).collect::<Vec<_>>(), &rounded);
    let fits = |text: &str| text.lines().all(|line| line.chars().count() <= width);
    let is_whole = n <= 2 || n <= width / 2 && fits(&whole);
    let text = if is_whole {
        whole
    } else {
        // Fewer columns until they fit; one on each side is always shown.
        let mut side = SIDE.min((n - 1) / 2).max(1);
        loop {
            let ends = (0..side).map(Some).chain([None]);
            let shown: Vec<_> = ends.chain((n - side..n).map(Some)).collect();
            let text = matrix(problem, &shown, &rounded);
            if side == 1 || fits(&text) {
                break text;
            }
            side -= 1;
        }
    };
    text + &limits(problem)
}

/// Bounds and friction rows, the first and the last where there are many.
fn limits(problem: &Problem) -> String {
    let mut text = String::new();
    for (name, bounds) in [("lower", problem.lower()), ("upper", problem.upper())] {
        if let Some(bounds) = bounds {
            text += &format!("\n  {name} = ({})", some(bounds.iter().map(bound)));
        }
    }
    let friction = problem.friction();
    for f in friction.iter().take(2 * SIDE) {
        text += &format!("\n  |z_{}| <= {} z_{}", f.row, f.mu, f.normal);
    }
    if let Some(more) = friction
        .len()
        .checked_sub(2 * SIDE)
        .filter(|more| *more > 0)
    {
        text += &format!("\n  and {more} more friction rows");
    }
    let cones = problem.cones();
    for cone in cones.iter().take(2 * SIDE) {
        text += &format!("\n  {}", contact(cone));
    }
    if cones.len() > 2 * SIDE {
        text += &format!("\n  and {} more friction cones", cones.len() - 2 * SIDE);
    }
    text
}

/// A friction cone: `|(z_1, z_2)| <= 1/2 z_0, convex`.
fn contact(cone: &Cone) -> String {
    let normal = cone.normal;
    let disc = |disc: &Disc| {
        let shown = |k: usize, row: &usize| match &disc.mu {
            Mu::One(_) => format!("z_{row}"),
            Mu::Each(each) => format!("z_{row} / {}", each[k]),
        };
        let rows: Vec<_> = (disc.rows.iter().enumerate())
            .map(|(k, row)| shown(k, row))
            .collect();
        let mu = match &disc.mu {
            Mu::One(mu) => format!("{mu} "),
            Mu::Each(_) => String::new(),
        };
        format!("|({})| <= {mu}z_{normal}", rows.join(", "))
    };
    let mut parts: Vec<_> = cone.discs.iter().map(disc).collect();
    if parts.is_empty() {
        parts.push(format!("z_{normal} >= 0"));
    }
    format!("{} ({})", parts.join(", "), cone.law.word())
}

/// The first and the last of many.
pub fn some(values: impl Iterator<Item = String>) -> String {
    let mut values: Vec<_> = values.collect();
    if values.len() > 4 * SIDE {
        let count = values.len() - 2 * SIDE;
        values.splice(SIDE..SIDE + count, [format!("... {count} more ...")]);
    }
    values.join(", ")
}

/// The rows and columns with these indices; none stands for those that are left out.
fn matrix(problem: &Problem, shown: &[Option<usize>], show: &dyn Fn(&Number) -> String) -> String {
    let zero = Number::from(0);
    let entry = |i: usize, j: usize| show(problem.m().get(i, j).unwrap_or(&zero));
    let cell = |i: Option<usize>, j: Option<usize>| match (i, j) {
        (Some(i), Some(j)) => entry(i, j),
        (None, None) => String::new(),
        _ => "...".to_owned(),
    };
    let q = |i: &Option<usize>| i.map_or("...".to_owned(), |i| show(&problem.q()[i]));
    let row = |i: &Option<usize>| shown.iter().map(|j| cell(*i, *j)).collect::<Vec<_>>();
    let cells: Vec<_> = shown.iter().map(row).collect();
    let width = cells.iter().flatten().map(String::len).max().unwrap_or(1);
    let lines = cells.iter().zip(shown).enumerate().map(|(at, (row, i))| {
        let row: Vec<_> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
        let [m, vector] = if at == 0 {
            ["M =", "  q ="]
        } else {
            ["   ", "     "]
        };
        format!("  {m} | {} |{vector} | {} |", row.join(" "), q(i))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn exact(value: &Number) -> String {
    format_f64(value.to_f64())
}

/// A number as it is where that is short, else its first six digits.
pub fn rounded(value: &Number) -> String {
    let text = exact(value);
    let six = format!("{:.5e}", value.to_f64()).parse();
    six.map_or(text.clone(), |six| match text.len() > LONG {
        true => format_f64(six),
        false => text,
    })
}

fn bound(bound: &Bound) -> String {
    match bound {
        Bound::NegativeInfinity => "-inf".to_owned(),
        Bound::Finite(value) => format_f64(value.to_f64()),
        Bound::Infinity => "inf".to_owned(),
    }
}
