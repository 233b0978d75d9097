//! Velocities that contacts, joints and masses connect. What no impulse connects is not measured by each other: a fast body far away
//! makes no creeping one exact, and what one pile dissipates pays for no energy that another gains.

use rug::Rational;

use super::{Assembly, Row};

/// The groups of velocities, each with its largest speed and its largest normal impulse.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// The group of each velocity.
    of: Vec<usize>,
    speed: Vec<Rational>,
    normal: Vec<Rational>,
}

impl Groups {
    /// The groups of an assembly. `masses` are ranges of velocities that belong together (a body, a block of M), and `speeds` are speeds of
    /// translation, each at one of its velocities.
    pub fn of(
        assembly: &Assembly,
        masses: impl Iterator<Item = std::ops::Range<usize>>,
        speeds: impl Iterator<Item = (usize, Rational)>,
        translations: usize,
    ) -> Self {
        let n = assembly.change.len();
        let mut parent: Vec<usize> = (0..n).collect();
        let mut connect = |columns: &mut dyn Iterator<Item = usize>| {
            let mut first = None;
            for column in columns {
                let root = root(&mut parent, column);
                let first = *first.get_or_insert(root);
                parent[root] = first;
            }
        };
        for own in masses {
            connect(&mut own.into_iter());
        }
        let joints = assembly.joints.iter().map(|own| &own.rows);
        let contacts = assembly.contacts.iter().map(|own| &own.rows);
        for rows in contacts.chain(joints) {
            connect(&mut rows.iter().flatten().map(|(j, _)| *j));
        }
        let mut groups = Self {
            of: (0..n).map(|j| root(&mut parent, j)).collect(),
            speed: vec![Rational::new(); n],
            normal: vec![Rational::new(); n],
        };
        for (column, speed) in speeds {
            raise(&mut groups.speed[groups.of[column]], &speed);
        }
        for own in &assembly.contacts {
            let Some(group) = groups.at(&own.rows) else {
                continue;
            };
            for u in own.u.iter().flat_map(|u| &u[..translations.min(u.len())]) {
                raise(&mut groups.speed[group], u);
            }
            if let Some(normal) = own.impulse.as_ref().and_then(|own| own.first()) {
                raise(&mut groups.normal[group], normal);
            }
        }
        groups
    }

    /// The group of rows; none where no velocity is in them.
    pub fn at(&self, rows: &[Row]) -> Option<usize> {
        let (column, _) = rows.iter().flatten().next()?;
        Some(self.of[*column])
    }

    /// The largest speed that the rows are measured by: that of their group, or the share of the largest of all, if that is more.
    pub fn speed(&self, rows: &[Row], share: &Rational) -> Rational {
        self.size(&self.speed, rows, share)
    }

    /// The largest normal impulse that the impulses of the rows are measured by, likewise.
    pub fn normal(&self, rows: &[Row], share: &Rational) -> Rational {
        self.size(&self.normal, rows, share)
    }

    fn size(&self, sizes: &[Rational], rows: &[Row], share: &Rational) -> Rational {
        let own = self.at(rows).map(|group| sizes[group].clone());
        let all = sizes.iter().max().cloned().unwrap_or_default();
        own.unwrap_or_default().max(all * share)
    }

    /// The largest speed of all.
    pub fn fastest(&self) -> Rational {
        self.speed.iter().max().cloned().unwrap_or_default()
    }
}

/// The one that stands for the group, with the way to it made short.
fn root(parent: &mut [usize], mut own: usize) -> usize {
    while parent[own] != own {
        parent[own] = parent[parent[own]];
        own = parent[own];
    }
    own
}

fn raise(most: &mut Rational, own: &Rational) {
    let size = own.clone().abs();
    if size > *most {
        *most = size;
    }
}
