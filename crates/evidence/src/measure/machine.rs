//! The machine that figures come from, as far as it says.

use std::fmt;
use std::process::Command;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

/// A machine on a day.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The processor's name for itself.
    pub processor: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// The compiler.
    pub rustc: String,
    /// Year-month-day, UTC.
    pub date: String,
    /// Processes that wanted to run, averaged over the last minute: above the number of cores the
    /// machine was busy with other things.
    pub load: Option<f64>,
}

impl Machine {
    /// This one, now.
    pub fn here() -> Self {
        let seconds = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |passed| passed.as_secs());
        Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".into()),
            cores: available_parallelism().map_or(1, usize::from),
            rustc: rustc(),
            date: date(seconds / 86_400),
            load: load(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            processor,
            cores,
            rustc,
            date,
            load,
        } = self;
        write!(f, "{processor}, {cores} cores, {rustc}, {date}")?;
        match load {
            Some(load) => write!(f, ", load {load:.1} at the start"),
            None => Ok(()),
        }
    }
}

/// The most memory that this process has held so far, in MiB.
pub fn peak_mebibytes() -> Option<u64> {
    peak_of(std::process::id())
}

/// The most memory that a running process has held so far, in MiB.
pub fn peak_of(process: u32) -> Option<u64> {
    let text = field(&format!("/proc/{process}/status"), "VmHWM")?;
    let kibibytes: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes / 1024)
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn rustc() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let words = text.unwrap_or_default();
    let mut words = words.split_whitespace();
    match (words.next(), words.next()) {
        (Some(name), Some(version)) => format!("{name} {version}"),
        _ => "rustc unknown".to_owned(),
    }
}

/// The Gregorian date so many days after 1970-01-01 (Hinnant's `civil_from_days`, whose years
/// begin in March).
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(11_017), "2000-03-01");
        assert_eq!(date(20_819), "2027-01-01");
    }
}
