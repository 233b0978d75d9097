//! Processes that a solver has started and that have left its group, to be ended with it.
//!
//! `setsid` takes a process out of the group, and the death of its parent out of the family. What it
//! keeps is its environment: a variable of a name that no other run has marks whatever descends
//! from a solver. Only one that wipes its environment and starts another program is not found.

#[cfg(target_os = "linux")]
pub use linux::end;

/// A name for the variable that marks one run of a solver.
pub fn mark() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{SystemTime, UNIX_EPOCH};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Process numbers come again.
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |since| since.as_nanos());
    format!("ETALON_RUN_{}_{count}_{now}", std::process::id())
}

/// Other systems do not show a process's environment.
#[cfg(not(target_os = "linux"))]
pub fn end(_: &str) {}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    /// While some are ended others may be started, but not without end.
    const ROUNDS: u32 = 10;

    /// Ends every process that bears the mark.
    pub fn end(mark: &str) {
        let entry = format!("{mark}=").into_bytes();
        for _ in 0..ROUNDS {
            if end_once(&entry) == 0 {
                return;
            }
        }
    }

    /// How many were ended.
    fn end_once(entry: &[u8]) -> usize {
        let Ok(folder) = std::fs::read_dir("/proc") else {
            return 0;
        };
        let numbers = folder.filter_map(|file| file.ok()?.file_name().to_str()?.parse().ok());
        numbers.filter(|&pid| end_if_marked(pid, entry)).count()
    }

    fn end_if_marked(pid: i32, entry: &[u8]) -> bool {
        let Some(own) = Pid::from_raw(pid) else {
            return false;
        };
        // Held first, so that the number is still that of the process whose environment is read.
        let Ok(handle) = pidfd_open(own, PidfdFlags::empty()) else {
            return false;
        };
        // Of other users' processes it cannot be read, and of a zombie it is empty.
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mut entries = environment.split(|byte| *byte == 0);
        entries.any(|own| own.starts_with(entry))
            && pidfd_send_signal(&handle, Signal::KILL).is_ok()
    }
}
