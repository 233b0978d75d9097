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

fn main() {
    let arguments = Arguments::from_args();
    let programs = Programs::find();
    if programs.is_none() {
        eprintln!(
            "no chromium and chromedriver here: the browser tests are ignored (Debian: apt-get install \
             chromium chromium-driver)"
        );
    }
    let driver: Arc<Mutex<Option<Driver>>> = Arc::new(Mutex::new(None));
    let trials = (tests::ALL
        .iter()
        .chain(contact::ALL)
        .chain(names::ALL)
        .chain(phone::ALL)
        .chain(space::ALL))
    .map(|&(name, test)| {
        let (driver, programs) = (driver.clone(), programs.clone());
        let ignored = programs.is_none();
        let run = move || {
            // One browser at a time; a test that failed leaves nothing to the next one.
            let mut driver = driver.lock().unwrap_or_else(|failed| failed.into_inner());
            let programs = programs.ok_or("no browser")?;
            let driver = match &mut *driver {
                Some(driver) => driver,
                none => none.insert(Driver::start(&programs)?),
            };
            driver.run(test)
        };
        Trial::test(format!("{name}_needs_chromium_and_chromedriver"), run)
            .with_ignored_flag(ignored)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    // Not on exit, which runs no destructor: ChromeDriver is to end, too.
    drop(
        driver
            .lock()
            .unwrap_or_else(|failed| failed.into_inner())
            .take(),
    );
    conclusion.exit();
}
