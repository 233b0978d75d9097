//! The protocol of etalon-claim/1 for a solver under test: reads problem lines, answers each with a claim line.

use std::io::{BufRead, Write};
use std::time::Instant;

use serde_json::{Value, json};

/// A problem: find z with lower <= z <= upper where w = Mz + q is at least 0 off the upper bound and at most 0 off the lower
/// one.
#[derive(Debug, Clone)]
#[allow(dead_code)] // a solver reads what it can do
pub struct Lcp {
    /// M, n rows of n entries.
    pub m: Vec<Vec<f64>>,
    /// q, n entries.
    pub q: Vec<f64>,
    /// n lower bounds; 0 unless given.
    pub lower: Vec<f64>,
    /// n upper bounds; infinity unless given.
    pub upper: Vec<f64>,
    /// Of a friction row i the row j of its normal force: |z_i| <= upper[i] z_j, and lower[i] = -upper[i].
    pub normal: Vec<Option<usize>>,
}

/// Answers each problem of standard input. `can` says what the solver can do, as the option `--can` of `etalon diff` would; `solve` gives
/// z, or `None` where it gives up.
pub fn serve(
    name: &str,
    can: &[&str],
    solve: impl Fn(&Lcp) -> Option<Vec<f64>>,
) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"format": "etalon-solver/1", "can": can}))?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        let problem: Value = serde_json::from_str(&line?)?;
        let fields = json!({"format": "etalon-claim/1", "name": problem["name"], "method": name});
        let mut claim = fields.as_object().cloned().unwrap_or_default();
        let lcp = read(&problem);
        let start = Instant::now();
        let z = lcp.as_ref().and_then(&solve);
        claim.insert("seconds".into(), json!(start.elapsed().as_secs_f64()));
        match z {
            // A number that is not finite becomes null here, which no claim may have: it is reported as such.
            Some(z) => {
                claim.insert("status".into(), json!("solved"));
                claim.insert("z".into(), json!(z));
            }
            None => {
                claim.insert("status".into(), json!("failed"));
            }
        }
        writeln!(out, "{}", Value::Object(claim))?;
        out.flush()?;
    }
    Ok(())
}

/// The problem of a record; `None` where it is none.
fn read(problem: &Value) -> Option<Lcp> {
    let m: Vec<_> = problem["M"].as_array()?.iter().map(numbers).collect::<Option<_>>()?;
    let q = numbers(&problem["q"])?;
    let n = q.len();
    let bounds = |field: &str, value: f64| match &problem[field] {
        Value::Null => Some(vec![value; n]),
        given => numbers(given),
    };
    let (mut lower, mut upper) = (bounds("lower", 0.0)?, bounds("upper", f64::INFINITY)?);
    let mut normal = vec![None; n];
    for row in problem["friction"].as_array().into_iter().flatten() {
        let i = row["row"].as_u64()? as usize;
        let mu = number(&row["mu"])?;
        *normal.get_mut(i)? = Some(row["normal"].as_u64()? as usize);
        (lower[i], upper[i]) = (-mu, mu);
    }
    Some(Lcp { m, q, lower, upper, normal })
}

fn numbers(values: &Value) -> Option<Vec<f64>> {
    values.as_array()?.iter().map(number).collect()
}

/// A number, or "inf" and "-inf" of a bound that is not there.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}
