//! ContactBench's archives of NumPy arrays: contact problems in space, u = G r + g, with the friction
//! coefficients `mus`. The rows of a contact are T1, T2, N there; records have N first.

use std::io::{Cursor, Read};

use etalon_lcp::{Number, Problem};
use npyz::{NpyFile, Order};
use zip::ZipArchive;

use super::contacts::{Contacts, Dimension, System};
use super::{ImportError, rows, unexpected};

/// The largest array of a file, in bytes.
const MAX_ARRAY_BYTES: u64 = 1 << 30;

/// The rows of a contact in the file that are N, T1, T2.
const ORDER: [usize; 3] = [2, 0, 1];

/// The problem in the bytes of a file, under a name. Row 3c is the normal of contact c, and w the relative velocity. A guess
/// of the answer that the file holds (`lam0`) is not read.
///
/// # Errors
/// [`ImportError`], which names the array.
pub fn from_contactbench(
    name: &str,
    bytes: &[u8],
    contacts: Contacts,
) -> Result<Problem, ImportError> {
    let archive = ZipArchive::new(Cursor::new(bytes));
    let mut archive = archive.map_err(|error| ImportError::Npz(error.to_string()))?;
    let mus = Array::read(&mut archive, "mus")?;
    let g = Array::read(&mut archive, "g")?;
    let matrix = Array::read(&mut archive, "G")?;
    let size = rows(3 * mus.values.len() as u64)?;
    if g.values.len() != size {
        let found = format!("g of {} entries", g.values.len());
        return Err(unexpected("three entries a contact", &found));
    }
    if matrix.shape != [size as u64, size as u64] {
        let found = format!("G of shape {:?}", matrix.shape);
        return Err(unexpected(
            "a square matrix with three rows a contact",
            &found,
        ));
    }
    let own = |row: usize| row / 3 * 3 + ORDER[row % 3];
    let mut system = System::new(Dimension::Three, 0, 0);
    for i in 0..size {
        for j in 0..size {
            let value = matrix.at(own(i), own(j), size);
            if value != 0.0 {
                let value = finite("G", value)?;
                system.entries.push((i as u64, j as u64, value));
            }
        }
        system.constants.push(finite("g", g.values[own(i)])?);
    }
    system.size = size;
    let mu = mus.values.iter().map(|&mu| finite("mus", mu));
    system.mu = mu.collect::<Result<_, _>>()?;
    system.into_problem(name, contacts)
}

fn finite(name: &str, value: f64) -> Result<Number, ImportError> {
    let number = Number::from_f64(value);
    number.ok_or_else(|| unexpected("a finite number", &format!("{value} in {name}")))
}

/// An array of binary64 numbers.
struct Array {
    shape: Vec<u64>,
    by_columns: bool,
    values: Vec<f64>,
}

impl Array {
    fn read(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str) -> Result<Self, ImportError> {
        let wrong = |why: String| ImportError::Npz(format!("{name}: {why}"));
        let entry = archive.by_name(&format!("{name}.npy"));
        let entry = entry.map_err(|error| wrong(error.to_string()))?;
        let mut bytes = Vec::new();
        // What is packed may be any number of times larger than the file.
        let mut entry = entry.take(MAX_ARRAY_BYTES + 1);
        let read = entry.read_to_end(&mut bytes);
        read.map_err(|error| wrong(error.to_string()))?;
        if bytes.len() as u64 > MAX_ARRAY_BYTES {
            return Err(wrong(format!("more than {MAX_ARRAY_BYTES} bytes")));
        }
        let file = NpyFile::new(&bytes[..]).map_err(|error| wrong(error.to_string()))?;
        let shape = file.shape().to_vec();
        // The head may promise more than there is, and memory is taken for what it promises.
        let entries = shape.iter().try_fold(1_u64, |n, k| n.checked_mul(*k));
        if entries
            .is_none_or(|entries| entries > MAX_ARRAY_BYTES / 8 || entries > bytes.len() as u64 / 8)
        {
            return Err(wrong(format!(
                "the shape {shape:?} has more entries than the file"
            )));
        }
        let by_columns = file.order() == Order::Fortran;
        let values = file
            .into_vec::<f64>()
            .map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            shape,
            by_columns,
            values,
        })
    }

    /// The entry of a square matrix.
    fn at(&self, i: usize, j: usize, size: usize) -> f64 {
        let place = if self.by_columns {
            j * size + i
        } else {
            i * size + j
        };
        self.values[place]
    }
}
