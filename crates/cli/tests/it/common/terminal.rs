//! Running the binary on a terminal of its own.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::Workbench;

/// Runs a command on a terminal that shows colours, unless the settings of the environment say otherwise. Its status, and
/// what the terminal was sent: standard output and standard error, with `\r\n` at the ends of lines.
pub fn run(bench: &Workbench, settings: &[(&str, &str)], words: &[&str]) -> (i32, String) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let screen = File::options()
        .read(true)
        .write(true)
        .open(name.to_str().unwrap())
        .unwrap();
    let mut command = bench.command("");
    // A build server's `CI` counts as a terminal with colours, whatever `TERM` says.
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    let mut child = command
        .args(words)
        .env("TERM", "xterm")
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .stdout(screen.try_clone().unwrap())
        .stderr(screen)
        .spawn()
        .unwrap();
    // The command holds the screen's other end; once all are gone, reading ends.
    drop(command);
    let mut sent = Vec::new();
    // A terminal that nobody has open any more ends in an error, not in an end of file.
    let _ = File::from(terminal).read_to_end(&mut sent);
    let status = child.wait().unwrap().code().unwrap();
    (status, String::from_utf8_lossy(&sent).into_owned())
}
