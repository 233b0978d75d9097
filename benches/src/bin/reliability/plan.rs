//! Which problems, and in which portions.

use etalon_conformance::{Family, families};

/// The sizes asked of every family: the next larger one that it has.
const SIZES: [usize; 12] = [1, 2, 3, 5, 8, 12, 16, 20, 28, 40, 60, 100];

/// Problems 0, 1, ..., count - 1 of a family at one size.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    /// The family.
    pub family: &'static Family,
    /// Their n.
    pub n: usize,
    /// How many.
    pub count: u64,
}

/// `count` problems of the families whose names contain `filter`, as evenly as can be.
pub fn plan(filter: &str, count: u64) -> Vec<Job> {
    let chosen = families().iter().filter(|f| f.name.contains(filter));
    let sizes: Vec<(&Family, Vec<usize>)> = chosen.map(|f| (f, sizes(f))).collect();
    let families = sizes.len() as u64;
    let mut jobs = Vec::new();
    for (k, (family, sizes)) in sizes.iter().enumerate() {
        let of_family = portion(count, families, k);
        let portions = sizes.len() as u64;
        jobs.extend(sizes.iter().enumerate().map(|(i, &n)| Job {
            family,
            n,
            count: portion(of_family, portions, i),
        }));
    }
    jobs.retain(|job| job.count > 0);
    jobs
}

/// Portion k when `whole` is shared among so many.
fn portion(whole: u64, among: u64, k: usize) -> u64 {
    whole / among + u64::from((k as u64) < whole % among)
}

fn sizes(family: &Family) -> Vec<usize> {
    let next = |n: usize| (n..=family.sizes.max).find(|&n| family.sizes.contains(n));
    let mut sizes: Vec<_> = SIZES.into_iter().filter_map(next).collect();
    sizes.dedup();
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_takes_part_and_the_count_is_met() {
        let jobs = plan("", 10_000);
        assert_eq!(jobs.iter().map(|job| job.count).sum::<u64>(), 10_000);
        let known = |f: &Family| jobs.iter().any(|job| job.family.name == f.name);
        assert!(families().iter().all(known));
        assert!(jobs.iter().all(|job| job.family.sizes.contains(job.n)));
    }

    #[test]
    fn few_problems_are_not_lost() {
        assert_eq!(plan("pd", 3).iter().map(|job| job.count).sum::<u64>(), 3);
        assert!(plan("no such family", 3).is_empty());
    }
}
