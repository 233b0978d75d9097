//! A contact problem in local form, u = Wr + q, as the methods that are compared take it.

use etalon_lcp::{Bound, Law, Problem};
use nalgebra::{DMatrix, DVector, Vector3};

/// A contact: its normal row in W, with two tangential rows after it where there is friction.
#[derive(Clone, Copy)]
pub struct Contact {
    pub at: usize,
    pub mu: f64,
}

impl Contact {
    /// 1 or 3 rows.
    pub fn size(&self) -> usize {
        if self.mu > 0.0 { 3 } else { 1 }
    }
}

/// u = Wr + q with circular cones under one law.
pub struct Local {
    pub w: DMatrix<f64>,
    pub q: DVector<f64>,
    pub contacts: Vec<Contact>,
    pub law: Law,
    /// The rows of the problem that the rows of W are.
    kept: Vec<usize>,
    /// The free rows, and what they are of r and 1.
    free: Vec<usize>,
    response: DMatrix<f64>,
}

impl Local {
    /// The problem with its free rows solved for; `None` where it has another plain row, another disc than a
    /// circle, several laws, or free rows that cannot be solved for.
    pub fn of(problem: &Problem) -> Option<Self> {
        let law = problem.cones().first()?.law;
        let (mut kept, mut contacts) = (Vec::new(), Vec::new());
        for cone in problem.cones() {
            let [disc] = cone.discs.as_slice() else {
                return None;
            };
            let mu = disc.mu.of(0).to_f64();
            if cone.law != law || disc.rows.len() != 2 || disc.mu.of(1).to_f64() != mu {
                return None;
            }
            contacts.push(Contact { at: kept.len(), mu });
            kept.push(cone.normal);
            if mu > 0.0 {
                kept.extend(&disc.rows);
            }
        }
        let plain = (0..problem.n()).filter(|i| {
            !problem
                .cones()
                .iter()
                .any(|c| c.rows().any(|row| row == *i))
        });
        let free: Vec<usize> = plain.collect();
        let is_free = |i: &usize| {
            problem
                .lower()
                .is_some_and(|lower| lower[*i] == Bound::NegativeInfinity)
                && problem
                    .upper()
                    .is_none_or(|upper| upper[*i] == Bound::Infinity)
        };
        if !free.iter().all(is_free) || !problem.friction().is_empty() {
            return None;
        }
        Self::reduced(problem, kept, free, contacts, law)
    }

    fn reduced(
        problem: &Problem,
        kept: Vec<usize>,
        free: Vec<usize>,
        contacts: Vec<Contact>,
        law: Law,
    ) -> Option<Self> {
        let block = |rows: &[usize], columns: &[usize]| {
            let mut place = vec![usize::MAX; problem.n()];
            for (k, column) in columns.iter().enumerate() {
                place[*column] = k;
            }
            let mut block = DMatrix::zeros(rows.len(), columns.len());
            for (i, row) in rows.iter().enumerate() {
                for (j, value) in problem
                    .m()
                    .row(*row)
                    .filter(|(j, _)| place[*j] < usize::MAX)
                {
                    block[(i, place[j])] = value.to_f64();
                }
            }
            block
        };
        let constants = |rows: &[usize]| {
            DVector::from_iterator(rows.len(), rows.iter().map(|i| problem.q()[*i].to_f64()))
        };
        let right = block(&free, &kept).insert_column(kept.len(), 0.0);
        let mut right = right;
        right.set_column(kept.len(), &constants(&free));
        let response = match free.is_empty() {
            true => right,
            false => -block(&free, &free).lu().solve(&right)?,
        };
        let below = block(&kept, &free);
        let both = &below * &response;
        let w = block(&kept, &kept) + both.columns(0, kept.len());
        let q = constants(&kept) + both.column(kept.len());
        Some(Self {
            w,
            q,
            contacts,
            law,
            kept,
            free,
            response,
        })
    }

    /// The unknowns of the problem from the forces.
    pub fn back(&self, r: &DVector<f64>, n: usize) -> Vec<f64> {
        let mut z = vec![0.0; n];
        for (row, value) in self.kept.iter().zip(r.iter()) {
            z[*row] = *value;
        }
        let moving =
            self.response.columns(0, self.kept.len()) * r + self.response.column(self.kept.len());
        for (row, value) in self.free.iter().zip(moving.iter()) {
            z[*row] = *value;
        }
        z
    }

    /// The rows of a contact in a vector.
    pub fn part(&self, contact: Contact, vector: &DVector<f64>) -> Vector3<f64> {
        let mut part = Vector3::zeros();
        for k in 0..contact.size() {
            part[k] = vector[contact.at + k];
        }
        part
    }

    /// Puts the rows of a contact into a vector.
    pub fn put(&self, contact: Contact, part: Vector3<f64>, vector: &mut DVector<f64>) {
        for k in 0..contact.size() {
            vector[contact.at + k] = part[k];
        }
    }

    /// What de Saxcé adds to the normal velocities under Coulomb's law: mu |u_T|.
    pub fn lift(&self, u: &DVector<f64>) -> DVector<f64> {
        let mut lift = DVector::zeros(u.len());
        if self.law == Law::Coulomb {
            for contact in &self.contacts {
                lift[contact.at] = contact.mu * tangential(self.part(*contact, u));
            }
        }
        lift
    }

    /// The projection onto all cones.
    pub fn project(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut projected = x.clone();
        for contact in &self.contacts {
            let part = project(self.part(*contact, x), contact.mu);
            self.put(*contact, part, &mut projected);
        }
        projected
    }
}

/// The length of the tangential part.
pub fn tangential(part: Vector3<f64>) -> f64 {
    part[1].hypot(part[2])
}

/// The projection onto |x_T| <= mu x_N.
fn project(x: Vector3<f64>, mu: f64) -> Vector3<f64> {
    let length = tangential(x);
    if length <= mu * x[0] {
        return x;
    }
    let along = x[0] + mu * length;
    if along <= 0.0 || length == 0.0 {
        return Vector3::new(x[0].max(0.0), 0.0, 0.0)
            * f64::from(u8::from(mu == 0.0 || along > 0.0));
    }
    let normal = along / (1.0 + mu * mu);
    Vector3::new(
        normal,
        mu * normal * x[1] / length,
        mu * normal * x[2] / length,
    )
}
