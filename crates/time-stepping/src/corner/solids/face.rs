//! The flat sides of convex bodies, in body coordinates.

use rug::{Float, Rational};

/// A side of a body, which is where normal'x <= offset for all of its sides.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidFace {
    /// The name, unique in its body; empty where it is the only one.
    pub name: String,
    /// The outward normal, of length 1 to 2^-100.
    pub normal: Vec<Rational>,
    /// m.
    pub offset: Rational,
    /// Unit vectors across the normal: in the plane the one that has it on its left.
    pub tangents: Vec<Vec<Rational>>,
    /// The corners on it, by their numbers in its body, ascending; none of a half-plane or half-space.
    pub corners: Vec<usize>,
}

/// An edge of a body in space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edge {
    /// The corners at its ends.
    pub ends: [usize; 2],
    /// The sides that meet at it.
    pub sides: [usize; 2],
}

/// The edges of the body with those sides, by their sides in order.
pub(super) fn edges(sides: &[SolidFace]) -> Vec<Edge> {
    let mut found = Vec::new();
    for (second, other) in sides.iter().enumerate() {
        for (first, own) in sides[..second].iter().enumerate() {
            let both = own.corners.iter().filter(|k| other.corners.contains(k));
            if let [one, two] = both.copied().collect::<Vec<_>>()[..] {
                found.push(Edge {
                    ends: [one, two],
                    sides: [first, second],
                });
            }
        }
    }
    found.sort_by_key(|own| own.sides);
    found
}

/// Corners of which no convex body is made, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSolid(pub String);

/// Bits behind the point of roots: far below the 40 of a state.
const ROOT_BITS: u32 = 100;

impl SolidFace {
    /// The side of a half-plane or half-space through the origin; `None` for a normal of no length.
    pub fn half_space(normal: &[Rational]) -> Option<Self> {
        Self::new(String::new(), normal, Rational::new(), Vec::new())
    }

    /// The side along that normal that all corners are behind, with those on it.
    fn of_corners(
        name: String,
        normal: &[Rational],
        corners: &[Vec<Rational>],
        on: Vec<usize>,
    ) -> Option<Self> {
        let unit = unit_vector(normal)?;
        // Rounding of the normal puts no corner outside.
        let offset = corners.iter().map(|own| dot(&unit, own)).max()?;
        Self::new(name, normal, offset, on)
    }

    fn new(
        name: String,
        normal: &[Rational],
        offset: Rational,
        corners: Vec<usize>,
    ) -> Option<Self> {
        let (normal, tangents) = frame(normal)?;
        Some(Self {
            name,
            normal,
            offset,
            tangents,
            corners,
        })
    }

    /// The sides of a convex polygon; side k goes from corner k to the next one.
    ///
    /// # Errors
    /// [`NoSolid`] where the corners are those of no convex polygon, in order, with an inside.
    pub fn polygon(corners: &[Vec<Rational>]) -> Result<Vec<Self>, NoSolid> {
        let n = corners.len();
        let edge = |k: usize| minus(&corners[(k + 1) % n], &corners[k % n]);
        let turn = |k: usize| {
            let (one, next) = (edge(k), edge(k + 1));
            Rational::from(&one[0] * &next[1]) - Rational::from(&one[1] * &next[0])
        };
        let turns: Vec<i32> = (0..n).map(|k| turn(k).cmp0() as i32).collect();
        let sign = turns.first().copied().unwrap_or_default();
        if n < 3 || sign == 0 || turns.iter().any(|own| *own != sign) || winds_twice(corners, sign)
        {
            return Err(NoSolid(
                "the corners are those of no convex polygon; give three or more, in order around it, none of them on the line of its neighbours".to_owned(),
            ));
        }
        let side = |k: usize| {
            let way = edge(k);
            let outward = [
                Rational::from(&way[1] * sign),
                Rational::from(&way[0] * -sign),
            ];
            let mut on = vec![k, (k + 1) % n];
            on.sort_unstable();
            Self::of_corners(format!("face {}", k + 1), &outward, corners, on)
        };
        let sides: Option<Vec<_>> = (0..n).map(side).collect();
        sides.ok_or_else(|| NoSolid("two corners are at one place; leave one out".to_owned()))
    }

    /// The sides of the convex hull of points in space, by their first corners in order.
    ///
    /// # Errors
    /// [`NoSolid`] where the hull has no inside, or a point is not one of its corners.
    pub fn polyhedron(corners: &[Vec<Rational>]) -> Result<Vec<Self>, NoSolid> {
        let n = corners.len();
        let mut found: Vec<(Vec<usize>, Vec<Rational>)> = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                for c in b + 1..n {
                    if found
                        .iter()
                        .any(|(on, _)| [a, b, c].iter().all(|k| on.contains(k)))
                    {
                        continue;
                    }
                    let normal = cross(
                        &minus(&corners[b], &corners[a]),
                        &minus(&corners[c], &corners[a]),
                    );
                    if let Some(own) = supporting(corners, a, normal) {
                        found.push(own);
                    }
                }
            }
        }
        let sides = found.iter().enumerate().map(|(k, (on, normal))| {
            Self::of_corners(format!("face {}", k + 1), normal, corners, on.clone())
        });
        let sides: Vec<_> = sides.flatten().collect();
        if sides.len() < 4 {
            return Err(NoSolid(
                "the corners are in one plane, so that there is no inside; move one out of it"
                    .to_owned(),
            ));
        }
        match (0..n).find(|k| found.iter().filter(|(on, _)| on.contains(k)).count() < 3) {
            None => Ok(sides),
            Some(k) => Err(NoSolid(format!(
                "point {} is no corner of the convex hull; leave it out",
                k + 1
            ))),
        }
    }
}

/// The corners on a plane through one of them that all others are on one side of, with its outward normal.
fn supporting(
    corners: &[Vec<Rational>],
    through: usize,
    normal: Vec<Rational>,
) -> Option<(Vec<usize>, Vec<Rational>)> {
    let level = dot(&normal, &corners[through]);
    let sides: Vec<i32> = corners
        .iter()
        .map(|own| dot(&normal, own).cmp(&level) as i32)
        .collect();
    let (above, below) = (sides.contains(&1), sides.contains(&-1));
    // Both: no side of the hull. None of both: all corners are in one plane, or three are in one line.
    if above == below {
        return None;
    }
    let on = (0..corners.len()).filter(|k| sides[*k] == 0).collect();
    let outward = match above {
        true => normal.iter().map(|own| Rational::from(-own)).collect(),
        false => normal,
    };
    Some((on, outward))
}

/// Whether a polygon whose corners all turn one way goes around more than once: then some corner is outside of some side.
fn winds_twice(corners: &[Vec<Rational>], sign: i32) -> bool {
    let n = corners.len();
    (0..n).any(|k| {
        let way = minus(&corners[(k + 1) % n], &corners[k]);
        corners.iter().any(|other| {
            let to = minus(other, &corners[k]);
            let side = Rational::from(&way[0] * &to[1]) - Rational::from(&way[1] * &to[0]);
            side.cmp0() as i32 * sign < 0
        })
    })
}

/// A direction of length 1, and unit vectors across it.
pub(super) fn frame(normal: &[Rational]) -> Option<(Vec<Rational>, Vec<Vec<Rational>>)> {
    let normal = unit_vector(normal)?;
    let tangents = match &normal[..] {
        [x, y] => vec![vec![y.clone(), Rational::from(-x)]],
        _ => {
            let first = unit_vector(&across(&normal))?;
            let second = cross(&normal, &first);
            vec![first, second]
        }
    };
    Some((normal, tangents))
}

/// A vector across another one: the axis furthest from it, without its part along it.
fn across(normal: &[Rational]) -> Vec<Rational> {
    let size = |k: &usize| normal[*k].clone().abs();
    let least = (0..normal.len()).min_by_key(size).unwrap_or_default();
    let part = |k: usize| {
        let along = Rational::from(&normal[least] * &normal[k]);
        Rational::from(i32::from(k == least)) - along
    };
    (0..normal.len()).map(part).collect()
}

/// The direction: exactly where the length is a fraction, else to 2^-100.
pub fn unit_vector(own: &[Rational]) -> Option<Vec<Rational>> {
    let square = dot(own, own);
    if square == 0 {
        return None;
    }
    if let Some(length) = etalon_rigid::Scalar::sqrt(&square) {
        return Some(
            own.iter()
                .map(|entry| Rational::from(entry / &length))
                .collect(),
        );
    }
    let inverse = Float::with_val(4 * ROOT_BITS, square)
        .sqrt()
        .recip()
        .to_rational()?;
    let round = |entry: &Rational| {
        let scaled = Rational::from(entry * &inverse) << ROOT_BITS;
        scaled.round() >> ROOT_BITS
    };
    Some(own.iter().map(round).collect())
}

pub(super) fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    let terms = a.iter().zip(b).map(|(a, b)| Rational::from(a * b));
    terms.fold(Rational::new(), |sum, term| sum + term)
}

fn minus(a: &[Rational], b: &[Rational]) -> Vec<Rational> {
    a.iter()
        .zip(b)
        .map(|(a, b)| Rational::from(a - b))
        .collect()
}

fn cross(a: &[Rational], b: &[Rational]) -> Vec<Rational> {
    let part = |i: usize, j: usize| Rational::from(&a[i] * &b[j]) - Rational::from(&a[j] * &b[i]);
    vec![part(1, 2), part(2, 0), part(0, 1)]
}
