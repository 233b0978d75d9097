//! Commands of the documents, run in a shell on the `etalon` that was just built.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Failed;
use snapbox::Assert;

use crate::blocks::Block;
use crate::root;

/// What of the repository commands read: the rest stays out of their reach.
const SHOWN: [&str; 5] = ["adapters", "crates", "docs", "examples", "golden"];

/// The word of a tutorial's remark for a folder with [`SHOWN`].
pub const REPOSITORY: &str = "repository";

/// What a command prints, and how it ends.
struct Said {
    output: String,
    status: Option<i32>,
}

/// A folder where commands run.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// With nothing in it.
    pub fn empty() -> Result<Self, Failed> {
        Ok(Self(tempfile::tempdir()?))
    }

    /// With what commands read of the repository, and the solver of the reader, who has one.
    pub fn with_repository() -> Result<Self, Failed> {
        let folder = Self::empty()?;
        for shown in SHOWN {
            std::os::unix::fs::symlink(root().join(shown), folder.path().join(shown))?;
        }
        let solver = folder.path().join("my_solver");
        std::fs::write(
            &solver,
            "#!/bin/sh\nexec etalon solve --method fast-auto -\n",
        )?;
        std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755))?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Runs the commands of a block in a folder of its own.
pub fn run(block: &Block) -> Result<(), Failed> {
    let remark = block.remark("console").unwrap_or_default();
    run_in(&Folder::with_repository()?, block, remark)
}

/// Runs the commands after `$` and compares what they print with what is shown: `...` stands for lines, `[..]`
/// for parts of one. All end with 0, but for the last where the remark has another `status`.
pub fn run_in(folder: &Folder, block: &Block, remark: &str) -> Result<(), Failed> {
    let wanted = status(remark)?;
    let commands: Vec<_> = block.text.split("$ ").skip(1).collect();
    if !block.text.starts_with("$ ") || commands.is_empty() {
        return Err("an example begins with `$ ` and a command".into());
    }
    let last = commands.len() - 1;
    for (k, example) in commands.into_iter().enumerate() {
        let (command, shown) = example.split_once('\n').unwrap_or((example, ""));
        let said = shell(command, folder.path())?;
        let wanted = if k == last { wanted } else { 0 };
        if said.status != Some(wanted) {
            let Said { output, status } = said;
            return Err(format!("{command}: ended with {status:?}, not {wanted}\n{output}").into());
        }
        let compared =
            Assert::new().try_eq(Some(&command), said.output.into(), shown.to_owned().into());
        compared.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Runs a block as a script, which has to end with 0 whatever it prints.
pub fn succeed(block: &Block) -> Result<(), Failed> {
    let folder = Folder::with_repository()?;
    let said = shell(&format!("set -e\n{}", block.text), folder.path())?;
    match said.status {
        Some(0) => Ok(()),
        status => Err(format!("ended with {status:?}\n{}", said.output).into()),
    }
}

fn status(remark: &str) -> Result<i32, Failed> {
    let mut wanted = 0;
    for word in remark.split_whitespace() {
        match word.split_once('=') {
            Some(("status", number)) => wanted = number.parse()?,
            Some(("needs", _)) => {}
            None if word == REPOSITORY => {}
            _ => return Err(format!("a remark that says nothing: {word}").into()),
        }
    }
    Ok(wanted)
}

fn shell(command: &str, folder: &Path) -> Result<Said, Failed> {
    let built = Path::new(env!("CARGO_BIN_EXE_etalon"));
    let built = built.parent().unwrap_or(Path::new("."));
    let others = std::env::var("PATH").unwrap_or_default();
    // Both streams in one, as on a terminal.
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:{}:{others}", built.display(), folder.display()),
        )
        // Nothing is downloaded by a test: what a solver under test needs is in the lock file of the workspace.
        .env("CARGO_NET_OFFLINE", "true")
        // Of a solver in Rust the compiler takes the time, not the solver.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        // A folder of the reader's own has no other target.
        .env_remove("CARGO_TARGET_DIR")
        .output()?;
    Ok(Said {
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        status: output.status.code(),
    })
}
