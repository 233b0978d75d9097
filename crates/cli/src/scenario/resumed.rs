//! The file of a trajectory that a run goes on with.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use etalon_evidence::heading::changed;
use etalon_golden::trajectory::{Header, Line, line_text};
use etalon_scenarios::motion::{LENGTH, MotionRun};
use serde_json::{Map, Value};

use super::seen::Seen;
use super::usage;
use crate::{Fatal, Result};

/// What a file holds of a run.
#[derive(Default)]
struct Kept {
    /// The first line, with its end.
    header: String,
    /// The length of the whole lines, in bytes.
    whole: u64,
    /// The number of whole steps.
    steps: u64,
    before: Option<Line>,
    last: Option<Line>,
}

/// A file cut after its last whole line, with the trajectory gone on to there, and the steps that it holds
/// seen. Its header becomes that of the run, which may have another number of steps.
///
/// The last of them is taken again from the line before it: another version of this program, another build
/// of the same solver, or an edited line would go on with what is not its own.
pub(super) fn resumed(
    path: &Path,
    header: &Header,
    trajectory: &mut dyn MotionRun,
    seen: &mut Seen,
) -> Result<File> {
    let name = path.display();
    let wrong = |why: String| Fatal::Usage(format!("{name}: cannot go on: {why}"));
    let open = OpenOptions::new().read(true).write(true).open(path);
    let mut file = open.map_err(|source| wrong(source.to_string()))?;
    let kept = kept(&file, header, seen).map_err(wrong)?;
    if kept.steps > trajectory.steps() {
        return Err(wrong(format!(
            "it has {} steps, more than the {} of this run: give --steps {} or more, or another --out",
            kept.steps,
            trajectory.steps(),
            kept.steps
        )));
    }
    if let Some(line) = &kept.last
        && !comes_again(line, kept.before.as_ref(), trajectory)?
    {
        return Err(wrong(format!(
            "taken again from the line before it, its last step (k = {}) comes out otherwise: it is of another version of the program or of the solver, or was changed",
            line.k
        )));
    }
    let own = line_text(header) + "\n";
    if kept.header == own {
        file.set_len(kept.whole).map_err(Fatal::Output)?;
        file.seek(SeekFrom::End(0)).map_err(Fatal::Output)?;
        return Ok(file);
    }
    with_header(path, file, &kept, &own)
        .map_err(|error| wrong(format!("its header cannot be written anew: {error}")))
}

/// Reads the whole lines of a file, and compares its header.
fn kept(file: &File, header: &Header, seen: &mut Seen) -> std::result::Result<Kept, String> {
    let mut reader = BufReader::new(file);
    let (mut kept, mut text) = (Kept::default(), String::new());
    loop {
        text.clear();
        let length = reader.read_line(&mut text);
        let length = length.map_err(|error| error.to_string())?;
        if length == 0 || !text.ends_with('\n') {
            break;
        }
        if kept.whole == 0 {
            let Ok(found) = serde_json::from_str::<Value>(&text) else {
                break;
            };
            let own = serde_json::to_value(header).unwrap_or_default();
            let differences = differences(&found, &own);
            if !differences.is_empty() {
                let differences = differences.join("; ");
                return Err(format!("its header is that of another run: {differences}"));
            }
            kept.header.clone_from(&text);
        } else {
            let line: Line = match serde_json::from_str(&text) {
                Ok(line) => line,
                // What is whole JSON was not cut off: nothing after it is thrown away.
                Err(error) if error.is_data() => {
                    return Err(format!("{text:.40}... is no step: {error}"));
                }
                Err(_) => break,
            };
            seen.earlier(&line);
            kept.steps += 1;
            kept.before = kept.last.replace(line);
        }
        kept.whole += length as u64;
    }
    if kept.whole == 0 {
        return Err("it has no header".to_owned());
    }
    Ok(kept)
}

/// The file with another header and the same whole lines. It is written beside the old one and takes its
/// place once it is on the disk, so that a full disk or the end of the program at any moment loses nothing.
fn with_header(path: &Path, mut old: File, kept: &Kept, header: &str) -> io::Result<File> {
    let metadata = old.metadata()?;
    if !metadata.is_file() {
        let why = "it is no ordinary file, which another could take the place of";
        return Err(io::Error::other(why));
    }
    // A link stays one: what it points to is replaced.
    let path = fs::canonicalize(path)?;
    let beside = beside(&path);
    let mut create = OpenOptions::new();
    let file = create.write(true).create_new(true).open(&beside);
    let mut file = file.map_err(|error| {
        let name = beside.display();
        io::Error::other(format!("{name}: {error}; it is written there first"))
    })?;
    let mut copy = || {
        file.set_permissions(metadata.permissions())?;
        file.write_all(header.as_bytes())?;
        old.seek(SeekFrom::Start(kept.header.len() as u64))?;
        let rest = kept.whole - kept.header.len() as u64;
        let copied = io::copy(&mut (&old).take(rest), &mut file)?;
        if copied != rest {
            return Err(io::Error::other("it was cut short meanwhile"));
        }
        file.sync_all()
    };
    let placed = copy().and_then(|()| fs::rename(&beside, &path));
    if let Err(error) = placed {
        // The old file is as it was; half of a new one is of no use.
        let _ = fs::remove_file(&beside);
        return Err(error);
    }
    Ok(file)
}

/// The name of the file that takes the place of another: one of this process, so that what another one left
/// when it was killed, or a file of the user, is neither written over nor in the way.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    PathBuf::from(name)
}

/// Whether a step, taken again from the line before it, comes out as its line has it.
fn comes_again(line: &Line, before: Option<&Line>, trajectory: &mut dyn MotionRun) -> Result<bool> {
    if let Some(before) = before {
        trajectory.resume(before).map_err(usage)?;
    }
    let again = trajectory.advance().map_err(usage)?;
    // The line was read from its text, and so is the step.
    let own = serde_json::from_str::<Line>(&line_text(&again)).ok();
    Ok(own.as_ref() == Some(line))
}

/// The differences between two headers, each in a phrase; a run may get longer.
fn differences(found: &Value, own: &Value) -> Vec<String> {
    let (Some(found), Some(own)) = (found.as_object(), own.as_object()) else {
        return vec!["it is no object".to_owned()];
    };
    let names: BTreeSet<_> = found.keys().chain(own.keys()).collect();
    let mut differences = Vec::new();
    for name in names {
        match (found.get(name), own.get(name)) {
            (then, now) if then == now || name == "steps" => {}
            (Some(Value::Object(then)), Some(Value::Object(now))) if name == "parameters" => {
                let stay = |parameters: &Map<String, Value>| {
                    let mut parameters = parameters.clone();
                    parameters.retain(|name, _| !LENGTH.contains(&name.as_str()));
                    parameters
                };
                differences.extend(changed(&stay(then), &stay(now)));
            }
            (Some(then), Some(now)) if name == "scene" && endless(then) == endless(now) => {}
            (Some(then), Some(now)) if !then.is_object() && !then.is_array() => {
                differences.push(format!("{name} was {then} and is {now}"));
            }
            _ => differences.push(format!("{name} is another")),
        }
    }
    differences
}

/// The scene of a file without the number of its steps.
fn endless(scene: &Value) -> Value {
    let mut scene = scene.clone();
    if let Some(Value::Object(motion)) = scene.get_mut("motion") {
        motion.remove("steps");
    }
    scene
}
