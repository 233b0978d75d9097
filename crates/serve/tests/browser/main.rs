//! The page in a browser: Chromium without a window, driven from here. Where there is no Chromium or
//! no ChromeDriver, the tests are listed as ignored.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
mod contact;
mod driver;
mod names;
mod phone;
mod space;
mod tests;

use std::sync::{Arc, Mutex};

use driver::{Driver, Programs};
use libtest_mimic::{Arguments, Trial};

/// Browsers at a time, each with a driver of its own.
const BROWSERS: usize = 2;

fn main() {
    let mut arguments = Arguments::from_args();
    // Most of a test's time is waiting for a page, so another one runs beside it; more would keep each other waiting.
    arguments.test_threads.get_or_insert(BROWSERS);
    let programs = Programs::find();
    if programs.is_none() {
        eprintln!(
            "no chromium and chromedriver here: the browser tests are ignored (Debian: apt-get install \
             chromium chromium-driver)"
        );
    }
    let idle: Arc<Mutex<Vec<Driver>>> = Arc::default();
    let trials = (tests::ALL
        .iter()
        .chain(contact::ALL)
        .chain(names::ALL)
        .chain(phone::ALL)
        .chain(space::ALL))
    .map(|&(name, test)| {
        let (idle, programs) = (idle.clone(), programs.clone());
        let ignored = programs.is_none();
        let run = move || {
            let programs = programs.ok_or("no browser")?;
            let free = idle.lock().unwrap().pop();
            let mut driver = match free {
                Some(driver) => driver,
                None => Driver::start(&programs)?,
            };
            // The driver of a test that panics ends with it: it leaves nothing to the next one.
            let outcome = driver.run(test);
            idle.lock().unwrap().push(driver);
            outcome
        };
        Trial::test(format!("{name}_needs_chromium_and_chromedriver"), run)
            .with_ignored_flag(ignored)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    // Not on exit, which runs no destructor: ChromeDriver is to end, too.
    idle.lock().unwrap().clear();
    conclusion.exit();
}
