//! A step in generalised coordinates: masses, velocities and impulses, for who judges whole engines.

use etalon_lcp::Number;
use etalon_rigid::{Covector, Scalar};
use etalon_time_stepping::{Formulation, Step};

/// Entries of a row over generalised velocities.
pub type SparseRow = Vec<(usize, Number)>;

/// M (after - before) = impulse + sum of J'λ.
#[derive(Debug, Clone, PartialEq)]
pub struct StepMechanics {
    /// The rows of M.
    pub mass: Vec<SparseRow>,
    /// The length of the step, s.
    pub h: Number,
    /// The velocity before the step.
    pub before: Vec<Number>,
    /// The velocity after it, as the solution of its problem gives it.
    pub after: Vec<Number>,
    /// The impulse of applied forces.
    pub impulse: Vec<Number>,
    /// The contacts that took part.
    pub contacts: Vec<ContactMechanics>,
}

/// A contact with its impulses.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMechanics {
    /// The row of the normal.
    pub normal: SparseRow,
    /// The row of the tangent, where there is friction: in the plane.
    pub tangent: Option<SparseRow>,
    /// The coefficient of friction.
    pub mu: Number,
    /// The normal impulse.
    pub normal_impulse: Number,
    /// The impulse along the tangent.
    pub friction: Number,
}

impl StepMechanics {
    /// The mechanics of a step; `None` where friction has other directions than the two of the plane, or acts at no
    /// contact, or a number is not finite.
    pub(super) fn of_step<S: Scalar>(step: &Step<S>) -> Option<Self> {
        let own = &step.formulation;
        if !own.bounded.is_empty() {
            return None;
        }
        let layout = own.layout();
        let contacts = own.contacts.iter().enumerate().map(|(c, contact)| {
            let directions = &contact.frame.directions;
            let weights = &step.z[layout.weights(c)];
            let (tangent, friction) = match (&directions[..], weights) {
                ([], _) => (None, S::zero()),
                ([one, other], [along, against]) if opposite(&one.row, &other.row) => {
                    (Some(row(&one.row)?), along.clone() - against)
                }
                _ => return None,
            };
            Some(ContactMechanics {
                normal: row(&contact.frame.normal)?,
                tangent,
                mu: contact.mu.to_number()?,
                normal_impulse: step.z[layout.normal(c)].to_number()?,
                friction: friction.to_number()?,
            })
        });
        Some(Self {
            mass: mass(own)?,
            h: own.h.to_number()?,
            before: numbers(&own.velocity)?,
            after: numbers(&step.velocity)?,
            impulse: numbers(&own.impulse)?,
            contacts: contacts.collect::<Option<_>>()?,
        })
    }
}

fn opposite<S: Scalar>(one: &Covector<S>, other: &Covector<S>) -> bool {
    one.plus(&S::integer(1), other)
        .entries()
        .iter()
        .all(|(_, own)| own.is_zero())
}

fn numbers<S: Scalar>(own: &[S]) -> Option<Vec<Number>> {
    own.iter().map(Scalar::to_number).collect()
}

fn row<S: Scalar>(own: &Covector<S>) -> Option<SparseRow> {
    let entries = own.entries().iter();
    entries
        .map(|(j, own)| Some((*j, own.to_number()?)))
        .collect()
}

/// M, a column of the unit matrix at a time; M is symmetric.
fn mass<S: Scalar>(own: &Formulation<S>) -> Option<Vec<SparseRow>> {
    let n = own.mass.dofs();
    let column = |j: usize| {
        let mut unit = vec![S::zero(); n];
        unit[j] = S::integer(1);
        let column = own.mass.times(&unit);
        let entries = column.iter().enumerate().filter(|(_, own)| !own.is_zero());
        entries
            .map(|(i, own)| Some((i, own.to_number()?)))
            .collect()
    };
    (0..n).map(column).collect()
}
