//! The warden ends a solver when this program cannot: after SIGKILL, SIGTERM, SIGHUP, or an abort.
//!
//! A shell of its own, out of reach of the terminal, reads from a pipe whose other end this program alone
//! holds. The system closes that end when the program ends, for whatever reason. The shell then ends the solver's
//! group and all processes that bear its mark. The parent-death signal of Linux would not do: it comes when
//! the *thread* that started the solver ends, reaches the solver alone and none of its children, and
//! asks for code between fork and exec.

use std::io::Write;
use std::process::{Child, Command, Stdio};

const SCRIPT: &str = include_str!("warden.sh");

/// A watch over one run of a solver; dropping it ends the watch, not the solver.
pub struct Warden(Option<Child>);

impl Warden {
    /// Begins to watch, before the solver is started: all processes that bear the mark end with this
    /// program. Without a shell there is no watch.
    pub fn start(mark: &str) -> Self {
        Self(start(mark))
    }

    /// The solver runs, and leads this group.
    pub fn watch_group(&mut self, group: u32) {
        self.tell(&format!("{group}\n"));
    }

    /// The group has been ended; its number may soon belong to another group.
    pub fn group_has_ended(&mut self) {
        self.tell("ended\n");
    }

    fn tell(&mut self, line: &str) {
        let pipe = self.0.as_mut().and_then(|shell| shell.stdin.as_mut());
        if let Some(pipe) = pipe {
            // A warden that was ended from outside watches no more; the solver continues without it.
            let _ = pipe.write_all(line.as_bytes());
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        if let Some(shell) = &mut self.0 {
            // Before the pipe closes, which would be the sign to act.
            let _ = shell.kill();
            let _ = shell.wait();
        }
    }
}

#[cfg(unix)]
fn start(mark: &str) -> Option<Child> {
    let mut shell = Command::new("/bin/sh");
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell
        .args(["-c", SCRIPT, "etalon-warden", mark])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    shell.spawn().ok()
}

#[cfg(not(unix))]
fn start(_: &str) -> Option<Child> {
    None
}
