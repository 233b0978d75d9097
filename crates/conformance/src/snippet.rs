//! A problem as lines of a program, to be pasted into a solver's own tests.

use std::fmt;

use etalon_lcp::{Bound, Cone, Number, Problem, format_f64};

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

/// The discs of a cone, each with its rows and coefficients.
fn discs(cone: &Cone) -> Vec<String> {
    let law = cone.law.word();
    if cone.discs.is_empty() {
        return vec![format!("row {} is a contact without friction", cone.normal)];
    }
    let disc = |disc: &etalon_lcp::Disc| {
        let with = |(k, row): (usize, &usize)| format!("z[{row}] / ({})", disc.mu.of(k));
        let rows: Vec<_> = disc.rows.iter().enumerate().map(with).collect();
        format!(
            "friction cone ({law}): |({})| <= z[{}]",
            rows.join(", "),
            cone.normal
        )
    };
    cone.discs.iter().map(disc).collect()
}

/// M, q, and where they are bounds, friction rows and friction cones. Comments say the law and, in the last line, what
/// is known of the `answer`.
pub fn snippet(language: Language, problem: &Problem, answer: &str) -> String {
    let n = problem.n();
    let zero = Number::from(0);
    let row = |i: usize| {
        let entries = (0..n).map(|j| language.float(problem.m().get(i, j).unwrap_or(&zero)));
        language.array(entries)
    };
    let numbers = |values: &[Number]| language.array(values.iter().map(|v| language.float(v)));
    let law = match problem.cones() {
        [] => "w = Mz + q, z >= 0, w >= 0, z'w = 0",
        _ => "w = Mz + q; z >= 0, w >= 0, z'w = 0 on rows without a friction cone",
    };
    let mut lines = vec![
        format!("{} {law}", language.comment()),
        language.declare("M", &[n, n], &language.array((0..n).map(row))),
        language.declare("q", &[n], &numbers(problem.q())),
    ];
    for (name, bounds) in [("lower", problem.lower()), ("upper", problem.upper())] {
        if let Some(bounds) = bounds {
            let bounds = language.array(bounds.iter().map(|bound| language.bound(bound)));
            lines.push(language.declare(name, &[n], &bounds));
        }
    }
    let contacts = problem.cones().iter().flat_map(discs);
    lines.extend(contacts.map(|text| format!("{} {text}", language.comment())));
    for friction in problem.friction() {
        lines.push(format!(
            "{} |z[{}]| <= {} z[{}] in place of its bounds",
            language.comment(),
            friction.row,
            friction.mu,
            friction.normal
        ));
    }
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
        let answer = "an exact solution: z = (1/2, 0)";
        let text = |language| snippet(language, &problem, answer);
        assert_eq!(
            text(Language::Rust),
            "// w = Mz + q, z >= 0, w >= 0, z'w = 0\nlet M: [[f64; 2]; 2] = [[2.0, -0.5], [0.0, 1.0]];\nlet q: [f64; 2] = [-1.0, 1.0];\nlet upper: [f64; 2] = [3.0, f64::INFINITY];\n// an exact solution: z = (1/2, 0)"
        );
        assert!(text(Language::Cpp).contains("const double M[2][2] = {{2.0, -0.5}, {0.0, 1.0}};"));
        assert!(text(Language::Python).contains("upper = [3.0, float(\"inf\")]"));
    }

    #[test]
    fn cones_are_said_with_their_coefficients() {
        let record = r#"{"name": "p", "M": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]], "q": [1,2,3,4],
            "cones": [{"rows": [0, 1, 2], "mu": ["1/2", 3], "law": "convex"}, {"normal": 3, "discs": []}]}"#;
        let problem = read_problem(record).unwrap().record;
        let text = snippet(Language::Python, &problem, "nothing is known of it");
        let said: Vec<_> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(
            said,
            [
                "# w = Mz + q; z >= 0, w >= 0, z'w = 0 on rows without a friction cone",
                "# friction cone (convex): |(z[1] / (1/2), z[2] / (3))| <= z[0]",
                "# row 3 is a contact without friction",
                "# nothing is known of it",
            ]
        );
    }
}
