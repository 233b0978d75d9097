//! What the solvers of `etalon-exact` say of a problem, in words that can be compared.

use etalon_exact::{
    Budget, Dantzig, DantzigOutcome, Exhausted, LeastIndex, LeastIndexOutcome, Lemke, LemkeOutcome,
    SolutionSet, Ties, decide, enumerate, unique_w, unique_z,
};
use etalon_lcp::{Matrix, MixedLcp, Number, Problem, Unique};
use rug::Rational;

use super::cramer;
use super::cramer::class::{Class, Classes};
use super::cramer::cones::{Point, Solutions};
use super::cramer::lemke::{End, Walk};
use super::cramer::linear::gcd;

/// A fraction in lowest terms, its denominator positive.
type Fraction = (i64, i64);

/// The vertices and the rays of a face.
type Listed = (Vec<Values>, Vec<Values>);

/// n values, or the primitive direction of a ray.
type Values = Vec<Fraction>;

/// A matrix in the types of the solvers.
#[derive(Debug, Clone)]
pub struct Asked {
    own: cramer::Matrix,
    m: Matrix,
    q: cramer::Vector,
    lcp: MixedLcp,
    budget: Budget,
}

/// How the two methods for P-matrices end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pivoting {
    /// Whether [`Dantzig`] finds a solution.
    pub dantzig: bool,
    /// Whether [`LeastIndex`] does.
    pub least_index: bool,
}

impl Asked {
    /// The problem (M, q).
    ///
    /// # Errors
    /// Numbers that the solvers do not take: none of a grid.
    pub fn new(own: &cramer::Matrix, q: &cramer::Vector) -> Result<Self, String> {
        let row = |i: usize| {
            own.rows[i][..own.n]
                .iter()
                .map(|v| Number::from(*v))
                .collect()
        };
        let m = Matrix::from_rows((0..own.n).map(row).collect()).map_err(|e| e.to_string())?;
        let right = q[..own.n].iter().map(|v| Number::from(*v)).collect();
        let lcp = MixedLcp::new(m.clone(), right, vec![false; own.n]).ok_or("lengths differ")?;
        let (own, q, budget) = (*own, *q, Budget::default());
        Ok(Self {
            own,
            m,
            q,
            lcp,
            budget,
        })
    }

    fn problem(&self) -> Result<Problem, String> {
        Problem::new("atlas", self.m.clone(), self.lcp.q().to_vec()).map_err(|e| e.to_string())
    }

    /// Whether the classes of the matrix that certificates prove are those of the other engine.
    ///
    /// # Errors
    /// What differs.
    pub fn compare_classes(&self, classes: Classes) -> Result<(), String> {
        let problem = self.problem()?;
        let is_p = unique_z(&problem).is_some();
        same("P", &is_p, &classes.has(Class::P))?;
        let is_psd = classes.has(Class::PositiveSemidefinite) && classes.has(Class::Symmetric);
        same("symmetric PSD", &unique_w(&problem).is_some(), &is_psd)
    }

    /// Whether the exact enumeration finds the same solutions: points, faces, their vertices and rays.
    ///
    /// # Errors
    /// What differs.
    pub fn compare_solutions(&self, solutions: &Solutions) -> Result<(), String> {
        let set = enumerate(&self.lcp, &self.budget).map_err(|e: Exhausted| e.to_string())?;
        same("complete", &set.is_complete(), &true)?;
        let n = self.own.n;
        let points = |points: &[Point]| sorted(points.iter().map(|own| values(n, own)).collect());
        let rays =
            |rays: &[Point]| sorted(rays.iter().map(|own| direction(values(n, own))).collect());
        same("isolated", &isolated(&set)?, &points(&solutions.isolated))?;
        let faces = solutions.faces.iter();
        let own = faces.map(|face| (points(&face.vertices), rays(&face.rays)));
        same("faces", &faces_of(&set)?, &sorted(own.collect()))
    }

    /// Whether `decide`, all of whose facts the checker has proved, says that there is a solution, and
    /// that there is one alone, exactly where it is so.
    ///
    /// # Errors
    /// What differs.
    pub fn compare_decision(&self, solutions: &Solutions) -> Result<(), String> {
        let decision = decide(&self.problem()?, &self.budget);
        let status = decision.truth.status();
        same("solvable", &status.solvable, &Some(!solutions.is_empty()))?;
        let is_one = solutions.isolated.len() == 1 && solutions.faces.is_empty();
        same("one z", &(status.unique == Some(Unique::Z)), &is_one)
    }

    /// Whether Lemke's method of `etalon-exact` walks as many pivots to the same end.
    ///
    /// # Errors
    /// What differs.
    pub fn compare_lemke(&self, ties: Ties, walk: &Walk) -> Result<(), String> {
        let method = Lemke {
            ties,
            ..Lemke::default()
        };
        let run = method.solve(&self.lcp).map_err(|e| e.to_string())?;
        same("pivots", &run.pivots, &(walk.pivots as u64))?;
        match run.outcome {
            LemkeOutcome::Solved { z, .. } => {
                let own: Values = walk.z[..self.own.n]
                    .iter()
                    .map(|v| lowest(*v, walk.over))
                    .collect();
                same(
                    "solved",
                    &true,
                    &matches!(walk.end, End::Start | End::Solved),
                )?;
                same("z", &fractions(&z)?, &own)
            }
            LemkeOutcome::Ray(_) => same("end", &End::Ray, &walk.end),
            LemkeOutcome::Cycle => same("end", &End::Cycle, &walk.end),
            other => Err(format!("{other:?}")),
        }
    }

    /// Runs the two methods for P-matrices. What they call a solution must be one.
    ///
    /// # Errors
    /// A wrong solution, or a principal minor that is none.
    pub fn pivoting(&self) -> Result<Pivoting, String> {
        let run = Dantzig::default().solve(&self.problem()?);
        let dantzig = match run.map_err(|e| e.to_string())?.outcome {
            DantzigOutcome::Solved { z, .. } => Some(z),
            DantzigOutcome::OutOfClass { minor } => self.is_no_p_minor(&minor, true)?,
            DantzigOutcome::Unbounded { .. } => None,
            other => return Err(format!("{other:?}")),
        };
        let least_index = match LeastIndex::default().solve(&self.lcp).outcome {
            LeastIndexOutcome::Solved { z, .. } => Some(z),
            LeastIndexOutcome::OutOfClass { minor } => self.is_no_p_minor(&minor, false)?,
            LeastIndexOutcome::Cycle => None,
            other => return Err(format!("{other:?}")),
        };
        for z in [&dantzig, &least_index].into_iter().flatten() {
            self.check(z)?;
        }
        Ok(Pivoting {
            dantzig: dantzig.is_some(),
            least_index: least_index.is_some(),
        })
    }

    fn is_no_p_minor(
        &self,
        rows: &[usize],
        semidefinite: bool,
    ) -> Result<Option<Vec<Rational>>, String> {
        let minor = self
            .own
            .principal(rows.iter().map(|i| 1 << i).sum())
            .determinant();
        let symmetric = self.own.transposed() == self.own;
        let holds = minor < 0
            || (minor == 0
                && (!semidefinite
                    || !symmetric
                    || !super::cramer::quadratic::is_positive_semidefinite(&self.own)));
        if holds {
            Ok(None)
        } else {
            Err(format!("the minor of rows {rows:?} is {minor}"))
        }
    }

    /// z >= 0, w >= 0, z'w = 0, in integers times the common denominator.
    fn check(&self, z: &[Rational]) -> Result<(), String> {
        let z = fractions(z)?;
        let over = z.iter().fold(1, |over, &(_, d)| over / gcd(over, d) * d);
        let z: Vec<i64> = z.iter().map(|&(v, d)| v * (over / d)).collect();
        let holds = (0..self.own.n).all(|i| {
            let terms = z.iter().zip(self.own.rows[i]).map(|(z, entry)| z * entry);
            let w = terms.sum::<i64>() + over * self.q[i];
            z[i] >= 0 && w >= 0 && (z[i] == 0 || w == 0)
        });
        if holds {
            return Ok(());
        }
        Err(format!("{z:?} / {over} is no solution"))
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, theirs: &T, own: &T) -> Result<(), String> {
    if theirs == own {
        return Ok(());
    }
    Err(format!("{what}: etalon-exact {theirs:?}, cramer {own:?}"))
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

fn lowest(value: i64, over: i64) -> Fraction {
    let divisor = gcd(value, over).max(1);
    (value / divisor, over / divisor)
}

fn values(n: usize, point: &Point) -> Values {
    let value = |v: &i64| lowest((*v).max(0), point.over);
    point.v[..n].iter().map(value).collect()
}

/// A direction of z, scaled to be primitive.
fn direction(ray: Values) -> Values {
    let over = ray.iter().fold(1, |over, &(_, d)| over / gcd(over, d) * d);
    let whole: Vec<i64> = ray.iter().map(|&(v, d)| v * (over / d)).collect();
    let divisor = whole.iter().fold(0, |divisor, &v| gcd(divisor, v)).max(1);
    whole.iter().map(|v| (v / divisor, 1)).collect()
}

fn fractions(z: &[Rational]) -> Result<Values, String> {
    let fraction = |value: &Rational| Some((value.numer().to_i64()?, value.denom().to_i64()?));
    let all: Option<Values> = z.iter().map(fraction).collect();
    all.ok_or_else(|| format!("{z:?} does not fit"))
}

fn isolated(set: &SolutionSet) -> Result<Vec<Values>, String> {
    let points: Result<Vec<_>, _> = set.isolated.iter().map(|z| fractions(z)).collect();
    Ok(sorted(points?))
}

fn faces_of(set: &SolutionSet) -> Result<Vec<Listed>, String> {
    let list = |list: &[Vec<Rational>]| {
        list.iter()
            .map(|z| fractions(z))
            .collect::<Result<Vec<_>, _>>()
    };
    let faces = set.faces.iter().map(|face| {
        let rays = list(&face.rays)?.into_iter().map(direction).collect();
        Ok((sorted(list(&face.vertices)?), sorted(rays)))
    });
    Ok(sorted(faces.collect::<Result<Vec<_>, String>>()?))
}
