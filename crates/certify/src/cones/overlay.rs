//! Vectors that differ from another in few entries: the readings of a candidate, and what is measured at them.

use rug::Rational;

use crate::bounds::Vector;

/// A vector with some entries in place of those of its base.
pub(super) struct Overlay<'a> {
    base: &'a [Rational],
    changed: Vec<(usize, Rational)>,
    /// Of each entry, 1 + its position in `changed`, or 0; empty while nothing is changed.
    places: Vec<u32>,
}

impl Vector for Overlay<'_> {
    fn at(&self, i: usize) -> &Rational {
        self.place(i).map_or(&self.base[i], |k| &self.changed[k].1)
    }
}

impl<'a> Overlay<'a> {
    /// The base itself.
    pub fn new(base: &'a [Rational]) -> Self {
        Self {
            base,
            changed: Vec::new(),
            places: Vec::new(),
        }
    }

    fn place(&self, i: usize) -> Option<usize> {
        let place = *self.places.get(i)?;
        (place != 0).then(|| place as usize - 1)
    }

    /// Another entry.
    pub fn set(&mut self, i: usize, value: Rational) {
        if let Some(k) = self.place(i) {
            self.changed[k].1 = value;
            return;
        }
        if self.places.is_empty() {
            self.places = vec![0; self.base.len()];
        }
        self.changed.push((i, value));
        // The number of rows is far below 2^32.
        self.places[i] = self.changed.len() as u32;
    }

    /// The entries that were set.
    pub fn changed(&self) -> impl Iterator<Item = usize> {
        self.changed.iter().map(|(i, _)| *i)
    }

    /// Whether an entry was set.
    pub fn changes(&self, i: usize) -> bool {
        self.place(i).is_some()
    }

    /// The same, to be changed further.
    pub fn copy(&self) -> Self {
        Self {
            base: self.base,
            changed: self.changed.clone(),
            places: self.places.clone(),
        }
    }

    /// Whether another vector of the same base has the same entries.
    pub fn equals(&self, other: &Self) -> bool {
        let mut changed = self.changed().chain(other.changed());
        changed.all(|i| self.at(i) == other.at(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_overlay_is_the_vector_that_it_stands_for(
            base in proptest::collection::vec(-3..3_i32, 1..12),
            sets in proptest::collection::vec((0..12_usize, -3..3_i32), 0..20),
            others in proptest::collection::vec((0..12_usize, -3..3_i32), 0..20),
        ) {
            let base: Vec<_> = base.into_iter().map(Rational::from).collect();
            let of = |sets: &[(usize, i32)]| {
                let (mut plain, mut overlay) = (base.clone(), Overlay::new(&base));
                for (i, value) in sets.iter().map(|(i, value)| (i % base.len(), Rational::from(*value))) {
                    plain[i] = value.clone();
                    overlay.set(i, value);
                }
                (plain, overlay)
            };
            let ((plain, overlay), (other_plain, other)) = (of(&sets), of(&others));
            for (i, value) in plain.iter().enumerate() {
                prop_assert_eq!(overlay.at(i), value);
                let copy = overlay.copy();
                prop_assert_eq!(copy.at(i), value);
                prop_assert_eq!(overlay.changes(i), sets.iter().any(|(k, _)| k % base.len() == i));
            }
            prop_assert_eq!(overlay.equals(&other), plain == other_plain);
            prop_assert_eq!(other.equals(&overlay), plain == other_plain);
        }
    }
}
