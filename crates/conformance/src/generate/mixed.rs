//! Bodies in contact in mixed form: velocities are unknowns beside the forces, and a row of M has a few entries however many contacts
//! a body has.
//!
//! With A the masses, J the rows of the contacts and a the velocities without contacts, A v - J'r - A a = 0 and w = J v:
//! M = [[A, -J'], [J, 0]] and q = (-A a, 0), v free. Elimination of v leaves M = J W J' and q = J a of [`super::bodies`], W = A^-1.
//! A is 3 W^-1 for the W given there, for that is dyadic: forces are three times those of the LCP form.

use etalon_lcp::Law;

use super::bodies::{Dynamics, Row, with_opposites};
use super::cone::disc;
use super::draft::Draft;
use super::draw::{Draw, power_of_two};
use super::friction::add_cones;

/// The units of velocities are 2^-4.
const A_BITS: i32 = 4;

/// Inverse masses and moments of inertia are powers of two, or this times one.
const INVERSE: f64 = 3.0;

/// Contacts to choose from beyond those that n rows have room for.
const MORE: usize = 24;

/// No more contacts than these are needed for n rows, where a contact has so many rows, and a body so many coordinates and at most so many contacts
/// with bodies that come before it.
pub(super) fn most_contacts(n: usize, rows: usize, coordinates: usize, contacts: usize) -> usize {
    n * contacts / (rows * contacts + coordinates) + MORE
}

/// Contacts without friction: n rows.
pub(super) fn frictionless<const D: usize>(
    n: usize,
    mut normals: Vec<Row<D>>,
    dynamics: &Dynamics<D>,
) -> Draft {
    let bodies = cut(n, 1, &mut normals, dynamics.weights.len());
    motion(bodies, &normals, dynamics).with_free(D * bodies)
}

/// The time step of Stewart and Trinkle in its mixed form, n rows: the velocities, then the rows of [`super::friction::time_step`].
pub(super) fn with_friction<const D: usize, const T: usize>(
    draw: &mut Draw,
    n: usize,
    mut normals: Vec<Row<D>>,
    tangents: Vec<[Row<D>; T]>,
    dynamics: &Dynamics<D>,
) -> Draft {
    let bodies = cut(n, 2 * T + 2, &mut normals, dynamics.weights.len());
    let count = normals.len();
    let rows = with_opposites(normals, tangents.into_iter().take(count));
    let mut draft = motion(bodies, &rows, dynamics);
    add_cones(&mut draft, D * bodies, count, 2 * T, |_| {
        draw.between(1, 4) as f64 * 0.25
    });
    draft.with_free(D * bodies)
}

/// The same under Coulomb's law, n rows: the velocities, then the normal and the tangents of each contact.
pub(super) fn with_discs<const D: usize, const T: usize>(
    draw: &mut Draw,
    n: usize,
    mut normals: Vec<Row<D>>,
    tangents: Vec<[Row<D>; T]>,
    dynamics: &Dynamics<D>,
) -> Draft {
    let bodies = cut(n, T + 1, &mut normals, dynamics.weights.len());
    let contacts = normals.into_iter().zip(tangents);
    let rows: Vec<_> = contacts
        .flat_map(|(normal, tangents)| std::iter::once(normal).chain(tangents))
        .collect();
    let mut draft = motion(bodies, &rows, dynamics);
    let normals = (D * bodies..n).step_by(T + 1);
    draft.cones = normals
        .map(|normal| {
            let mu = draw.between(1, 4) as f64 * 0.25;
            disc(normal, normal + 1..=normal + T, mu, Law::Coulomb)
        })
        .collect();
    draft.with_free(D * bodies)
}

/// Keeps the contacts that make n rows with their bodies, so many rows a contact, and says how many bodies that are. The last of these
/// may be without contact.
fn cut<const D: usize>(n: usize, rows: usize, normals: &mut Vec<Row<D>>, bodies: usize) -> usize {
    let fits = |count: &usize| {
        let needed = normals[..*count].last().map_or(1, |row| row[0].0 + 1);
        let rest = n.checked_sub(rows * count)?;
        let own = rest / D;
        (rest % D == 0 && (needed..=bodies).contains(&own)).then_some((*count, own))
    };
    let found = (0..=normals.len()).rev().find_map(|count| fits(&count));
    // The sizes of the families are those that fit.
    let (count, own) = found.unwrap_or_default();
    normals.truncate(count);
    own
}

/// M = [[A, -J'], [J, 0]] and q = (-A a, 0) of the first bodies, with these rows of J.
fn motion<const D: usize>(bodies: usize, rows: &[Row<D>], dynamics: &Dynamics<D>) -> Draft {
    let free = D * bodies;
    let mut of_body = vec![Vec::new(); bodies];
    for (k, row) in rows.iter().enumerate() {
        for (body, v) in row {
            of_body[*body].push((free + k, *v));
        }
    }
    let mut q = vec![0.0; free + rows.len()];
    let mut sparse = Vec::new();
    let (unit, of_mass) = (power_of_two(-A_BITS), INVERSE * power_of_two(dynamics.bits));
    for (body, contacts) in of_body.iter().enumerate() {
        for d in 0..D {
            let i = D * body + d;
            let mass = of_mass / dynamics.weights[body][d] as f64;
            // Less than 0 as a difference, so that 0 has no sign.
            q[i] = 0.0 - mass * (dynamics.pushes[body][d] as f64 * unit);
            sparse.push((i, i, mass));
            let acting = contacts.iter().filter(|(_, v)| v[d] != 0);
            sparse.extend(acting.map(|(k, v)| (i, *k, -(v[d] as f64))));
        }
    }
    for (k, row) in rows.iter().enumerate() {
        for (body, v) in row.iter().rev() {
            let own = v.iter().enumerate().filter(|(_, v)| **v != 0);
            sparse.extend(own.map(|(d, v)| (free + k, D * body + d, *v as f64)));
        }
    }
    Draft {
        sparse,
        ..Draft::new(Vec::new(), q)
    }
}
