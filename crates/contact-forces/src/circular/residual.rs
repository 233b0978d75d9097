//! The projections whose zeros are the forces, with their derivatives.

use etalon_rigid::Dense;

use super::Layout;

/// a = A f + b with the rows and their weights rho = 1/A_ii.
pub struct Residual<'a> {
    pub a: &'a Dense<f64>,
    pub b: &'a [f64],
    pub layout: &'a Layout,
    /// rho of each row; the same for all tangents of a contact.
    pub rho: Vec<f64>,
}

impl<'a> Residual<'a> {
    pub fn new(a: &'a Dense<f64>, b: &'a [f64], layout: &'a Layout) -> Self {
        let weight = |diagonal: f64| {
            let weight = 1.0 / diagonal;
            if diagonal > 0.0 && weight.is_finite() {
                weight
            } else {
                1.0
            }
        };
        let mut rho: Vec<f64> = (0..b.len()).map(|i| weight(a[(i, i)])).collect();
        for cone in &layout.cones {
            // One rho for all tangents of a contact, or the disc would be an ellipse in the units
            // of the projection. The least of them, with which no row moves too far.
            let least = cone
                .tangents
                .iter()
                .map(|&t| rho[t])
                .fold(f64::MAX, f64::min);
            cone.tangents.iter().for_each(|&t| rho[t] = least);
        }
        Self { a, b, layout, rho }
    }

    pub fn n(&self) -> usize {
        self.b.len()
    }

    pub fn acceleration(&self, f: &[f64]) -> Vec<f64> {
        let gained = self.a.times(f);
        gained.iter().zip(self.b).map(|(a, b)| a + b).collect()
    }

    /// p_N of a cone: not positive where the contact opens.
    pub fn pressed(&self, k: usize, f: &[f64], acceleration: &[f64]) -> f64 {
        let row = self.layout.cones[k].normal;
        f[row] - self.rho[row] * acceleration[row]
    }

    /// p_F of a cone.
    pub fn pulled(&self, k: usize, f: &[f64], acceleration: &[f64]) -> Vec<f64> {
        let rows = self.layout.cones[k].tangents.iter();
        rows.map(|&t| f[t] - self.rho[t] * acceleration[t])
            .collect()
    }

    /// Phi(f), n values, N.
    pub fn value(&self, f: &[f64]) -> Vec<f64> {
        let acceleration = self.acceleration(f);
        let mut phi: Vec<f64> = f.to_vec();
        for &joint in &self.layout.joints {
            phi[joint] = self.rho[joint] * acceleration[joint];
        }
        for (k, cone) in self.layout.cones.iter().enumerate() {
            let pressed = self.pressed(k, f, &acceleration).max(0.0);
            phi[cone.normal] = f[cone.normal] - pressed;
            let pulled = self.pulled(k, f, &acceleration);
            let factor = shrink(length(&pulled), cone.mu * pressed);
            for (&t, p) in cone.tangents.iter().zip(pulled) {
                phi[t] = f[t] - factor * p;
            }
        }
        phi
    }

    /// An element of the generalised derivative of Phi at f, n by n, as rows.
    pub fn derivative(&self, f: &[f64]) -> Vec<Vec<f64>> {
        let n = self.n();
        let acceleration = self.acceleration(f);
        let scaled = |row: usize| -> Vec<f64> {
            self.a.row(row).iter().map(|a| self.rho[row] * a).collect()
        };
        // d p_i = e_i - rho_i A_i.
        let moved = |row: usize| -> Vec<f64> {
            let mut moved: Vec<f64> = scaled(row).into_iter().map(|a| -a).collect();
            moved[row] += 1.0;
            moved
        };
        let mut rows: Vec<Vec<f64>> = (0..n).map(|i| unit(n, i)).collect();
        for &joint in &self.layout.joints {
            rows[joint] = scaled(joint);
        }
        for (k, cone) in self.layout.cones.iter().enumerate() {
            let pressed = self.pressed(k, f, &acceleration);
            // An open contact: phi is f itself, and its derivative the identity.
            if pressed <= 0.0 {
                continue;
            }
            rows[cone.normal] = scaled(cone.normal);
            let pulled = self.pulled(k, f, &acceleration);
            let (size, radius) = (length(&pulled), cone.mu * pressed);
            // At |p_F| = radius either piece's derivative is one of the generalised derivative.
            if size <= radius {
                for &t in &cone.tangents {
                    rows[t] = scaled(t);
                }
                continue;
            }
            // The derivative of radius p / |p|: u times that of the radius, and radius / |p| times dp
            // across u.
            let u: Vec<f64> = pulled.iter().map(|p| p / size).collect();
            let normal = moved(cone.normal);
            let tangents: Vec<_> = cone.tangents.iter().map(|&t| moved(t)).collect();
            for (i, &t) in cone.tangents.iter().enumerate() {
                for j in 0..n {
                    let along: f64 = u.iter().zip(&tangents).map(|(u, t)| u * t[j]).sum();
                    let across = tangents[i][j] - u[i] * along;
                    rows[t][j] -= cone.mu * u[i] * normal[j] + radius / size * across;
                }
            }
        }
        rows
    }
}

/// The factor that projects a vector of that length onto the disc of that radius.
pub fn shrink(length: f64, radius: f64) -> f64 {
    if length <= radius {
        1.0
    } else {
        radius / length
    }
}

pub fn length(vector: &[f64]) -> f64 {
    // `hypot` does not overflow or underflow where the squares would.
    vector.iter().fold(0.0, |sum: f64, v| sum.hypot(*v))
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    let mut unit = vec![0.0; n];
    unit[i] = 1.0;
    unit
}
