// Faults of `crates/fast`, as changes of its text: `build.rs` makes the copy that has them all, each behind a
// switch, and `tests/seeded_bugs.rs` hunts them. Read by both.

/// One fault of a crate.
pub struct Bug {
    /// What the test calls it.
    pub name: &'static str,
    /// The fault.
    #[allow(dead_code, reason = "the build script has no use for it")]
    pub what: &'static str,
    /// The file, under the crate's `src`.
    pub file: &'static str,
    /// What stands there once, the expression to replace between «».
    pub place: &'static str,
    /// What runs in its stead.
    pub wrong: &'static str,
}

const fn bug(
    name: &'static str,
    what: &'static str,
    file: &'static str,
    place: &'static str,
    wrong: &'static str,
) -> Bug {
    Bug {
        name,
        what,
        file,
        place,
        wrong,
    }
}

/// All of them. None is in the walk of small problems: whatever goes wrong there, the self-check refuses and the
/// other methods mend.
pub const BUGS: &[Bug] = &[
    // Lemke's path.
    bug(
        "tie-rule",
        "rows that are no ties count as ties",
        "lemke/mod.rs",
        "«ratio <= reach»",
        "ratio <= reach + 0.5",
    ),
    bug(
        "wrong-row",
        "z0 enters in the row after the right one",
        "lemke/mod.rs",
        "«best.map(|(r, ..)| r)»",
        "best.map(|(r, ..)| (r + 1) % n)",
    ),
    bug(
        "early-stop",
        "the path is left while z0 is basic",
        "lemke/mod.rs",
        "«leaving == z0»",
        "leaving == z0 || meter.pivots > 3",
    ),
    bug(
        "budget",
        "one pivot a row",
        "lemke/mod.rs",
        "«attempt.per_row * n as u64 + attempt.pivots»",
        "n as u64",
    ),
    bug(
        "complement",
        "the variable that left comes back",
        "lemke/mod.rs",
        "«leaving + n»",
        "leaving",
    ),
    bug(
        "sign",
        "the row of the pivot is not negated",
        "lemke/tableau.rs",
        "«-row * inverse»",
        "row * inverse",
    ),
    bug(
        "covering-vector",
        "z0 pushes the rows the wrong way",
        "lemke/tableau.rs",
        "«cover(i)»",
        "-cover(i)",
    ),
    // Block pivoting.
    bug(
        "lower-rows-stay",
        "pulled contacts are not let in",
        "block/exchange.rs",
        "«w < -slack * point.s[i] && lower < upper»",
        "w < -slack * point.s[i] && lower > upper",
    ),
    bug(
        "upper-rows-stay",
        "nothing comes off an upper bound",
        "block/exchange.rs",
        "«w > slack * point.s[i] && lower < upper»",
        "w > slack * point.s[i] && lower > upper",
    ),
    bug(
        "no-refinement",
        "the first step is the last",
        "block/walk.rs",
        "«self.steps > MAX_STEPS»",
        "self.steps > 0",
    ),
    bug(
        "stale-factor",
        "as many rows, the same factor",
        "block/system.rs",
        "«system.factor(rules.kind, lcp, set, shift, places)»",
        "set.len() == self.step.len() || system.factor(rules.kind, lcp, set, shift, places)",
    ),
    bug(
        "pivoting",
        "the first nonzero entry is the pivot",
        "dense/lu.rs",
        "«size > largest»",
        "largest == 0.0 && size > 0.0",
    ),
    bug(
        "triangle",
        "a column factor is lost",
        "dense/ldl.rs",
        "«-x[3] * inverse»",
        "x[3] * inverse",
    ),
    // Dantzig's drive.
    bug(
        "dantzig-side",
        "rows enter on the wrong side",
        "dantzig/mod.rs",
        "Place::Lower => «dw < 0.0»",
        "dw > 0.0",
    ),
    bug(
        "dantzig-stale",
        "the update of rank one is forgotten",
        "dantzig/factor.rs",
        "«d + alpha * v * v»",
        "d",
    ),
    bug(
        "dantzig-overshoot",
        "the drive goes past 0",
        "dantzig/mod.rs",
        "«-point.w[d] / self.dw[d]»",
        "-1.5 * point.w[d] / self.dw[d]",
    ),
    // Bounds and friction.
    bug(
        "friction-sign",
        "a normal force helps its friction the wrong way",
        "reduce.rs",
        "«row[f.normal] -= moved»",
        "row[f.normal] += moved",
    ),
    bug(
        "cone",
        "half the friction",
        "reduce.rs",
        "«row[f.normal] += 2.0 * f.mu»",
        "row[f.normal] += f.mu",
    ),
    bug(
        "upper-bound",
        "taken for the lower one",
        "reduce.rs",
        "«constant += *value * upper»",
        "constant += *value * lower",
    ),
    // Scales.
    bug(
        "units",
        "a power of two is lost on the way back",
        "scale.rs",
        "«z.push(own)»",
        "z.push(2.0 * own)",
    ),
    // The self-check.
    bug(
        "symmetry",
        "any matrix is taken for symmetric",
        "range.rs",
        "(dispatch(Sizes(lcp.m)), «mirrors(lcp.m, n, 0..n, 0..n)»)",
        "true",
    ),
    bug(
        "tolerance",
        "a thousandth will do",
        "tolerances.rs",
        "«(4 * n + 16) as f64 * UNIT»",
        "1e-3 + n as f64 * UNIT",
    ),
    bug(
        "sign-unchecked",
        "w may be negative at a lower bound",
        "point/mod.rs",
        "Place::Lower if w < 0.0 => «-w»",
        "0.0",
    ),
    bug(
        "residual-unchecked",
        "w need not be 0 between the bounds",
        "point/mod.rs",
        "Place::Between => «w.abs()»",
        "0.0",
    ),
    bug(
        "friction-cone-unchecked",
        "friction of any size",
        "point/mod.rs",
        "let limit = «mu * self.z[normal]»;",
        "f64::INFINITY",
    ),
];
