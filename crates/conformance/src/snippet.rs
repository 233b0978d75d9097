//! A problem as lines of a program, to be pasted into a solver's own tests.

use std::fmt;

use etalon_lcp::{Bound, Number, Problem, format_f64};
use rug::Rational;

/// The languages that there are snippets of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Arrays of `f64`.
    Rust,
    /// Arrays of `double`.
    Cpp,
    /// Lists.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rust, Self::Cpp, Self::Python];

    /// The name that Markdown knows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Cpp => "cpp",
            Self::Python => "python",
        }
    }

    fn brackets(self) -> (char, char) {
        match self {
            Self::Cpp => ('{', '}'),
            _ => ('[', ']'),
        }
    }

    fn comment(self) -> &'static str {
        match self {
            Self::Python => "#",
            _ => "//",
        }
    }

    fn infinity(self) -> &'static str {
        match self {
            Self::Rust => "f64::INFINITY",
            Self::Cpp => "INFINITY",
            Self::Python => "float(\"inf\")",
        }
    }

    fn array(self, items: impl Iterator<Item = String>) -> String {
        let (open, close) = self.brackets();
        format!("{open}{}{close}", items.collect::<Vec<_>>().join(", "))
    }

    fn declare(self, name: &str, shape: &[usize], value: &str) -> String {
        match self {
            Self::Python => format!("{name} = {value}"),
            Self::Rust => {
                let of = |inner: String, n: &usize| format!("[{inner}; {n}]");
                let kind = shape.iter().rev().fold("f64".to_owned(), of);
                format!("let {name}: {kind} = {value};")
            }
            Self::Cpp => {
                let sizes: String = shape.iter().map(|n| format!("[{n}]")).collect();
                format!("const double {name}{sizes} = {value};")
            }
        }
    }

    fn float(self, value: &Number) -> String {
        let value = format_f64(value.to_f64());
        if value.contains(['.', 'e']) {
            return value;
        }
        format!("{value}.0")
    }

    fn bound(self, bound: &Bound) -> String {
        match bound {
            Bound::NegativeInfinity => format!("-{}", self.infinity()),
            Bound::Finite(value) => self.float(value),
            Bound::Infinity => self.infinity().to_owned(),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// M, q, and where they are bounds and friction rows, with the exact answer as a comment; `None` for a
/// problem that has no solution.
pub fn snippet(language: Language, problem: &Problem, solution: Option<&[Rational]>) -> String {
    let n = problem.n();
    let zero = Number::from(0);
    let row = |i: usize| {
        let entries = (0..n).map(|j| language.float(problem.m().get(i, j).unwrap_or(&zero)));
        language.array(entries)
    };
    let numbers = |values: &[Number]| language.array(values.iter().map(|v| language.float(v)));
    let mut lines = vec![
        format!("{} w = Mz + q, z >= 0, w >= 0, z'w = 0", language.comment()),
        language.declare("M", &[n, n], &language.array((0..n).map(row))),
        language.declare("q", &[n], &numbers(problem.q())),
    ];
    for (name, bounds) in [("lower", problem.lower()), ("upper", problem.upper())] {
        if let Some(bounds) = bounds {
            let bounds = language.array(bounds.iter().map(|bound| language.bound(bound)));
            lines.push(language.declare(name, &[n], &bounds));
        }
    }
    for cone in problem.cones() {
        let rows: Vec<_> = cone.rows().map(|row| row.to_string()).collect();
        lines.push(format!(
            "{} rows {} are in a friction cone ({})",
            language.comment(),
            rows.join(", "),
            cone.law.word()
        ));
    }
    for friction in problem.friction() {
        lines.push(format!(
            "{} |z[{}]| <= {} z[{}] in place of its bounds",
            language.comment(),
            friction.row,
            friction.mu,
            friction.normal
        ));
    }
    let answer = match solution {
        Some(z) => {
            let z: Vec<_> = z.iter().map(ToString::to_string).collect();
            format!("an exact solution: z = ({})", z.join(", "))
        }
        None => "there is no solution".to_owned(),
    };
    lines.push(format!("{} {answer}", language.comment()));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::record::read_problem;

    #[test]
    fn snippets_are_what_their_languages_read() {
        let record =
            r#"{"name": "p", "M": [[2, -0.5], [0, 1]], "q": [-1, 1], "upper": [3, "inf"]}"#;
        let problem = read_problem(record).unwrap().record;
        let z = [Rational::from((1, 2)), Rational::new()];
        let text = |language| snippet(language, &problem, Some(&z));
        assert_eq!(
            text(Language::Rust),
            "// w = Mz + q, z >= 0, w >= 0, z'w = 0\nlet M: [[f64; 2]; 2] = [[2.0, -0.5], [0.0, 1.0]];\nlet q: [f64; 2] = [-1.0, 1.0];\nlet upper: [f64; 2] = [3.0, f64::INFINITY];\n// an exact solution: z = (1/2, 0)"
        );
        assert!(text(Language::Cpp).contains("const double M[2][2] = {{2.0, -0.5}, {0.0, 1.0}};"));
        assert!(text(Language::Python).contains("upper = [3.0, float(\"inf\")]"));
        assert!(snippet(Language::Cpp, &problem, None).ends_with("// there is no solution"));
    }
}
