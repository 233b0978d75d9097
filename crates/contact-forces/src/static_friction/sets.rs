//! The index sets, and the linear system that they make.

use etalon_rigid::{Dense, Scalar};

use crate::formulation::{Formulation, RowKind};

/// Where a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Set {
    /// Not considered yet, or friction of a contact without normal force: the force is zero.
    Idle,
    /// C: the acceleration is zero, the force what it takes.
    Clamped,
    /// NC: the normal force is zero, the contact opens.
    Open,
    /// The friction force is + mu f_N, against a negative acceleration.
    Plus,
    /// The friction force is - mu f_N, against a positive acceleration.
    Minus,
}

/// Forces, accelerations and sets of all rows.
pub(super) struct Sets<'a, S> {
    pub a: &'a Dense<S>,
    pub f: Vec<S>,
    pub acceleration: Vec<S>,
    pub set: Vec<Set>,
    pub kind: Vec<Kind<S>>,
}

/// The data of a row for index sets.
#[derive(Debug, Clone)]
pub(super) enum Kind<S> {
    /// A normal row with the friction rows that it bounds.
    Normal { tangents: Vec<usize> },
    /// A friction row with its normal row and mu.
    Tangent { normal: usize, mu: S },
    /// A bilateral row.
    Joint,
}

impl<'a, S: Scalar> Sets<'a, S> {
    /// All forces zero: a = b.
    pub fn new(formulation: &'a Formulation<S>) -> Self {
        let kind: Vec<_> = formulation
            .rows()
            .iter()
            .map(|row| kind(formulation, *row))
            .collect();
        let n = formulation.n();
        let set = kind.iter().map(|kind| match kind {
            Kind::Joint => Set::Clamped,
            _ => Set::Idle,
        });
        Self {
            a: formulation.a(),
            f: vec![S::zero(); n],
            acceleration: formulation.b().to_vec(),
            set: set.collect(),
            kind,
        }
    }

    pub fn n(&self) -> usize {
        self.f.len()
    }

    /// -1 or 1 for a friction row at its limit.
    fn limit_sign(&self, row: usize) -> i32 {
        match self.set[row] {
            Set::Plus => 1,
            Set::Minus => -1,
            _ => 0,
        }
    }

    /// mu f_N of a friction row.
    pub fn bound(&self, row: usize) -> S {
        match &self.kind[row] {
            Kind::Tangent { normal, mu } => self.f[*normal].clone() * mu,
            _ => S::zero(),
        }
    }

    /// What all accelerations gain by a unit of this row's force, with the friction that moves
    /// along with it.
    fn column(&self, row: usize) -> Vec<S> {
        let mut column: Vec<S> = (0..self.n()).map(|i| self.a[(i, row)].clone()).collect();
        for (factor, tangent) in self.followers(row) {
            for (i, entry) in column.iter_mut().enumerate() {
                *entry += &(self.a[(i, tangent)].clone() * &factor);
            }
        }
        column
    }

    /// Friction rows at their limits that a normal force takes along, with their factor.
    fn followers(&self, row: usize) -> Vec<(S, usize)> {
        let Kind::Normal { tangents } = &self.kind[row] else {
            return Vec::new();
        };
        let follower = |&tangent: &usize| match (self.limit_sign(tangent), &self.kind[tangent]) {
            (0, _) => None,
            (sign, Kind::Tangent { mu, .. }) => Some((S::integer(i64::from(sign)) * mu, tangent)),
            _ => None,
        };
        tangents.iter().filter_map(follower).collect()
    }

    fn clamped(&self) -> Vec<usize> {
        (0..self.n())
            .filter(|&i| self.set[i] == Set::Clamped)
            .collect()
    }

    /// The change of forces that keeps the clamped accelerations at what they are minus `target`
    /// while the force of `driven` changes by `amount`; `None` when there is none.
    fn respond(&self, target: &[S], driven: Option<(usize, S)>) -> Option<Vec<S>> {
        let clamped = self.clamped();
        let columns: Vec<_> = clamped.iter().map(|&c| self.column(c)).collect();
        // Not symmetric: a normal force takes the friction at its limit along.
        let block = Dense::from_fn(clamped.len(), clamped.len(), |i, j| {
            columns[j][clamped[i]].clone()
        });
        let own = driven.as_ref().map(|(d, amount)| {
            let column = self.column(*d);
            column.into_iter().map(|v| v * amount).collect::<Vec<_>>()
        });
        let right = |&i: &usize| {
            let own = own.as_ref().map_or_else(S::zero, |own| own[i].clone());
            -(own + &target[i])
        };
        let right: Vec<S> = clamped.iter().map(right).collect();
        // Redundant contacts make the block singular: any solution keeps the clamped accelerations.
        let x = block.solve(&right).solution()?;
        let mut change = vec![S::zero(); self.n()];
        for (value, &row) in x.into_iter().zip(&clamped) {
            change[row] = value;
        }
        if let Some((d, amount)) = driven {
            change[d] = amount;
        }
        for row in 0..self.n() {
            for (factor, tangent) in self.followers(row) {
                // A row at its limit is not clamped: no solved change is overwritten.
                change[tangent] = factor * &change[row];
            }
        }
        Some(change)
    }

    /// Baraff's fdirection: the change of forces when that of row d changes by `amount` and the
    /// clamped accelerations stay.
    pub fn direction(&self, d: usize, amount: S) -> Option<Vec<S>> {
        self.respond(&vec![S::zero(); self.n()], Some((d, amount)))
    }

    /// The forces that make all clamped accelerations zero at once, given b.
    pub fn solve_all(&self, b: &[S]) -> Option<Vec<S>> {
        self.respond(b, None)
    }

    /// Friction without normal force is none, and its row has no condition.
    pub fn silence(&mut self, normal: usize) {
        let Kind::Normal { tangents } = self.kind[normal].clone() else {
            return;
        };
        for tangent in tangents {
            self.set[tangent] = Set::Idle;
            self.f[tangent] = S::zero();
        }
    }

    /// The friction rows of a contact that has just closed without force: each at the limit that
    /// opposes its acceleration.
    pub fn engage(&mut self, normal: usize) {
        let Kind::Normal { tangents } = self.kind[normal].clone() else {
            return;
        };
        for tangent in tangents {
            self.set[tangent] = match self.acceleration[tangent].signum() {
                1 => Set::Minus,
                -1 => Set::Plus,
                _ => Set::Clamped,
            };
        }
    }
}

fn kind<S: Scalar>(formulation: &Formulation<S>, row: RowKind) -> Kind<S> {
    match row {
        RowKind::Normal(contact) => {
            let own = |kind: &RowKind| matches!(kind, RowKind::Tangent { contact: other, .. } if *other == contact);
            let rows = formulation.rows().iter().enumerate();
            Kind::Normal {
                tangents: rows.filter(|(_, kind)| own(kind)).map(|(i, _)| i).collect(),
            }
        }
        RowKind::Tangent { contact, .. } => Kind::Tangent {
            normal: formulation.row(RowKind::Normal(contact)).unwrap_or(0),
            mu: formulation.system().contacts[contact].mu.clone(),
        },
        _ => Kind::Joint,
    }
}
