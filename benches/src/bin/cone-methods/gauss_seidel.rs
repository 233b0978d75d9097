//! Block Gauss-Seidel with exact local solves (Jourdan, Alart and Jean 1998).

use etalon_lcp::Law;
use nalgebra::{DVector, Matrix3, Vector3};

use super::Clock;
use super::local::{Contact, Local, tangential};

/// Halvings of the interval of a multiplier.
const HALVINGS: u32 = 200;

/// Sweeps until the forces stand still.
pub fn solve(local: &Local, clock: &Clock) -> Option<DVector<f64>> {
    let mut r = DVector::zeros(local.q.len());
    loop {
        let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
        for contact in &local.contacts {
            let old = local.part(*contact, &r);
            let part = one_contact(local, *contact, &r, old)?;
            local.put(*contact, part, &mut r);
            moved = moved.max((part - old).amax());
            largest = largest.max(part.amax());
        }
        if moved <= 1e-15 * largest {
            return Some(r);
        }
        if clock.is_over() {
            return None;
        }
    }
}

/// The force of a contact where all others are what they are.
fn one_contact(
    local: &Local,
    contact: Contact,
    r: &DVector<f64>,
    old: Vector3<f64>,
) -> Option<Vector3<f64>> {
    let (at, size) = (contact.at, contact.size());
    let mut own = Matrix3::identity();
    let mut q = Vector3::zeros();
    for k in 0..size {
        q[k] = local.q[at + k] + local.w.row(at + k).transpose().dot(r);
        for j in 0..size {
            own[(k, j)] = local.w[(at + k, at + j)];
            q[k] -= own[(k, j)] * old[j];
        }
    }
    let mu = contact.mu;
    let opens = match local.law {
        Law::Coulomb => q[0] >= 0.0,
        Law::Convex => q[0] >= mu * tangential(q),
    };
    if opens {
        return Some(Vector3::zeros());
    }
    if mu == 0.0 {
        return (own[(0, 0)] > 0.0).then(|| Vector3::new(-q[0] / own[(0, 0)], 0.0, 0.0));
    }
    // r(L) of a contact that slides with the multiplier L; at L = 0 it sticks.
    let along = match local.law {
        Law::Coulomb => Vector3::new(0.0, 1.0, 1.0),
        Law::Convex => Vector3::new(-1.0, 1.0 / (mu * mu), 1.0 / (mu * mu)),
    };
    let force = |multiplier: f64| {
        (own + Matrix3::from_diagonal(&(along * multiplier)))
            .lu()
            .solve(&-q)
    };
    let excess = |force: Option<Vector3<f64>>| force.map(|force| tangential(force) - mu * force[0]);
    let stick = force(0.0);
    if excess(stick)? <= 0.0 {
        return stick;
    }
    let (mut low, mut high) = (0.0, own.trace());
    if local.law == Law::Coulomb {
        while excess(force(high))? > 0.0 {
            high *= 16.0;
            if !high.is_finite() {
                return None;
            }
        }
    } else {
        high = own[(0, 0)];
    }
    // Beyond the multiplier that makes the matrix singular the normal force is negative.
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        if middle == low || middle == high {
            break;
        }
        match force(middle) {
            Some(found) if found[0] > 0.0 && tangential(found) > mu * found[0] => low = middle,
            _ => high = middle,
        }
    }
    force(low)
}
