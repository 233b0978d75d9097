//! Performance profiles (Dolan and More 2002): of each solver the share of problems that it solves
//! within a factor of the fastest.

/// The profile of one solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The solver.
    pub name: String,
    /// Factors, ascending from 1, and the share of problems solved within each: a staircase.
    pub steps: Vec<(f64, f64)>,
}

/// The profiles of solvers whose times on each problem are given, a row for each problem, `None`
/// where the solver failed. Problems without a right answer count against all.
pub fn profiles(names: &[&str], times: &[Vec<Option<f64>>]) -> Vec<Profile> {
    let best: Vec<_> = times.iter().map(|row| least(row)).collect();
    let profile = |(solver, name): (usize, &&str)| {
        let pairs = times.iter().zip(&best);
        let ratio = |(row, best): (&Vec<Option<f64>>, &Option<f64>)| {
            let time = row.get(solver).copied().flatten()?;
            Some(time / (*best)?)
        };
        let mut ratios: Vec<f64> = pairs.filter_map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let count = times.len().max(1) as f64;
        let steps = ratios.iter().enumerate();
        Profile {
            name: (*name).to_owned(),
            steps: steps.map(|(k, &r)| (r, (k + 1) as f64 / count)).collect(),
        }
    };
    names.iter().enumerate().map(profile).collect()
}

fn least(row: &[Option<f64>]) -> Option<f64> {
    row.iter().flatten().copied().min_by(f64::total_cmp)
}

impl Profile {
    /// The share of problems solved within that factor of the fastest.
    pub fn within(&self, factor: f64) -> f64 {
        let reached = self.steps.iter().take_while(|(ratio, _)| *ratio <= factor);
        reached.last().map_or(0.0, |(_, share)| *share)
    }

    /// The steps as corners of a line, up to a factor.
    pub fn staircase(&self, widest: f64) -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        let mut share = 0.0;
        for &(factor, next) in self.steps.iter().take_while(|step| step.0 <= widest) {
            points.extend([(factor, share), (factor, next)]);
            share = next;
        }
        points.push((widest, share));
        points
    }

    /// The share solved at all.
    pub fn solved(&self) -> f64 {
        self.within(f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_definition() {
        let times = [
            vec![Some(1.0), Some(2.0)],
            vec![Some(3.0), Some(1.0)],
            vec![Some(1.0), None],
            vec![None, None],
        ];
        let found = profiles(&["a", "b"], &times);
        assert_eq!(found[0].steps, [(1.0, 0.25), (1.0, 0.5), (3.0, 0.75)]);
        assert_eq!(found[0].within(1.0), 0.5);
        assert_eq!(found[0].within(2.9), 0.5);
        assert_eq!(found[0].solved(), 0.75);
        assert_eq!(found[1].within(1.0), 0.25);
        assert_eq!(found[1].solved(), 0.5);
    }
}
