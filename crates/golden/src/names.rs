//! Names, unique over a run.

use std::collections::HashMap;

use crate::origin::Origin;

/// The names seen so far, each with the place where it stands.
#[derive(Debug, Default)]
pub struct Names(HashMap<String, Origin>);

/// Two records of one name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{second}: record {name:?}: the name is taken by the record at {first}")]
pub struct DuplicateName {
    /// The name.
    pub name: String,
    /// Where it stands first.
    pub first: Origin,
    /// Where it stands again.
    pub second: Origin,
}

impl Names {
    /// Takes a name for the record at `origin`.
    ///
    /// # Errors
    /// [`DuplicateName`] when another record has it; that one keeps it.
    pub fn take(&mut self, name: &str, origin: &Origin) -> Result<(), DuplicateName> {
        if let Some(first) = self.0.get(name) {
            return Err(DuplicateName {
                name: name.to_owned(),
                first: first.clone(),
                second: origin.clone(),
            });
        }
        self.0.insert(name.to_owned(), origin.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_taken_twice_names_both_places() {
        let mut names = Names::default();
        let (first, second) = (Origin::new("a.jsonl", 2), Origin::new("b.json", 1));
        names.take("p", &first).unwrap();
        let error = names.take("p", &second).unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"b.json:1: record "p": the name is taken by the record at a.jsonl:2"#
        );
    }
}
