//! FCLIB's HDF5 files of frictional contact problems.
//!
//! A local problem is u = W r + V l + q, V'r + R l + s = 0; a global one M v = H r + G l + f, G'v + b = 0,
//! u = H'v + w (Acary, Brémond, Koziara, Pérignon, *FCLIB: a collection of discrete 3D frictional contact problems*,
//! INRIA RT-444, 2014). In both r and u belong to the contacts, normal before tangent, under Coulomb's law.

use etalon_lcp::{Number, Problem};
use hdf5_reader::{Hdf5File, OpenOptions};

use super::contacts::{Contacts, Dimension, Sign, Sparse, System, negated};
use super::{ImportError, unexpected};

/// The largest array of a file: as many doubles as the largest record has bytes to write them.
const MAX_ARRAY_BYTES: usize = 1 << 30;

/// The groups that hold a problem. A file may hold several forms of one; the local one has the fewest rows.
const GROUPS: [&str; 4] = [
    "fclib_local",
    "fclib_local_rolling",
    "fclib_global",
    "fclib_global_rolling",
];

/// The problem in the bytes of a file, under a name. Its variables are, of a local problem, r and l; of a global
/// one, v, l and r. Contacts are stated as `contacts` says, normal first; v and l are free, their rows equations. A solution that the
/// file holds is not read: many are placeholders.
///
/// # Errors
/// [`ImportError`], which names the field.
pub fn from_fclib(name: &str, bytes: Vec<u8>, contacts: Contacts) -> Result<Problem, ImportError> {
    let options = OpenOptions::default().with_max_read_bytes(MAX_ARRAY_BYTES);
    let file = Hdf5File::from_vec_with_options(bytes, options).map_err(hdf5)?;
    let root = file.root_group().map_err(hdf5)?;
    let (groups, _) = root.member_names().map_err(hdf5)?;
    let group = GROUPS
        .into_iter()
        .find(|name| groups.iter().any(|found| found == name));
    let Some(group) = group else {
        return Err(ImportError::Unsupported(
            "there is none of the groups /fclib_local, /fclib_local_rolling, /fclib_global and /fclib_global_rolling",
        ));
    };
    let is_local = group.starts_with("fclib_local");
    let group = Group::open(&file, group)?;
    let system = if is_local {
        local(&group)?
    } else {
        global(&group)?
    };
    system.into_problem(name, contacts)
}

fn hdf5(error: hdf5_reader::error::Error) -> ImportError {
    ImportError::Hdf5(error.to_string())
}

fn local(group: &Group<'_>) -> Result<System, ImportError> {
    let dimension = group.dimension()?;
    let w = group.matrix("W")?;
    let contacts = whole(w.rows, dimension)?;
    let mut system = System::new(dimension, 0, 0);
    group.coefficients(&mut system, contacts / dimension.rows())?;
    system.block(&w, (0, 0), Sign::Plus, contacts, contacts)?;
    system.constants = group.vector("vectors/q", contacts)?;
    if group.has("V") {
        let (v, r) = (group.matrix("V")?, group.matrix("R")?);
        let others = v.columns;
        system.block(&v, (0, contacts), Sign::Plus, contacts, others)?;
        let transposed = v.transposed();
        system.block(&transposed, (contacts, 0), Sign::Plus, others, contacts)?;
        system.block(&r, (contacts, contacts), Sign::Plus, others, others)?;
        system.constants.extend(group.vector("vectors/s", others)?);
    }
    system.size = system.constants.len();
    Ok(system)
}

fn global(group: &Group<'_>) -> Result<System, ImportError> {
    let dimension = group.dimension()?;
    let (m, h) = (group.matrix("M")?, group.matrix("H")?);
    let (moving, contacts) = (m.rows, whole(h.columns, dimension)?);
    let g = group.has("G").then(|| group.matrix("G")).transpose()?;
    let joints = g.as_ref().map_or(0, |g| g.columns);
    let first = moving + joints;
    let mut system = System::new(dimension, first, moving);
    group.coefficients(&mut system, contacts / dimension.rows())?;
    system.block(&m, (0, 0), Sign::Plus, moving, moving)?;
    system.block(&h, (0, first), Sign::Minus, moving, contacts)?;
    let transposed = h.transposed();
    system.block(&transposed, (first, 0), Sign::Plus, contacts, moving)?;
    let forces = group.vector("vectors/f", moving)?;
    system.constants = forces.iter().map(negated).collect();
    if let Some(g) = g {
        system.block(&g, (0, moving), Sign::Minus, moving, joints)?;
        system.block(&g.transposed(), (moving, 0), Sign::Plus, joints, moving)?;
        system.constants.extend(group.vector("vectors/b", joints)?);
    }
    system
        .constants
        .extend(group.vector("vectors/w", contacts)?);
    system.size = system.constants.len();
    Ok(system)
}

/// How many rows the contacts have: a whole number of contacts.
fn whole(rows: usize, dimension: Dimension) -> Result<usize, ImportError> {
    if rows.is_multiple_of(dimension.rows()) {
        return Ok(rows);
    }
    let expected = match dimension {
        Dimension::Two => "two rows a contact",
        Dimension::Three => "three rows a contact",
        Dimension::Five => "five rows a contact",
    };
    Err(unexpected(expected, &format!("{rows} rows")))
}

fn finite(name: &str, value: f64) -> Result<Number, ImportError> {
    let number = Number::from_f64(value);
    number.ok_or_else(|| unexpected("a finite number", &format!("{value} in {name}")))
}

/// A group of the file.
struct Group<'a> {
    file: &'a Hdf5File,
    path: &'static str,
    members: Vec<String>,
}

impl<'a> Group<'a> {
    fn open(file: &'a Hdf5File, path: &'static str) -> Result<Self, ImportError> {
        let group = file.group(&format!("/{path}")).map_err(hdf5)?;
        let (members, _) = group.member_names().map_err(hdf5)?;
        Ok(Self {
            file,
            path,
            members,
        })
    }

    fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member == name)
    }

    /// `spacedim`, or 5 where the group is one of rolling friction.
    fn dimension(&self) -> Result<Dimension, ImportError> {
        let stated = self.integer("spacedim")?;
        let rolling = self.path.ends_with("rolling");
        match (stated, rolling) {
            (2, false) => Ok(Dimension::Two),
            (3, false) => Ok(Dimension::Three),
            (3 | 5, true) => Ok(Dimension::Five),
            _ => Err(unexpected("a spacedim of 2 or 3", &stated.to_string())),
        }
    }

    /// The friction coefficients of so many contacts.
    fn coefficients(&self, system: &mut System, contacts: usize) -> Result<(), ImportError> {
        system.mu = self.vector("vectors/mu", contacts)?;
        if system.dimension == Dimension::Five {
            system.mu_rolling = self.vector("vectors/mu_r", contacts)?;
        }
        Ok(())
    }

    fn array<T: hdf5_reader::H5Type>(&self, name: &str) -> Result<Vec<T>, ImportError> {
        let path = format!("/{}/{name}", self.path);
        let read = || self.file.dataset(&path)?.read_array::<T>();
        let array = read().map_err(|error| ImportError::Hdf5(format!("{path}: {error}")))?;
        Ok(array.into_iter().collect())
    }

    fn integer(&self, name: &str) -> Result<i64, ImportError> {
        match self.array::<i32>(name)?.as_slice() {
            [value] => Ok(i64::from(*value)),
            _ => Err(unexpected("one integer", name)),
        }
    }

    fn size(&self, name: &str) -> Result<usize, ImportError> {
        let value = self.integer(name)?;
        let size = u64::try_from(value).map_err(|_| unexpected("a size", &value.to_string()))?;
        super::rows(size)
    }

    fn vector(&self, name: &str, length: usize) -> Result<Vec<Number>, ImportError> {
        let vector = self.array::<f64>(name)?;
        if vector.len() == length {
            return vector.into_iter().map(|x| finite(name, x)).collect();
        }
        Err(unexpected(
            "a vector as long as its matrix is wide",
            &format!("{name} of {}", vector.len()),
        ))
    }

    /// Triplets where `nz` counts them, by columns where it is -1, by rows where it is -2.
    fn matrix(&self, name: &'static str) -> Result<Sparse, ImportError> {
        let part = |part: &str| format!("{name}/{part}");
        let (rows, columns) = (self.size(&part("m"))?, self.size(&part("n"))?);
        let (p, i) = (self.indices(&part("p"))?, self.indices(&part("i"))?);
        let x = self.array::<f64>(&part("x"))?;
        let nz = self.integer(&part("nz"))?;
        let entries = match nz {
            -1 => compressed(&p, &i, &x, columns).map(swapped),
            -2 => compressed(&p, &i, &x, rows),
            0.. => triplets(&p, &i, &x, nz),
            _ => return Err(unexpected("nz of -2, -1 or a count", &nz.to_string())),
        };
        let entries = entries.ok_or_else(|| unexpected("p, i and x of one matrix", name))?;
        if entries.iter().any(|&(i, j, _)| i >= rows || j >= columns) {
            return Err(unexpected("indices within the matrix", name));
        }
        let number = |(i, j, x)| Ok((i, j, finite(name, x)?));
        let entries = entries.into_iter().map(number);
        let entries = entries.collect::<Result<_, ImportError>>()?;
        Ok(Sparse {
            name,
            rows,
            columns,
            entries,
            is_dense: false,
        })
    }

    fn indices(&self, name: &str) -> Result<Vec<usize>, ImportError> {
        let indices = self.array::<i32>(name)?;
        let indices = indices.into_iter().map(usize::try_from);
        let read: Result<_, _> = indices.collect();
        read.map_err(|_| unexpected("indices from 0", name))
    }
}

type Entries = Vec<(usize, usize, f64)>;

/// Rows p of a compressed matrix, of which row k has the entries p[k] to p[k + 1]; `None` where that is no matrix.
fn compressed(p: &[usize], i: &[usize], x: &[f64], rows: usize) -> Option<Entries> {
    if p.len() != rows + 1 || p.first() != Some(&0) {
        return None;
    }
    let mut entries = Vec::with_capacity(x.len());
    for (row, ends) in p.windows(2).enumerate() {
        let columns = i.get(ends[0]..ends[1])?;
        let values = x.get(ends[0]..ends[1])?;
        let pairs = columns.iter().zip(values);
        entries.extend(pairs.map(|(&column, &value)| (row, column, value)));
    }
    Some(entries)
}

/// Columns p, rows i, as CSparse has them.
fn triplets(p: &[usize], i: &[usize], x: &[f64], count: i64) -> Option<Entries> {
    let count = usize::try_from(count).ok()?;
    let (p, i, x) = (p.get(..count)?, i.get(..count)?, x.get(..count)?);
    let entries = p.iter().zip(i).zip(x);
    Some(
        entries
            .map(|((&column, &row), &x)| (row, column, x))
            .collect(),
    )
}

fn swapped(entries: Entries) -> Entries {
    entries.into_iter().map(|(i, j, x)| (j, i, x)).collect()
}
