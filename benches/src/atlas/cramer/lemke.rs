//! Lemke's method from its definition: each basis anew by Cramer's rule, no tableau.
//!
//! Iw - Mz - d z_0 = q with d = (1, ..., 1) (Cottle, Pang and Stone 1992, section 4.4). z_0 enters
//! for the row of the least q_i; from there on the complement of the variable that has left
//! enters. The ratio test takes the least x_r / (B^-1 a)_r, and z_0 whenever it is among the least.

use super::linear::Inverse;
use super::{Matrix, Vector};

/// Which of the rows that tie leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// As if q were q + (e, e^2, e^3) for a small e > 0 (section 4.9): the lexicographically least row of
    /// (B^-1 q, B^-1) over its entry of B^-1 a.
    Lexicographic,
    /// The first row, where a variable takes the row of the one that it replaces.
    FirstRow,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// q >= 0: z = 0 without a pivot.
    Start,
    /// z_0 has left.
    Solved,
    /// A secondary ray.
    Ray,
    /// A basis came twice.
    Cycle,
}

impl End {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Start, Self::Solved, Self::Ray, Self::Cycle];

    /// Its word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Solved => "solved",
            Self::Ray => "ray",
            Self::Cycle => "cycle",
        }
    }
}

/// A run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// How it ends.
    pub end: End,
    /// Pivots, that of z_0 included.
    pub pivots: usize,
    /// z of the last basis, times `over`.
    pub z: Vector,
    /// The denominator, positive.
    pub over: i64,
    /// Whether a rule for ties decided anything: if not, every rule walks the same path.
    pub tied: bool,
}

/// w_i is i, z_i is `Z + i`.
const Z: usize = 3;
const ARTIFICIAL: usize = 6;

/// The columns of (I, -M, -d).
struct System {
    n: usize,
    columns: [Vector; 7],
    q: Vector,
}

/// A basis, solved.
struct Solved {
    inverse: Inverse,
    x: Vector,
}

impl System {
    fn new(m: &Matrix, q: &Vector) -> Self {
        let mut columns = [[0; 3]; 7];
        for i in 0..m.n {
            columns[i][i] = 1;
            columns[Z + i] = m.column(i).map(|value| -value);
            columns[ARTIFICIAL][i] = -1;
        }
        Self {
            n: m.n,
            columns,
            q: *q,
        }
    }

    fn solve(&self, basis: &[usize; 3]) -> Solved {
        let mut columns = [[0; 3]; 3];
        for (column, &variable) in columns.iter_mut().zip(&basis[..self.n]) {
            *column = self.columns[variable];
        }
        let inverse = Inverse::new(&columns[..self.n]);
        let x = inverse.times(&self.q);
        Solved { inverse, x }
    }

    /// The row that leaves for `entering`, and whether a rule had to decide.
    fn leaving(&self, basis: &[usize; 3], entering: usize, ties: Ties) -> (Option<usize>, bool) {
        let Solved { inverse, x } = self.solve(basis);
        let rate = inverse.times(&self.columns[entering]);
        let order = |a: usize, b: usize| (x[a] * rate[b]).cmp(&(x[b] * rate[a]));
        let mut least = [0; 3];
        let mut count = 0;
        for r in (0..self.n).filter(|&r| rate[r] > 0) {
            let compared = if count == 0 {
                std::cmp::Ordering::Less
            } else {
                order(r, least[0])
            };
            if compared.is_lt() {
                count = 0;
            }
            if compared.is_le() {
                least[count] = r;
                count += 1;
            }
        }
        let least = &least[..count];
        if let Some(&r) = least.iter().find(|&&r| basis[r] == ARTIFICIAL) {
            return (Some(r), false);
        }
        let perturbed = |a: &usize, b: &usize| {
            let (row, other) = (inverse.adjugate[*a], inverse.adjugate[*b]);
            let scaled = row.map(|value| value * rate[*b]);
            scaled.cmp(&other.map(|value| value * rate[*a]))
        };
        let chosen = match ties {
            Ties::FirstRow => least.first().copied(),
            Ties::Lexicographic => least.iter().copied().min_by(perturbed),
        };
        (chosen, count > 1)
    }
}

/// Runs the method.
pub fn lemke(m: &Matrix, q: &Vector, ties: Ties) -> Walk {
    let system = System::new(m, q);
    let mut walk = Walk {
        end: End::Start,
        pivots: 0,
        z: [0; 3],
        over: 1,
        tied: false,
    };
    let Some(least) = q[..m.n].iter().copied().min().filter(|least| *least < 0) else {
        return walk;
    };
    let mut basis = [0, 1, 2];
    let mut rows = (0..m.n).filter(|&i| q[i] == least);
    // Of (q_i, I_i) with equal q_i the last is the lexicographically least.
    let first = match ties {
        Ties::Lexicographic => rows.clone().next_back(),
        Ties::FirstRow => rows.clone().next(),
    };
    walk.tied = rows.by_ref().count() > 1;
    let mut row = first.unwrap_or_default();
    let mut entering = ARTIFICIAL;
    let mut visited = 0_u64;
    loop {
        let left = std::mem::replace(&mut basis[row], entering);
        walk.pivots += 1;
        if left == ARTIFICIAL {
            walk.end = End::Solved;
            break;
        }
        let bits = basis[..m.n].iter().filter(|own| **own != ARTIFICIAL);
        let seen = 1 << bits.fold(0, |set, own| set | 1_u64 << own);
        if visited & seen != 0 {
            walk.end = End::Cycle;
            break;
        }
        visited |= seen;
        entering = if left < Z { left + Z } else { left - Z };
        let (leaving, tied) = system.leaving(&basis, entering, ties);
        walk.tied |= tied;
        match leaving {
            Some(r) => row = r,
            None => {
                walk.end = End::Ray;
                break;
            }
        }
    }
    finish(&system, &basis, walk)
}

/// The runs with both rules for ties, the lexicographic one first.
pub fn both(m: &Matrix, q: &Vector) -> [Walk; 2] {
    let perturbed = lemke(m, q, Ties::Lexicographic);
    // Where no rule decided anything the paths are one.
    let plain = if perturbed.tied {
        lemke(m, q, Ties::FirstRow)
    } else {
        perturbed
    };
    [perturbed, plain]
}

fn finish(system: &System, basis: &[usize; 3], mut walk: Walk) -> Walk {
    let solved = system.solve(basis);
    walk.over = solved.inverse.size;
    for (r, &variable) in basis[..system.n].iter().enumerate() {
        if (Z..ARTIFICIAL).contains(&variable) {
            walk.z[variable - Z] = solved.x[r];
        }
    }
    walk
}
