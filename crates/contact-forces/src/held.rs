//! Drives that hold their speeds, with friction in the circular cone.
//!
//! The circular cone is no complementarity problem, and its search has no rows between two bounds. But each drive does one of three
//! things: it holds its speed, as a joint does whose force is found; or it gives way at its bound, forwards or backwards, and is a
//! force that is known. With a state for each drive the scene is one without such rows. States are tried as an active-set method
//! changes them, and an answer is one only where every drive keeps the conditions of its state.

use etalon_rigid::{JointRow, Scalar};

use crate::error::ForceError;
use crate::formulation::Formulation;

/// What a drive does that holds its speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// It keeps it: the acceleration is 0.
    Keeps,
    /// It pushes forwards with all that it has, and the joint slows down all the same.
    Forwards,
    /// It pushes backwards with all that it has, and the joint goes faster all the same.
    Backwards,
}

/// A drive that is found in another state than that it was tried in, which it changes to.
pub(crate) struct Change {
    drive: usize,
    to: Held,
}

impl<S: Scalar> Formulation<S> {
    /// The formulation in which each drive has its state.
    pub(crate) fn with_states(&self, states: &[Held]) -> Result<Self, ForceError> {
        let mut system = self.system().clone();
        for (own, state) in std::mem::take(&mut system.drives).into_iter().zip(states) {
            let force = match state {
                Held::Keeps => {
                    system.joints.push(JointRow {
                        name: own.name,
                        constraint: own.constraint,
                    });
                    continue;
                }
                Held::Forwards => own.bound,
                Held::Backwards => -own.bound,
            };
            own.constraint.row.add_to(&force, &mut system.applied);
        }
        Self::new(system, self.model())
    }

    /// The values of this formulation's variables from those of the one in which each drive has its state. Its rows are those of
    /// this one without the drives that give way: drives come last here, and there among the last joints.
    pub(crate) fn with_drives(&self, f: &[S], states: &[Held]) -> Vec<S> {
        let drives = &self.system().drives;
        let mut all = f[..self.n() - drives.len()].to_vec();
        let mut kept = f[self.n() - drives.len()..].iter();
        for (own, state) in drives.iter().zip(states) {
            all.push(match state {
                Held::Keeps => kept.next().cloned().unwrap_or_else(S::zero),
                Held::Forwards => own.bound.clone(),
                Held::Backwards => -own.bound.clone(),
            });
        }
        all
    }

    /// The first drive that does not keep the conditions of its state by so much at least, for forces of all variables: a force and an
    /// acceleration.
    pub(crate) fn changed(
        &self,
        f: &[S],
        states: &[Held],
        margins: [&S; 2],
    ) -> Result<Option<Change>, ForceError> {
        let forces = self.forces(f)?;
        let change = |(drive, state): (usize, &Held)| {
            let own = &forces.drives[drive];
            let over = own.force.abs() + margins[0] > own.bound;
            let to = match state {
                Held::Keeps if over && own.force.signum() > 0 => Held::Forwards,
                Held::Keeps if over => Held::Backwards,
                Held::Forwards if own.acceleration.clone() + margins[1] > S::zero() => Held::Keeps,
                Held::Backwards if own.acceleration.clone() < margins[1].clone() => Held::Keeps,
                _ => return None,
            };
            Some(Change { drive, to })
        };
        Ok(states.iter().enumerate().find_map(change))
    }

    /// The states that are tried: the drives keep their speeds, and then what `found` changes, one drive a time. `found` says which
    /// drive changes; none ends the search.
    pub(crate) fn search<T>(
        &self,
        mut found: impl FnMut(&[Held]) -> Result<Result<T, Option<Change>>, ForceError>,
    ) -> Result<Option<(T, Vec<Held>)>, ForceError> {
        let mut states = vec![Held::Keeps; self.system().drives.len()];
        let mut seen = Vec::new();
        loop {
            match found(&states)? {
                Ok(answer) => return Ok(Some((answer, states))),
                Err(Some(Change { drive, to })) => {
                    seen.push(states.clone());
                    states[drive] = to;
                }
                Err(None) => return Ok(None),
            }
            // States come again only where friction makes the active set turn in a circle.
            if seen.contains(&states) {
                return Ok(None);
            }
        }
    }
}
