//! The energy that contacts create.

use std::collections::BTreeMap;

use rug::Rational;

use crate::assembly::{ContactRows, Groups};
use crate::exact::ratio;
use crate::findings::{Laws, Measured};
use crate::step::ContactModel;

/// Fills in the work λ.(u1 + u0)/2 of all contacts, and what of it is creation.
///
/// How much of the change of energy is the contacts' doing depends on the account. With dv = v1 - v0,
///
/// > T1 - T0 = (h F + J'λ)'(v0 + v1)/2 = h F'v1 + λ'J v1 - dv'M dv/2,
///
/// so that either λ'J (v0 + v1)/2 or λ'J v1 is theirs; the second is what an implicit step loses no energy by, since the potential falls by h F'v1
/// where positions move with v1. What both accounts call creation is creation.
///
/// Speeds are known up to `noise`, the rounding that the balance allows of the largest one: at rest they are nothing else, and the work of noise creates nothing. What one group of bodies loses pays for nothing that another gains.
pub(super) fn measure(
    contacts: &[(usize, &ContactRows)],
    model: Option<ContactModel>,
    (groups, noise): (&Groups, &Rational),
    laws: &mut Laws,
) {
    let mut accounts: BTreeMap<Option<usize>, Account> = BTreeMap::new();
    for (c, own) in contacts {
        let account = accounts.entry(groups.at(&own.rows));
        let account = account.or_insert_with(|| Account::of(*c));
        account.add(own, noise, model);
    }
    for account in accounts.values() {
        *laws.work.get_or_insert_default() += &account.work;
        if let Some(why) = account.unjudged {
            laws.work_unjudged.get_or_insert(why);
            continue;
        }
        let created = account.created();
        let place = || {
            let created = etalon_lcp::short_text(&created);
            if accounts.len() == 1 {
                return format!("the contact impulses create {created} J");
            }
            let first = account.first;
            format!(
                "the impulses of contact {first} and of those connected with it create {created} J"
            )
        };
        let value = ratio(&created, &account.size).unwrap_or_default();
        let energy = laws.energy.get_or_insert_with(|| Measured {
            value: Rational::new(),
            place: place(),
        });
        energy.raise(value, place);
    }
}

/// The work of contacts that are connected.
struct Account {
    /// The first of them.
    first: usize,
    work: Rational,
    /// The sum of the sizes of its terms.
    size: Rational,
    at_end: Rational,
    allowed: Rational,
    /// Why it is not judged.
    unjudged: Option<&'static str>,
}

impl Account {
    fn of(first: usize) -> Self {
        Self {
            first,
            work: Rational::new(),
            size: Rational::new(),
            at_end: Rational::new(),
            allowed: Rational::new(),
            unjudged: None,
        }
    }

    fn add(&mut self, own: &ContactRows, noise: &Rational, model: Option<ContactModel>) {
        let Some(impulse) = &own.impulse else {
            return;
        };
        for (k, impulse) in impulse.iter().enumerate() {
            // Exactly: with M (v1 - v0) = J'λ the kinetic energy changes by λ'J (v1 + v0) / 2.
            let mean = Rational::from(&own.u[0][k] + &own.u[1][k]) / 2u32;
            let part = mean * impulse;
            self.size += part.clone().abs();
            self.work += part;
            self.at_end += Rational::from(&own.u[1][k] * impulse);
            self.allowed += impulse.clone().abs() * noise;
        }
        // Where the contact is driven apart, the impulse may do so much.
        let target = own.target.clone().unwrap_or_default().max(Rational::new());
        self.allowed += target * impulse[0].clone().max(Rational::new());
        let soft = [ContactModel::SoftConvex, ContactModel::PositionBased];
        let why = if !own.restitution.is_zero() {
            "there is restitution"
        } else if model.is_some_and(|own| soft.contains(&own)) {
            "the model is soft, and gives back what it has stored"
        } else if model != Some(ContactModel::Hard) && is_driven(own) {
            "a contact is driven apart, and its target is not declared"
        } else {
            return;
        };
        self.unjudged.get_or_insert(why);
    }

    fn created(&self) -> Rational {
        let least = self.at_end.clone().min(self.work.clone());
        (least - &self.allowed).max(Rational::new())
    }
}

/// Whether the contact parts faster than it did before, for no reason that the record declares.
fn is_driven(own: &ContactRows) -> bool {
    let before = own.u[0][0].clone().max(Rational::new());
    own.target.is_none() && own.u[1][0] > before
}
