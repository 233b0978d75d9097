//! The questions: problems of families at growing sizes.

use etalon_conformance::{Deadline, Family, all_families, generate};
use etalon_golden::{Origin, Suite};

use super::super::diff::Asked;
use crate::{Fatal, Result};

/// Generated problems.
pub struct Plan<'a> {
    pub families: &'a [String],
    pub sizes: &'a [usize],
    pub count: u64,
    pub seed: u64,
}

impl Plan<'_> {
    /// The problems, small ones first, at each size family by family. A family that does not have a
    /// size gives its next one. `late` counts what there was no time for.
    pub fn questions(&self, deadline: &Deadline<'_>, late: &mut usize) -> Result<Vec<Asked>> {
        let families: Result<Vec<_>> = self.families.iter().map(|name| find(name)).collect();
        let families = families?;
        let mut sizes = self.sizes.to_vec();
        sizes.sort_unstable();
        sizes.dedup();
        let mut asked: Vec<Asked> = Vec::new();
        for &size in &sizes {
            for family in &families {
                let Some(n) = (size..=family.sizes.max).find(|&n| family.sizes.contains(n)) else {
                    continue;
                };
                if deadline.is_over() {
                    *late += usize::try_from(self.count).unwrap_or(usize::MAX);
                    continue;
                }
                let problems = generate(family.name, n, self.count, self.seed);
                let problems = problems.map_err(|error| Fatal::Usage(error.to_string()))?;
                let new = problems.map(|problem| self.asked(family, n, problem));
                let known = |a: &Asked, b: &Asked| a.problem.name() == b.problem.name();
                let new: Vec<_> = new.filter(|a| !asked.iter().any(|b| known(a, b))).collect();
                asked.extend(new);
            }
        }
        Ok(asked)
    }

    fn asked(&self, family: &Family, n: usize, problem: etalon_lcp::Problem) -> Asked {
        let (name, count, seed) = (family.name, self.count, self.seed);
        let command = format!("etalon gen {name} --n {n} --count {count} --seed {seed}");
        Asked {
            problem,
            origin: Origin::new(command.clone(), 1),
            made_by: Some(command),
            suite: Suite {
                name: name.to_owned(),
                family: None,
                is_golden: false,
            },
        }
    }
}

fn find(name: &str) -> Result<&'static Family> {
    let found = all_families().find(|family| family.name == name);
    found.ok_or_else(|| {
        let names: Vec<_> = all_families().map(|family| family.name).collect();
        let names = names.join(", ");
        Fatal::Usage(format!(
            "--families: {name:?} is no family; the families are {names}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(plan: &Plan<'_>) -> Result<Vec<Asked>> {
        plan.questions(&Deadline::never(), &mut 0)
    }

    #[test]
    fn no_problem_is_asked_twice_and_small_ones_come_first() {
        let families = ["pd".to_owned(), "friction-four".to_owned()];
        let plan = Plan {
            families: &families,
            // Both sizes of friction are 6.
            sizes: &[12, 5, 6, 5],
            count: 2,
            seed: 3,
        };
        let names: Vec<_> = questions(&plan).unwrap_or_default();
        let names: Vec<_> = names.iter().map(|asked| asked.problem.name()).collect();
        assert_eq!(
            names[..4],
            [
                "pd/n5/s3/0",
                "pd/n5/s3/1",
                "friction-four/n6/s3/0",
                "friction-four/n6/s3/1"
            ]
        );
        assert_eq!(names.len(), 10);
        // Contacts are generated as well: solvers that can are sent them.
        let cones = Plan {
            families: &["cone".to_owned()],
            sizes: &[5],
            ..plan
        };
        let asked = questions(&cones).unwrap_or_default();
        assert!(asked.len() == 2 && asked.iter().all(|asked| !asked.problem.is_lcp()));
        let wrong = Plan {
            families: &["pq".to_owned()],
            ..plan
        };
        let error = questions(&wrong).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("\"pq\" is no family")));
    }
}
