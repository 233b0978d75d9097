//! Packs this folder's goldens: one file of compressed texts, and a list that says where each begins.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec_zlib;

/// What is packed; the rest of the folder is this crate.
const PACKED: [&str; 7] = [
    "MANIFEST",
    "engines",
    "problems",
    "scenes",
    "space",
    "trajectories",
    "worlds",
];

/// What stands beside data for people alone.
const UNPACKED: [&str; 2] = ["md", "py"];

/// The level from which on these texts get smaller by less than a hundredth.
const LEVEL: u8 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    for name in PACKED {
        println!("cargo::rerun-if-changed={name}");
        collect(&root.join(name), &mut files)?;
    }
    let mut names = files
        .iter()
        .map(|file| Ok((name_of(file, &root)?, file)))
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    names.sort();
    let (mut packed, mut list) = (Vec::new(), "static FILES: &[File] = &[\n".to_owned());
    for (path, file) in names {
        let text = fs::read_to_string(file).map_err(|error| format!("{path}: {error}"))?;
        let (start, length) = (packed.len(), text.len());
        packed.extend(compress_to_vec_zlib(text.as_bytes(), LEVEL));
        let end = packed.len();
        writeln!(
            list,
            "    File {{ path: {path:?}, packed: {start}..{end}, length: {length} }},"
        )?;
    }
    list.push_str("];\n");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(out.join("files.rs"), list)?;
    fs::write(out.join("packed"), packed)?;
    Ok(())
}

/// The path below the folder, with `/` between its parts on every system.
fn name_of(file: &Path, root: &Path) -> Result<String, Box<dyn Error>> {
    let below = file.strip_prefix(root)?;
    let parts = below.iter().map(|part| part.to_string_lossy());
    Ok(parts.collect::<Vec<_>>().join("/"))
}

/// A file, or the files in a folder and below it.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if !path.is_dir() {
        let extension = path.extension();
        if !extension.is_some_and(|own| UNPACKED.iter().any(|other| own == *other)) {
            files.push(path.to_owned());
        }
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
