//! Long work: without Python's lock, within a budget, until Ctrl-C.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use etalon::exact::{Budget, Stop};
use etalon::judge::proof_budget;
use pyo3::prelude::*;

use crate::error::Class;

/// How long Ctrl-C may go unnoticed.
const POLL: Duration = Duration::from_millis(50);

/// The budget of exact work.
pub fn budget(pivots: Option<u64>, bits: Option<u64>, time_limit: Option<f64>) -> PyResult<Budget> {
    let default = Budget::default();
    let time = time_limit.map(|seconds| match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(Class::Argument.error(format_args!(
            "time_limit is {seconds}; give seconds above 0"
        ))),
    });
    Ok(Budget {
        pivots: pivots.unwrap_or(default.pivots),
        bits: bits.unwrap_or(default.bits),
        time: time.transpose()?,
        ..default
    })
}

/// The budget of the proofs that verdicts need: the work is bounded where the time is not.
pub fn of_proofs(own: Budget) -> Budget {
    Budget {
        work: own.time.map_or(proof_budget().work, |_| own.work),
        ..own
    }
}

/// Does short work without Python's lock.
pub fn unlocked<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|panic| fault(&*panic))
}

/// Does long work on a thread of its own, without Python's lock; Ctrl-C raises KeyboardInterrupt
/// at once and stops the work at its next pivot.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, mut outcome) = channel();
    let worker = thread::Builder::new().name("etalon".to_owned());
    let spawned = worker.spawn(move || {
        // Where no thread waits any more, the outcome is not needed.
        let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
    });
    spawned
        .map_err(|error| Class::Internal.error(format_args!("no thread to work on: {error}")))?;
    loop {
        let received;
        (outcome, received) = py.detach(move || {
            let received = outcome.recv_timeout(POLL);
            (outcome, received)
        });
        match received {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(panic)) => return Err(fault(&*panic)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Class::Internal.error("the work ended without an outcome"));
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| stop.stop())?,
        }
    }
}

/// A panic as an exception that `except Exception` catches.
fn fault(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_default();
    Class::Internal.error(format_args!("a fault of etalon, please report it: {text}"))
}
