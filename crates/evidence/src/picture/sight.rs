//! The plane on which a picture of space is drawn.

/// A vector of the plane (its last coordinate 0) or of space.
pub type Vector = [f64; 3];

/// A plane of space, seen from its front.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    across: Vector,
    up: Vector,
}

/// A plane of the world's axes is taken where it shows this part of what the best one shows.
const NEARLY: f64 = 0.98;

const X: Vector = [1.0, 0.0, 0.0];
const Y: Vector = [0.0, 1.0, 0.0];
const Z: Vector = [0.0, 0.0, 1.0];

impl Sight {
    /// The plane itself.
    pub const PLANE: Self = Self { across: X, up: Y };

    /// The plane that shows most of some vectors: of two axes of the world, or, where these show less, along the normals
    /// and the direction in which the vectors go across them, or along the normals.
    pub fn of(vectors: &[Vector], normals: &[Vector]) -> Self {
        let sum = normals.iter().fold([0.0; 3], |sum, own| add(sum, *own));
        let normal = unit(sum).unwrap_or(Z);
        let along = principal(vectors, normal);
        let own = [
            Self {
                across: along,
                up: normal,
            },
            Self {
                across: along,
                up: cross(normal, along),
            },
        ];
        let axes = [[X, Z], [Y, Z], [X, Y]].map(|[across, up]| Self { across, up });
        let best = |sights: &[Self]| {
            let mut best = (f64::NEG_INFINITY, sights[0]);
            for sight in sights {
                let shown = sight.shown(vectors);
                // The first of several that show the same.
                if shown > best.0 * (1.0 + 1e-9) {
                    best = (shown, *sight);
                }
            }
            best
        };
        let (plain, turned) = (best(&axes), best(&own));
        if plain.0 >= NEARLY * turned.0 {
            plain.1
        } else {
            turned.1
        }
    }

    /// The sum of the squares of what is seen of vectors.
    fn shown(&self, vectors: &[Vector]) -> f64 {
        let square = |own: &Vector| self.point(own).iter().map(|x| x * x).sum::<f64>();
        vectors.iter().map(square).sum()
    }

    /// Where a point, or a vector, is seen.
    pub fn point(&self, own: &Vector) -> [f64; 2] {
        [self.across, self.up].map(|axis| dot(axis, *own))
    }

    /// The names of the axes.
    pub fn axes(&self) -> [String; 2] {
        [self.across, self.up].map(|axis| format!("{}, m", name(axis)))
    }

    /// The direction in which one looks, in words.
    pub fn words(&self) -> String {
        format!("seen along {}", name(cross(self.up, self.across)))
    }
}

/// The direction across a normal in which vectors go most.
fn principal(vectors: &[Vector], normal: Vector) -> Vector {
    // The axis farthest from the normal: the product with it is far from 0.
    let least = [X, Y, Z]
        .into_iter()
        .min_by(|a, b| dot(*a, normal).abs().total_cmp(&dot(*b, normal).abs()));
    let first = unit(cross(normal, least.unwrap_or(X))).unwrap_or(X);
    let second = cross(normal, first);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for own in vectors {
        let (x, y) = (dot(*own, first), dot(*own, second));
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    // Half the angle of the main axis of a symmetric matrix.
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let (sin, cos) = angle.sin_cos();
    let along = add(scaled(first, cos), scaled(second, sin));
    let largest = along
        .into_iter()
        .max_by(|a, b| a.abs().total_cmp(&b.abs()))
        .unwrap_or(0.0);
    scaled(along, if largest < 0.0 { -1.0 } else { 1.0 })
}

/// An axis of the world by its letter, other directions by their entries.
fn name(axis: Vector) -> String {
    let letters = [(X, "x"), (Y, "y"), (Z, "z")];
    let is = |other: Vector| axis.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-12);
    if let Some((_, letter)) = letters.into_iter().find(|(own, _)| is(*own)) {
        return letter.to_owned();
    }
    match letters.into_iter().find(|(own, _)| is(scaled(*own, -1.0))) {
        Some((_, letter)) => format!("-{letter}"),
        None => super::digits::vector(&axis),
    }
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] + b[k])
}

fn scaled(own: Vector, by: f64) -> Vector {
    own.map(|x| x * by)
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn unit(own: Vector) -> Option<Vector> {
    let length = dot(own, own).sqrt();
    (length > 1e-12).then(|| scaled(own, 1.0 / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_shows_most_and_is_one_of_the_axes_where_it_may() {
        let seen = |vectors: &[Vector]| {
            let sight = Sight::of(vectors, &[Z]);
            (sight.axes().join(" "), sight.words())
        };
        let words = |axes: &str, along: &str| (axes.to_owned(), format!("seen along {along}"));
        assert_eq!(seen(&[[1.0, 0.0, 0.5]]), words("x, m z, m", "y"));
        assert_eq!(seen(&[[0.0, 1.0, 0.5]]), words("y, m z, m", "-x"));
        assert_eq!(
            seen(&[[1.0, 0.5, 0.0], [0.5, -1.0, 0.1]]),
            words("x, m y, m", "-z")
        );
        // At an angle to the axes neither of their planes shows all.
        assert_eq!(
            seen(&[[3.0, 4.0, 5.0], [3.0, 4.0, -5.0]]),
            words("(0.6, 0.8, 0), m z, m", "(-0.8, 0.6, 0)")
        );
        assert_eq!(seen(&[]), words("x, m z, m", "y"));
    }

    #[test]
    fn a_plane_of_its_own_is_square() {
        let sight = Sight::of(&[[1.0, 2.0, 2.0], [1.0, 2.0, -2.0]], &[[0.6, 0.0, 0.8]]);
        let (across, up) = (sight.across, sight.up);
        assert!((dot(across, across) - 1.0).abs() < 1e-12 && (dot(up, up) - 1.0).abs() < 1e-12);
        assert!(dot(across, up).abs() < 1e-12);
    }
}
