//! The problems of a group of contacts: rows, bounds, solution, and the event that the observer is shown.

use crate::body::Rate;
use crate::contact::Contact;
use crate::error::StepError;
use crate::model::Model;
use crate::observe::{LcpEvent, LcpKind, RowBound, RowPlace};
use crate::rows::{self, Row};
use crate::settings::FrictionModel;
use crate::solve::Answer;
use crate::state::State;
use crate::tolerances::{LEAST_B, ROUNDED_B};

use super::Tools;

/// The rows of contacts: the normals of all, then the tangents of those with friction.
pub(super) struct Rows {
    rows: Vec<Row>,
    places: Vec<RowPlace>,
    /// A = J M^-1 J', row by row.
    pub a: Vec<f64>,
    /// The positions of the contacts with friction.
    pub rubbing: Vec<usize>,
    contacts: usize,
}

/// A problem of some of the rows.
pub(super) struct Lcp {
    pub kind: LcpKind,
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    pub bounds: Vec<RowBound>,
    pub places: Vec<RowPlace>,
}

impl Rows {
    pub fn of(contacts: &[Contact], model: &Model, state: &State) -> Self {
        let bodies = model.bodies(state);
        // Without a coefficient the row would be bounded by 0 on both sides, and say nothing.
        let rubs = |i: &usize| contacts[*i].friction > 0.0;
        let rubbing: Vec<usize> = match model.settings().friction {
            FrictionModel::None => Vec::new(),
            FrictionModel::Coulomb | FrictionModel::Box => {
                (0..contacts.len()).filter(rubs).collect()
            }
        };
        let normals = contacts.iter().map(|contact| Row::normal(contact, bodies));
        let tangents = rubbing.iter().map(|&i| Row::tangent(&contacts[i], bodies));
        let rows: Vec<Row> = normals.chain(tangents).collect();
        let owners = contacts.iter().chain(rubbing.iter().map(|&i| &contacts[i]));
        let places = owners.zip(&rows).map(|(contact, row)| RowPlace {
            first: contact.first,
            second: contact.second,
            point: contact.point.into(),
            direction: row.direction.into(),
            distance: contact.distance,
        });
        Self {
            places: places.collect(),
            a: rows::matrix(&rows, bodies),
            rows,
            rubbing,
            contacts: contacts.len(),
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// J times rates of the bodies, one value for each row.
    pub fn rates(&self, rates: &[Rate]) -> impl Iterator<Item = f64> {
        self.rows.iter().map(|row| row.rate(rates))
    }

    /// The row of the tangent of the k-th contact with friction.
    pub fn tangent(&self, k: usize) -> usize {
        self.contacts + k
    }

    /// The problem of the rows `members`.
    pub fn lcp(&self, kind: LcpKind, members: &[usize], b: Vec<f64>, bounds: Vec<RowBound>) -> Lcp {
        let n = self.len();
        let row = |&i: &usize| members.iter().map(move |&j| self.a[i * n + j]);
        Lcp {
            kind,
            a: members.iter().flat_map(row).collect(),
            b,
            bounds,
            places: members.iter().map(|&i| self.places[i]).collect(),
        }
    }
}

/// What bounds the force at a contact without friction.
pub(super) fn normal_bound(contact: &Contact) -> RowBound {
    if contact.joint {
        RowBound::Free
    } else {
        RowBound::AtLeast(0.0)
    }
}

/// Friction by Coulomb's law at a contact whose normal is row `normal` of the problem.
pub(super) fn coulomb(contact: &Contact, normal: usize) -> RowBound {
    RowBound::Coulomb {
        normal,
        mu: contact.friction,
    }
}

/// Friction of at most mu times a given normal force.
pub(super) fn boxed(contact: &Contact, force: f64) -> RowBound {
    RowBound::Within(contact.friction * force.max(0.0))
}

/// Solves a problem of the run, and shows it to the observer.
pub(super) fn solve_lcp(
    state: &mut State,
    tools: &mut Tools<'_>,
    mut lcp: Lcp,
    time: f64,
) -> Result<Answer, StepError> {
    drop_faded(&mut lcp.b);
    let n = lcp.b.len() as u64;
    if n > 1 && !lcp.bounds.iter().any(|bound| bound.is_friction()) {
        // The solver of myPhysicsLab draws the order of its rows from the same generator, n numbers n + 1 times. Skipping
        // them keeps the order of the next serial collisions the same as there.
        state.random.skip(n * (n + 1));
    }
    let mut answer = tools
        .stepper
        .solver
        .solve(&lcp.a, &lcp.b, &lcp.bounds)
        .map_err(|error| StepError::Unsolved {
            time,
            what: match lcp.kind {
                LcpKind::Forces => "contact forces",
                LcpKind::Impulses => "impulses",
            },
            rows: lcp.b.len(),
            why: error.to_string(),
        })?;
    let event = LcpEvent {
        kind: lcp.kind,
        time,
        a: &lcp.a,
        b: &lcp.b,
        bounds: &lcp.bounds,
        f: &answer.f,
        clamped: &answer.clamped,
        pivots: answer.pivots,
        ridge: answer.ridge,
        places: &lcp.places,
    };
    tools.observer.lcp(&event);
    if lcp.kind == LcpKind::Forces {
        let given = tools.observer.instead(&event);
        answer.given = given.filter(|given| given.len() == lcp.b.len());
    }
    Ok(answer)
}

/// Takes what is only rounding out of b.
fn drop_faded(b: &mut [f64]) {
    let largest = b.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    // Before the observer sees it: the judge is shown the problem that was solved.
    let least = (ROUNDED_B * largest).max(LEAST_B);
    for value in b.iter_mut().filter(|value| value.abs() < least) {
        *value = 0.0;
    }
}
