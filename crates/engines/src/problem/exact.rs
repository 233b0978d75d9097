//! The problem of a step in fractions, without the rows that no velocity feels.

use etalon_lcp::{Bound, Cone, Disc, Law, Matrix, Mu, Number, Problem};
use rug::Rational;

use crate::exact::{fractions, sparse_dot, sum};
use crate::step::{Generalised, Set};

/// The floor of R in engines (MuJoCo's mjMINVAL).
pub(super) const FLOOR: f64 = 1e-15;

/// Entries of a row.
pub(super) type Row = Vec<(usize, Rational)>;

/// M a - J'f = q and w = Ja + Rf - r.
pub(super) struct ExactData {
    pub m: Vec<Row>,
    pub q: Vec<Rational>,
    pub j: Vec<Row>,
    pub r: Vec<Rational>,
    pub target: Vec<Rational>,
    pub groups: Vec<Group>,
    /// For each row its number in the record.
    pub places: Vec<usize>,
    /// The rows of the record that no velocity feels.
    pub unfelt: Vec<usize>,
}

/// Rows that have a set in common.
pub(super) struct Group {
    pub rows: std::ops::Range<usize>,
    pub kind: Kind,
}

/// A set of forces.
pub(super) enum Kind {
    Equality,
    Box(Rational),
    Nonnegative,
    /// With the coefficients of the tangential rows.
    Cone(Vec<Rational>),
    /// With a coefficient for each row, and the bound.
    Disc(Vec<Rational>, Rational),
}

impl ExactData {
    /// The data of a step; `None` where it has no R or no targets.
    pub fn of(own: &Generalised) -> Option<Self> {
        let (r, target) = (own.r.as_ref()?, own.target.as_ref()?);
        let row = |row: &Vec<(usize, Number)>| -> Row {
            let entries = row.iter().filter(|(_, own)| !own.is_zero());
            entries.map(|(j, own)| (*j, own.to_rational())).collect()
        };
        let mut data = Self {
            m: own.m.rows.iter().map(row).collect(),
            q: fractions(&own.force),
            j: Vec::new(),
            r: Vec::new(),
            target: Vec::new(),
            groups: Vec::new(),
            places: Vec::new(),
            unfelt: Vec::new(),
        };
        for set in &own.sets {
            let rows: Vec<_> = set.rows().map(|k| row(&own.j.rows[k])).collect();
            // A set with a row that is felt stays whole: its law ties the forces of all its rows.
            if rows.iter().all(Vec::is_empty) {
                data.unfelt.extend(set.rows());
                continue;
            }
            let start = data.j.len();
            data.j.extend(rows);
            for k in set.rows() {
                data.r.push(r[k].to_rational());
                data.target.push(target[k].to_rational());
                data.places.push(k);
            }
            let kind = match set {
                Set::Equality(_) => Kind::Equality,
                Set::Box(_, bound) => Kind::Box(bound.to_rational()),
                Set::Nonnegative(_) => Kind::Nonnegative,
                Set::Cone(_, mu) => Kind::Cone(fractions(mu)),
                Set::Disc(_, mu, bound) => Kind::Disc(fractions(mu), bound.to_rational()),
                // The judge has refused them: their bound is an unknown of another set.
                Set::Turning(..) | Set::Pyramid(..) => return None,
            };
            let rows = start..data.j.len();
            data.groups.push(Group { rows, kind });
        }
        Some(data)
    }

    pub fn nv(&self) -> usize {
        self.q.len()
    }

    /// The entries of a vector of the record that belong to rows here.
    pub fn felt(&self, own: &[Number]) -> Vec<Rational> {
        self.places.iter().map(|k| own[*k].to_rational()).collect()
    }

    /// M a - q - J'f.
    pub fn residual(&self, a: &[Rational], f: &[Rational]) -> Vec<Rational> {
        let mut residual = self.inertia(a);
        for (own, q) in residual.iter_mut().zip(&self.q) {
            *own -= q;
        }
        for (row, f) in self.j.iter().zip(f).filter(|(_, f)| !f.is_zero()) {
            for (i, own) in row {
                residual[*i] -= Rational::from(own * f);
            }
        }
        residual
    }

    fn inertia(&self, a: &[Rational]) -> Vec<Rational> {
        self.m.iter().map(|row| sparse_dot(row, a)).collect()
    }

    /// a'M a.
    pub fn energy(&self, a: &[Rational]) -> Rational {
        let products = self.inertia(a);
        sum(products
            .iter()
            .zip(a)
            .map(|(own, a)| Rational::from(own * a)))
    }

    /// J a - r.
    pub fn drift(&self, a: &[Rational]) -> Vec<Rational> {
        let rows = self.j.iter().zip(&self.target);
        rows.map(|(row, target)| sparse_dot(row, a) - target)
            .collect()
    }

    /// Whether there are cones or discs: then the solution is irrational, in general.
    pub fn is_round(&self) -> bool {
        let is_round = |group: &Group| matches!(group.kind, Kind::Cone(_) | Kind::Disc(..));
        self.groups.iter().any(is_round)
    }

    /// Whether each row has R > 0.
    pub fn is_regularised(&self) -> bool {
        self.r.iter().all(|r| *r > 0)
    }

    /// The problem [[M, -J'], [J, R]] (a, f) + (-q, -r), a free; `None` where there are discs, which no cone is.
    pub fn problem(&self) -> Option<Problem> {
        // -J' and J cancel in the quadratic form a'M a + f'R f: where M and R are positive
        // definite, so is the matrix, and the problem has one solution.
        let (nv, n) = (self.nv(), self.nv() + self.j.len());
        let mut entries = Vec::new();
        for (i, row) in self.m.iter().enumerate() {
            entries.extend(row.iter().map(|(j, own)| (i as u64, *j as u64, exact(own))));
        }
        for (k, row) in self.j.iter().enumerate() {
            let at = (nv + k) as u64;
            for (j, own) in row {
                entries.push((at, *j as u64, exact(own)));
                entries.push((*j as u64, at, exact(&Rational::from(-own))));
            }
            entries.push((at, at, exact(&self.r[k])));
        }
        let m = Matrix::from_entries((n as u64, n as u64), entries).ok()?;
        let q = self.q.iter().chain(&self.target);
        let q = q.map(|own| exact(&Rational::from(-own))).collect();
        let mut lower = vec![Bound::NegativeInfinity; nv];
        let mut upper = vec![Bound::Infinity; nv];
        let mut cones = Vec::new();
        let zero = || Bound::Finite(Number::from(0));
        for Group { rows, kind } in &self.groups {
            let (below, above) = match kind {
                Kind::Equality => (Bound::NegativeInfinity, Bound::Infinity),
                Kind::Nonnegative => (zero(), Bound::Infinity),
                Kind::Box(bound) => {
                    let below = exact(&Rational::from(-bound));
                    (Bound::Finite(below), Bound::Finite(exact(bound)))
                }
                Kind::Cone(mu) => {
                    let disc = Disc {
                        rows: (nv + rows.start + 1..nv + rows.end).collect(),
                        mu: Mu::Each(mu.iter().map(exact).collect()),
                    };
                    cones.push(Cone {
                        normal: nv + rows.start,
                        discs: vec![disc],
                        law: Law::Convex,
                    });
                    // The default bounds, which a cone replaces.
                    (zero(), Bound::Infinity)
                }
                Kind::Disc(..) => return None,
            };
            for _ in rows.clone() {
                lower.push(below.clone());
                upper.push(above.clone());
            }
        }
        let problem = Problem::new("step", m, q).ok()?;
        let problem = problem.with_bounds(Some(lower), Some(upper)).ok()?;
        problem.with_cones(cones).ok()
    }
}

/// binary64 where the number is one: float solvers take the data as they stand.
fn exact(own: &Rational) -> Number {
    let nearest = own.to_f64();
    match Rational::from_f64(nearest) {
        Some(same) if same == *own => {
            Number::from_f64(nearest).unwrap_or_else(|| own.clone().into())
        }
        _ => own.clone().into(),
    }
}
