//! Writes the list of golden problems that the module carries, so that an installed wheel needs no
//! copy of the repository: `GOLDENS`, each file's path below `golden/problems` with its text.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/problems");
    let root = root.canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut list = "pub static GOLDENS: &[(&str, &str)] = &[\n".to_owned();
    for file in files {
        let name = file
            .strip_prefix(&root)?
            .to_string_lossy()
            .replace('\\', "/");
        writeln!(
            list,
            "    ({name:?}, include_str!({:?})),",
            file.display().to_string()
        )?;
    }
    list.push_str("];\n");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("goldens.rs"), list)?;
    Ok(())
}

/// The record files below a folder; recipes are no records.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().unwrap_or_default();
        if path.is_dir() {
            collect(&path, files)?;
        } else if (extension == "json" || extension == "jsonl")
            && path.file_name().is_some_and(|name| name != "recipe.json")
        {
            files.push(path);
        }
    }
    Ok(())
}
