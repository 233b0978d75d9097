//! Which free rows are velocities of bodies, and which are forces of joints.
//!
//! In mixed form M = [[A, -H'], [H, R]] bodies and joints are free rows both, and nothing in the record names them. A force and a
//! velocity meet with opposite signs, M_ij M_ji < 0; two velocities (by A) or two forces (by R, or in local form) with equal signs.
//! So the rows of a connected part are of two kinds, and one row of a known kind tells the rest.
//!
//! `etalon-certify` has the same rule in exact numbers and for any scaling of rows (`cones/joints.rs` there). Neither takes it from
//! the other: what the checker believes of a problem may come from no solver, and a solver must not need the checker to run. A
//! mistake here costs pivots or an answer, a mistake there a verdict.

use super::data::ConeProblem;

/// For each free row whether it is a force. Contacts and bounded rows are forces, and a free row without diagonal entry is
/// one: it resists by the bodies alone. A part of M without such rows holds velocities.
pub(super) fn joints(problem: &ConeProblem, free: &[bool]) -> Vec<bool> {
    let n = problem.n();
    let mut kinds: Vec<Option<Kind>> = vec![None; n];
    let mut reached = Vec::new();
    for i in 0..n {
        if !free[i] || problem.entry(i, i) == 0.0 {
            kinds[i] = Some(Kind::Force);
            reached.push(i);
        }
    }
    spread(problem, &mut kinds, &mut reached);
    kinds
        .into_iter()
        .zip(free)
        .map(|(kind, free)| *free && kind == Some(Kind::Force))
        .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Force,
    Velocity,
}

/// Gives a kind to all rows that the reached ones lead to. The first kind that a row gets stays: where signs contradict each
/// other, M is of no bodies and joints.
fn spread(problem: &ConeProblem, kinds: &mut [Option<Kind>], reached: &mut Vec<usize>) {
    let mut next = 0;
    while let Some(&i) = reached.get(next) {
        next += 1;
        for (j, value) in problem.row(i) {
            let signs = value.signum() * problem.entry(j, i).signum();
            if kinds[j].is_some() || problem.entry(j, i) == 0.0 {
                continue;
            }
            kinds[j] = match (kinds[i], signs < 0.0) {
                (Some(Kind::Force), true) | (Some(Kind::Velocity), false) => Some(Kind::Velocity),
                _ => Some(Kind::Force),
            };
            reached.push(j);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn of(rows: &[&[i32]], free: &[bool]) -> Vec<bool> {
        let lower: Vec<&str> = free
            .iter()
            .map(|free| if *free { "-inf" } else { "0" })
            .collect();
        let q = vec![0; rows.len()];
        let text = format!(r#"{{"name": "p", "M": {rows:?}, "q": {q:?}, "lower": {lower:?}}}"#);
        let problem = etalon_lcp::record::read_problem(&text).unwrap().record;
        joints(&ConeProblem::from_problem(&problem).unwrap(), free)
    }

    /// Two bodies with a contact of the first, a hinge with and without compliance between them, and a third body that a
    /// joint holds to the second.
    #[test]
    fn a_chain_of_bodies_is_told_by_its_signs() {
        for compliance in [0, 1, 1000] {
            let rows: [&[i32]; 6] = [
                &[2, 0, 0, -1, -1, 0],
                &[0, 3, 0, 0, 1, -2],
                &[0, 0, 4, 0, 0, 2],
                &[1, 0, 0, 0, 0, 0],
                &[1, -1, 0, 0, compliance, 0],
                &[0, 2, -2, 0, 0, compliance],
            ];
            let free = [true, true, true, false, true, true];
            assert_eq!(of(&rows, &free), [false, false, false, false, true, true]);
        }
    }

    #[test]
    fn bodies_without_joints_are_velocities() {
        let rows: [&[i32]; 3] = [&[2, 1, -1], &[1, 2, -1], &[1, 1, 0]];
        assert_eq!(of(&rows, &[true, true, false]), [false; 3]);
        // Nothing tells: velocities.
        assert_eq!(of(&[&[2, 1], &[1, 2]], &[true, true]), [false; 2]);
    }

    /// In local form the velocities are eliminated, so a free row is a joint.
    #[test]
    fn free_rows_of_local_form_are_forces() {
        let rows: [&[i32]; 3] = [&[2, 1, 0], &[1, 2, 1], &[0, 1, 2]];
        assert_eq!(of(&rows, &[false, true, true]), [false, true, true]);
    }
}
