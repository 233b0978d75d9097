//! FCLIB's HDF5 files of frictional contact problems in the plane.
//!
//! A local problem is u = W r + V l + q, V'r + R l + s = 0; a global one M v = H r + G l + f, G'v + b = 0,
//! u = H'v + w (Acary, Brémond, Koziara, Pérignon, *FCLIB: a collection of discrete 3D frictional contact problems*,
//! INRIA RT-444, 2014). In both r and u belong to the contacts, normal before tangent, under Coulomb's law.

use etalon_lcp::{Bound, Entry, Friction, Matrix, Number, Problem};
use hdf5_reader::{Hdf5File, OpenOptions};

use super::{ImportError, unexpected};

/// The largest array of a file: as many doubles as the largest record has bytes to write them.
const MAX_ARRAY_BYTES: usize = 1 << 30;

/// The problem in the bytes of a file, under a name. Its variables are, of a local problem, r and l; of a global
/// one, v, l and r. Row 2c of r is contact c's normal direction, row 2c + 1 its tangent with the bounds
/// -mu r_n <= r_t <= mu r_n; v and l are free, their rows equations. A solution that the file holds is not read.
///
/// # Errors
/// [`ImportError`]; [`ImportError::Unsupported`] for contacts in space, whose circular cones no linear
/// problem states.
pub fn from_fclib(name: &str, bytes: Vec<u8>) -> Result<Problem, ImportError> {
    let options = OpenOptions::default().with_max_read_bytes(MAX_ARRAY_BYTES);
    let file = Hdf5File::from_vec_with_options(bytes, options).map_err(hdf5)?;
    let root = file.root_group().map_err(hdf5)?;
    let (groups, _) = root.member_names().map_err(hdf5)?;
    let has = |group: &str| groups.iter().any(|found| found == group);
    // A file may hold both forms of one problem; the local one has the fewer rows.
    let system = if has("fclib_local") {
        local(&Group::open(&file, "/fclib_local")?)?
    } else if has("fclib_global") {
        global(&Group::open(&file, "/fclib_global")?)?
    } else {
        return Err(ImportError::Unsupported(
            "there is neither /fclib_local nor /fclib_global",
        ));
    };
    system.into_problem(name)
}

fn hdf5(error: hdf5_reader::error::Error) -> ImportError {
    ImportError::Hdf5(error.to_string())
}

/// A mixed problem, block by block.
struct System {
    size: usize,
    entries: Vec<Entry>,
    constants: Vec<f64>,
    /// The first row of the contacts, and mu of each.
    contacts: usize,
    mu: Vec<f64>,
}

fn local(group: &Group<'_>) -> Result<System, ImportError> {
    group.is_plane()?;
    let w = group.matrix("W")?;
    let contacts = pairs(w.rows)?;
    let mut system = System::new(0, group.vector("vectors/mu", contacts / 2)?);
    system.block(&w, (0, 0), 1.0, contacts, contacts)?;
    system.constants = group.vector("vectors/q", contacts)?;
    if group.has("V") {
        let (v, r) = (group.matrix("V")?, group.matrix("R")?);
        let others = v.columns;
        system.block(&v, (0, contacts), 1.0, contacts, others)?;
        system.block(&v.transposed(), (contacts, 0), 1.0, others, contacts)?;
        system.block(&r, (contacts, contacts), 1.0, others, others)?;
        system.constants.extend(group.vector("vectors/s", others)?);
    }
    system.size = system.constants.len();
    Ok(system)
}

fn global(group: &Group<'_>) -> Result<System, ImportError> {
    group.is_plane()?;
    let (m, h) = (group.matrix("M")?, group.matrix("H")?);
    let (moving, contacts) = (m.rows, pairs(h.columns)?);
    let g = group.has("G").then(|| group.matrix("G")).transpose()?;
    let joints = g.as_ref().map_or(0, |g| g.columns);
    let first = moving + joints;
    let mut system = System::new(first, group.vector("vectors/mu", contacts / 2)?);
    system.block(&m, (0, 0), 1.0, moving, moving)?;
    system.block(&h, (0, first), -1.0, moving, contacts)?;
    system.block(&h.transposed(), (first, 0), 1.0, contacts, moving)?;
    let forces = group.vector("vectors/f", moving)?;
    system.constants = forces.into_iter().map(|f| -f).collect();
    if let Some(g) = g {
        system.block(&g, (0, moving), -1.0, moving, joints)?;
        system.block(&g.transposed(), (moving, 0), 1.0, joints, moving)?;
        system.constants.extend(group.vector("vectors/b", joints)?);
    }
    system
        .constants
        .extend(group.vector("vectors/w", contacts)?);
    system.size = system.constants.len();
    Ok(system)
}

/// The rows of contacts in the plane come in pairs.
fn pairs(rows: usize) -> Result<usize, ImportError> {
    if rows.is_multiple_of(2) {
        return Ok(rows);
    }
    Err(unexpected("two rows a contact", &format!("{rows} rows")))
}

impl System {
    fn new(contacts: usize, mu: Vec<f64>) -> Self {
        Self {
            size: 0,
            entries: Vec::new(),
            constants: Vec::new(),
            contacts,
            mu,
        }
    }

    /// Puts a matrix, times a sign, where its rows and columns begin; it must have this many of each.
    fn block(
        &mut self,
        matrix: &Sparse,
        (top, left): (usize, usize),
        sign: f64,
        rows: usize,
        columns: usize,
    ) -> Result<(), ImportError> {
        if (matrix.rows, matrix.columns) != (rows, columns) {
            return Err(unexpected(
                "a matrix that fits the others",
                &format!("{} of {} x {}", matrix.name, matrix.rows, matrix.columns),
            ));
        }
        for &(i, j, value) in &matrix.entries {
            let value = finite(sign * value)?;
            self.entries
                .push(((top + i) as u64, (left + j) as u64, value));
        }
        Ok(())
    }

    fn into_problem(self, name: &str) -> Result<Problem, ImportError> {
        let size = super::rows(self.size as u64)? as u64;
        let matrix = Matrix::from_entries((size, size), self.entries)?;
        let q = self.constants.into_iter().map(finite);
        let q = q.collect::<Result<Vec<_>, _>>()?;
        let mut lower = vec![Bound::NegativeInfinity; self.size];
        let mut friction = Vec::new();
        for (contact, mu) in self.mu.into_iter().enumerate() {
            let normal = self.contacts + 2 * contact;
            lower[normal] = Bound::Finite(Number::from(0));
            friction.push(Friction {
                row: normal + 1,
                normal,
                mu: finite(mu)?,
            });
        }
        let problem = Problem::new(name, matrix, q)?.with_bounds(Some(lower), None)?;
        Ok(problem.with_friction(friction)?)
    }
}

fn finite(value: f64) -> Result<Number, ImportError> {
    Number::from_f64(value).ok_or_else(|| unexpected("a finite number", &value.to_string()))
}

/// A matrix as its entries.
struct Sparse {
    name: &'static str,
    rows: usize,
    columns: usize,
    entries: Vec<(usize, usize, f64)>,
}

impl Sparse {
    fn transposed(&self) -> Self {
        Self {
            name: self.name,
            rows: self.columns,
            columns: self.rows,
            entries: self.entries.iter().map(|&(i, j, x)| (j, i, x)).collect(),
        }
    }
}

/// A group of the file.
struct Group<'a> {
    file: &'a Hdf5File,
    path: &'static str,
    members: Vec<String>,
}

impl<'a> Group<'a> {
    fn open(file: &'a Hdf5File, path: &'static str) -> Result<Self, ImportError> {
        let group = file.group(path).map_err(hdf5)?;
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

    fn is_plane(&self) -> Result<(), ImportError> {
        match self.integer("spacedim")? {
            2 => Ok(()),
            3 => Err(super::CIRCULAR),
            other => Err(unexpected("a spacedim of 2 or 3", &other.to_string())),
        }
    }

    fn array<T: hdf5_reader::H5Type>(&self, name: &str) -> Result<Vec<T>, ImportError> {
        let path = format!("{}/{name}", self.path);
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

    fn vector(&self, name: &str, length: usize) -> Result<Vec<f64>, ImportError> {
        let vector = self.array::<f64>(name)?;
        if vector.len() == length {
            return Ok(vector);
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
        Ok(Sparse {
            name,
            rows,
            columns,
            entries,
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

fn triplets(p: &[usize], i: &[usize], x: &[f64], count: i64) -> Option<Entries> {
    let count = usize::try_from(count).ok()?;
    let (p, i, x) = (p.get(..count)?, i.get(..count)?, x.get(..count)?);
    let entries = p.iter().zip(i).zip(x);
    Some(
        entries
            .map(|((&row, &column), &x)| (row, column, x))
            .collect(),
    )
}

fn swapped(entries: Entries) -> Entries {
    entries.into_iter().map(|(i, j, x)| (j, i, x)).collect()
}
