//! Coulomb friction: time steps of planar bodies, and friction rows.

use super::definite::{definite, gram};
use super::draft::{Draft, Rows, dyadic};
use super::draw::Draw;

/// The time step of Stewart and Trinkle for n / 4 planar contacts between random bodies, order
/// (beta contact by contact, c_n, lambda):
///
/// M = [[D'WD, D'WN, E], [N'WD, N'WN, 0], [-E', mu, 0]], q = [D'b, g + N'b, 0]
///
/// with W the inverse masses, b the velocity without contacts and g >= 0 the gaps over the time
/// step. M is copositive, and z >= 0, z'Mz = 0 gives D beta + N c_n = 0, so q'z = g'c_n >= 0:
/// there is a solution, which Lemke's method finds (CPS theorem 3.8.6, corollary 4.4.12).
pub(super) fn time_step(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let count = n / 4;
    let bodies = 1 + draw.index(count);
    let (normals, tangents) = contacts(draw, count, bodies);
    // W in units of 1/4; a body's three entries differ, which only its motion would mind.
    let weights = draw.vector(3 * bodies, |draw| 1 << draw.index(3));
    let velocity = draw.vector(3 * bodies, |draw| draw.between(-4, 4));
    let opposite = |row: &[i64]| -> Vec<_> { row.iter().map(|entry| -entry).collect() };
    let mut columns: Rows<i64> = Vec::with_capacity(3 * count);
    for tangent in &tangents {
        columns.push(tangent.clone());
        columns.push(opposite(tangent));
    }
    columns.extend(normals);
    let dynamics = gram(&columns, &weights);
    let mut m: Rows<f64> = dynamics.iter().map(|row| dyadic(row, 2)).collect();
    let mut q = dyadic(&super::semidefinite::times(&columns, &velocity), 0);
    for (i, row) in m.iter_mut().enumerate() {
        row.resize(n, 0.0);
        if i < 2 * count {
            row[3 * count + i / 2] = 1.0;
        } else {
            // More than half of the gaps are closed.
            q[i] += draw.between(0, 6).max(3) as f64 - 3.0;
        }
    }
    for contact in 0..count {
        let mut row = vec![0.0; n];
        row[2 * contact] = -1.0;
        row[2 * contact + 1] = -1.0;
        row[2 * count + contact] = draw.between(0, 6) as f64 * 0.25;
        m.push(row);
        q.push(0.0);
    }
    Draft::new(m, q)
}

/// Completes the rows and columns of the multipliers lambda of `count` contacts, whose rows begin at `first`: E and -E' for so
/// many directions of friction each, and mu in the columns of the normal forces.
pub(super) fn add_cones(
    draft: &mut Draft,
    first: usize,
    count: usize,
    directions: usize,
    mut mu: impl FnMut(usize) -> f64,
) {
    let n = first + (directions + 2) * count;
    draft.q.resize(n, 0.0);
    let mut set = |(i, j, value): (usize, usize, f64)| match draft.m.get_mut(i) {
        Some(row) => row[j] = value,
        None => draft.sparse.push((i, j, value)),
    };
    for contact in 0..count {
        let (normal, lambda) = (first + directions * count + contact, n - count + contact);
        let own = first + directions * contact;
        for beta in own..own + directions {
            set((beta, lambda, 1.0));
            set((lambda, beta, -1.0));
        }
        set((lambda, normal, mu(contact)));
    }
    draft.sparse.sort_unstable_by_key(|(i, j, _)| (*i, *j));
}

/// Directions of the normal and of the tangent of each contact in the coordinates (x, y, angle)
/// of every body. The first body of a contact is random, the second another or the ground.
fn contacts(draw: &mut Draw, count: usize, bodies: usize) -> (Rows<i64>, Rows<i64>) {
    let mut normals = vec![vec![0; 3 * bodies]; count];
    let mut tangents = normals.clone();
    for (normal, tangent) in normals.iter_mut().zip(&mut tangents) {
        let (x, y) = direction(draw);
        let one = draw.index(bodies);
        let two = draw.index(bodies + 1);
        for (body, sign) in [(one, 1), (two, -1)] {
            if body == bodies || (sign < 0 && body == one) {
                continue;
            }
            let (arm_x, arm_y) = (draw.between(-2, 2), draw.between(-2, 2));
            let at = 3 * body..3 * body + 3;
            // The moment of a direction (u, v) at the arm (a, b) is a v - b u.
            let along = |u: i64, v: i64| [sign * u, sign * v, sign * (arm_x * v - arm_y * u)];
            normal[at.clone()].copy_from_slice(&along(x, y));
            tangent[at].copy_from_slice(&along(y, -x));
        }
    }
    (normals, tangents)
}

/// A direction of small integers that is not 0.
fn direction(draw: &mut Draw) -> (i64, i64) {
    let steps = [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (3, 4), (4, 3)];
    let (x, y) = steps[draw.index(steps.len())];
    let x = if draw.one_in(2) { -x } else { x };
    (x, if draw.one_in(4) { -y } else { y })
}

/// Positive definite M, contacts of a normal row and one or two friction rows |z_i| <= mu z_j.
/// With a multiplier for each friction row this is copositive as in [`time_step`], and
/// z'Mz = 0 only for z = 0, so there is a solution for every q.
pub(super) fn pyramid(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let m = definite(draw, n);
    // Contacts that push: normals want a force.
    let mut q = draw.vector(n, Draw::unit);
    let mut friction = Vec::new();
    let mut normal = 0;
    while normal < n {
        q[normal] -= 0.5;
        let rows = (1 + draw.index(2)).min(n - normal - 1);
        let mu = draw.between(0, 12) as f64 * 0.125;
        friction.extend((1..=rows).map(|row| (normal + row, normal, mu)));
        normal += rows + 1;
    }
    Draft {
        friction,
        ..Draft::new(m, q)
    }
}
