//! The exported functions: the only unsafe code of the crate.
//!
//! The header states the duties of a caller once. Pointers are NULL or point to as many values as the size
//! beside them says, and strings end in a NUL. Handles come from this library and are not freed yet. No thread
//! changes or frees during a call the objects that the call reads. Everything else is checked.

// Exporting a name is unsafe by itself, and the `# Safety` of every function is the paragraph above.
#![allow(unsafe_code, clippy::missing_safety_doc)]

mod pointers;

use std::ffi::{CString, c_char, c_int};
use std::sync::LazyLock;

use etalon::lcp::Number;
use etalon::lcp::record::write_problem;

use self::pointers::{
    array, exclusive, fill, free, hand_out, hand_out_text, optional, shared, text,
};
use crate::answer::{self, EtalonAnswer, OwnedAnswer};
use crate::options::{self, EtalonOptions};
use crate::problem::{self, EtalonFriction, EtalonProblem, Layout};
use crate::status::{self, Error, EtalonStatus, c_text, guarded};
use crate::verdict::{self, EtalonVerdict, OwnedVerdict};

/// Raised by every change that breaks programs compiled before.
pub const ETALON_ABI_VERSION: u32 = 1;

/// The ETALON_ABI_VERSION that the library was compiled with: compare it with that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn etalon_abi_version() -> u32 {
    ETALON_ABI_VERSION
}

/// The library's version with that of its arithmetic, such as "0.1.0 (GMP 6.3.0)". Never freed.
#[unsafe(no_mangle)]
pub extern "C" fn etalon_version() -> *const c_char {
    static VERSION: LazyLock<CString> = LazyLock::new(|| c_text(etalon::version::short()));
    VERSION.as_ptr()
}

/// What went wrong in the last call of this thread that failed, in a sentence; "" before the first. The text stays
/// until the next such call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn etalon_last_error() -> *const c_char {
    status::last_error()
}

/// A pure problem: z >= 0, w >= 0, z'w = 0. `m` holds n rows of n doubles, each row `stride` doubles after the one
/// before it (0: n), `q` n doubles. At most 32768 rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_new(
    n: usize,
    m: *const f64,
    stride: usize,
    q: *const f64,
    problem: *mut *mut EtalonProblem,
) -> EtalonStatus {
    let make = || {
        let layout = Layout::new(n, stride)?;
        // SAFETY: the caller's arrays have the lengths that the documentation asks for.
        let (m, q) = unsafe { (array(m, layout.length(), "m")?, array(q, n, "q")?) };
        Ok(Box::new(EtalonProblem(problem::dense(layout, m, q)?)))
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer.
    unsafe { hand_out(problem, "problem", make) }
}

/// A pure problem whose matrix has `count` entries `values[k]` at `(rows[k], columns[k])`, in any order, and is 0
/// elsewhere. At most 10000000 rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_new_sparse(
    n: usize,
    count: usize,
    rows: *const usize,
    columns: *const usize,
    values: *const f64,
    q: *const f64,
    problem: *mut *mut EtalonProblem,
) -> EtalonStatus {
    let make = || {
        // SAFETY: the caller's arrays have the lengths that the documentation asks for.
        let (places, values, q) = unsafe {
            let places = (
                array(rows, count, "rows")?,
                array(columns, count, "columns")?,
            );
            (places, array(values, count, "values")?, array(q, n, "q")?)
        };
        Ok(Box::new(EtalonProblem(problem::sparse(
            n, places, values, q,
        )?)))
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer.
    unsafe { hand_out(problem, "problem", make) }
}

/// A problem from an etalon-problem/1 record, which can hold exact fractions. Of its `expect` verdicts believe what is proved, until bounds or friction are set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_from_json(
    record: *const c_char,
    problem: *mut *mut EtalonProblem,
) -> EtalonStatus {
    let make = || {
        // SAFETY: the caller's string ends in a NUL.
        let record = unsafe { text(record, "record")? };
        Ok(Box::new(EtalonProblem(problem::from_record(record)?)))
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer.
    unsafe { hand_out(problem, "problem", make) }
}

/// Bounds on z, n each: -INFINITY and INFINITY for none, both for a bilateral row (w = 0). NULL stands for the
/// default, 0 below and INFINITY above. On failure the problem stays as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_set_bounds(
    problem: *mut EtalonProblem,
    lower: *const f64,
    upper: *const f64,
) -> EtalonStatus {
    guarded(|| {
        // SAFETY: a handle of ours; the caller's arrays have the lengths that the documentation asks for.
        let (problem, lower, upper) = unsafe {
            let problem = exclusive(problem, "problem")?;
            let n = problem.0.n();
            (
                problem,
                optional(lower, n, "lower")?,
                optional(upper, n, "upper")?,
            )
        };
        problem.set_bounds(lower, upper)
    })
}

/// Rows bounded by other rows; replaces those that were set before. On failure the problem stays as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_set_friction(
    problem: *mut EtalonProblem,
    rows: *const EtalonFriction,
    count: usize,
) -> EtalonStatus {
    guarded(|| {
        // SAFETY: a handle of ours; the caller's array has the length that the documentation asks for.
        let (problem, rows) =
            unsafe { (exclusive(problem, "problem")?, array(rows, count, "rows")?) };
        problem.set_friction(rows)
    })
}

/// Bounds and friction as ODE, Bullet and DART state them, n each: where `findex[i] >= 0`, `upper[i]` is the coefficient
/// of friction mu and `-mu z[findex[i]] <= z[i] <= mu z[findex[i]]`; elsewhere `lower[i] <= z[i] <= upper[i]`. Replaces
/// all bounds and friction rows. On failure the problem stays as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_set_findex(
    problem: *mut EtalonProblem,
    lower: *const f64,
    upper: *const f64,
    findex: *const c_int,
) -> EtalonStatus {
    guarded(|| {
        // SAFETY: a handle of ours; the caller's arrays have the lengths that the documentation asks for.
        let (problem, lower, upper, findex) = unsafe {
            let problem = exclusive(problem, "problem")?;
            let n = problem.0.n();
            let (lower, upper) = (array(lower, n, "lower")?, array(upper, n, "upper")?);
            (problem, lower, upper, array(findex, n, "findex")?)
        };
        problem.set_findex(lower, upper, findex)
    })
}

/// The name that the problem's records carry; "problem" where none was set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_set_name(
    problem: *mut EtalonProblem,
    name: *const c_char,
) -> EtalonStatus {
    guarded(|| {
        // SAFETY: a handle of ours; the caller's string ends in a NUL.
        let (problem, name) = unsafe { (exclusive(problem, "problem")?, text(name, "name")?) };
        problem.rename(name);
        Ok(())
    })
}

/// The number of rows n; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_size(problem: *const EtalonProblem) -> usize {
    // SAFETY: a handle of ours.
    unsafe { shared(problem, "problem") }.map_or(0, |problem| problem.0.n())
}

/// The etalon-problem/1 record in one line: what to keep of a problem that went wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_json(
    problem: *const EtalonProblem,
    json: *mut *mut c_char,
) -> EtalonStatus {
    // SAFETY: a handle of ours, and a pointer that is NULL or has room for a pointer.
    unsafe {
        hand_out_text(json, "json", || {
            Ok(write_problem(&shared(problem, "problem")?.0))
        })
    }
}

/// Frees a problem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_problem_free(problem: *mut EtalonProblem) {
    // SAFETY: it was made by `hand_out` from a box of this type.
    unsafe { free(problem) }
}

/// Options with their defaults. NULL in place of options means the same.
#[unsafe(no_mangle)]
pub extern "C" fn etalon_options_new() -> *mut EtalonOptions {
    Box::into_raw(Box::default())
}

/// Frees options, but not the text of their `method`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_options_free(options: *mut EtalonOptions) {
    // SAFETY: it was made by `etalon_options_new` from a box of this type.
    unsafe { free(options) }
}

/// Judges a solver's answer z of `length` entries: does it solve the problem? NaN, an infinity or another length than n
/// is no answer, which is the verdict "failed" and not an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_check(
    problem: *const EtalonProblem,
    z: *const f64,
    length: usize,
    options: *const EtalonOptions,
    verdict: *mut *mut EtalonVerdict,
) -> EtalonStatus {
    let check = || {
        // SAFETY: handles of ours; the caller's array is as long as it is said to be.
        let (problem, z, options) = unsafe {
            let problem = &shared(problem, "problem")?.0;
            (problem, array(z, length, "z")?, OptionsRef::of(options)?)
        };
        verdict::check(problem, &verdict::solved(problem, z), options.get())
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer; see `OwnedVerdict` for the type.
    unsafe { hand_out::<OwnedVerdict>(verdict.cast(), "verdict", check) }
}

/// Judges the claim that the problem has no solution, which is proved or refuted within the time limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_check_unsolvable(
    problem: *const EtalonProblem,
    options: *const EtalonOptions,
    verdict: *mut *mut EtalonVerdict,
) -> EtalonStatus {
    let check = || {
        // SAFETY: handles of ours.
        let (problem, options) =
            unsafe { (&shared(problem, "problem")?.0, OptionsRef::of(options)?) };
        verdict::check(problem, &verdict::unsolvable(problem), options.get())
    };
    // SAFETY: as in `etalon_check`.
    unsafe { hand_out::<OwnedVerdict>(verdict.cast(), "verdict", check) }
}

/// Judges an etalon-claim/1 record, which can hold exact fractions and certificates; its name is not compared.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_check_json(
    problem: *const EtalonProblem,
    claim: *const c_char,
    options: *const EtalonOptions,
    verdict: *mut *mut EtalonVerdict,
) -> EtalonStatus {
    let check = || {
        // SAFETY: handles of ours; the caller's string ends in a NUL.
        let (problem, claim, options) = unsafe {
            let problem = &shared(problem, "problem")?.0;
            (problem, text(claim, "claim")?, OptionsRef::of(options)?)
        };
        verdict::check(problem, &verdict::of_record(problem, claim)?, options.get())
    };
    // SAFETY: as in `etalon_check`.
    unsafe { hand_out::<OwnedVerdict>(verdict.cast(), "verdict", check) }
}

/// What would have been right, in doubles nearest to the exact values: `size` must be the verdict's `solution_size`,
/// and not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_verdict_solution(
    verdict: *const EtalonVerdict,
    z: *mut f64,
    size: usize,
) -> EtalonStatus {
    guarded(|| {
        // SAFETY: a handle of ours; see `OwnedVerdict` for the type.
        let verdict: &OwnedVerdict = unsafe { shared(verdict.cast(), "verdict")? };
        let solution = verdict.solution()?;
        let doubles = solution
            .iter()
            .map(|value| Number::from(value.clone()).to_f64());
        // SAFETY: the caller's array is as long as it is said to be.
        unsafe { fill(z, size, doubles) }
    })
}

/// Entry i of the same, exactly: "-7/5".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_verdict_solution_text(
    verdict: *const EtalonVerdict,
    i: usize,
    fraction: *mut *mut c_char,
) -> EtalonStatus {
    let entry = || {
        // SAFETY: a handle of ours; see `OwnedVerdict` for the type.
        let verdict: &OwnedVerdict = unsafe { shared(verdict.cast(), "verdict")? };
        let value = verdict.solution()?.get(i);
        Ok(value.ok_or_else(|| no_entry(i))?.to_string())
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer.
    unsafe { hand_out_text(fraction, "fraction", entry) }
}

/// The etalon-verdict/1 record in one line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_verdict_json(
    verdict: *const EtalonVerdict,
    json: *mut *mut c_char,
) -> EtalonStatus {
    let record = || {
        // SAFETY: a handle of ours; see `OwnedVerdict` for the type.
        let verdict: &OwnedVerdict = unsafe { shared(verdict.cast(), "verdict")? };
        Ok(verdict.json())
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer.
    unsafe { hand_out_text(json, "json", record) }
}

/// Frees a verdict with its texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_verdict_free(verdict: *mut EtalonVerdict) {
    // SAFETY: it was made by `hand_out` from a box of the whole type.
    unsafe { free(verdict.cast::<OwnedVerdict>()) }
}

/// Solves a problem by the method of the options. That a method gives up is the answer "failed" and not an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_solve(
    problem: *const EtalonProblem,
    options: *const EtalonOptions,
    answer: *mut *mut EtalonAnswer,
) -> EtalonStatus {
    let solve = || {
        // SAFETY: handles of ours; the text of the options ends in a NUL.
        let (problem, options, method) = unsafe {
            let options = OptionsRef::of(options)?;
            let name = options.get().method;
            let name = (!name.is_null())
                .then(|| text(name, "method"))
                .transpose()?;
            (
                &shared(problem, "problem")?.0,
                options,
                options::method(name)?,
            )
        };
        answer::solve(problem, method, options.get())
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer; see `OwnedAnswer` for the type.
    unsafe { hand_out::<OwnedAnswer>(answer.cast(), "answer", solve) }
}

/// The solution, in doubles nearest to the exact values: `size` must be the answer's `size`, and not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_answer_solution(
    answer: *const EtalonAnswer,
    z: *mut f64,
    size: usize,
) -> EtalonStatus {
    guarded(|| {
        // SAFETY: a handle of ours; see `OwnedAnswer` for the type.
        let answer: &OwnedAnswer = unsafe { shared(answer.cast(), "answer")? };
        let doubles = answer.solution()?.iter().map(Number::to_f64);
        // SAFETY: the caller's array is as long as it is said to be.
        unsafe { fill(z, size, doubles) }
    })
}

/// Entry i of the solution, exactly: "-7/5".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_answer_solution_text(
    answer: *const EtalonAnswer,
    i: usize,
    fraction: *mut *mut c_char,
) -> EtalonStatus {
    let entry = || {
        // SAFETY: a handle of ours; see `OwnedAnswer` for the type.
        let answer: &OwnedAnswer = unsafe { shared(answer.cast(), "answer")? };
        let value = answer.solution()?.get(i);
        Ok(value.ok_or_else(|| no_entry(i))?.to_rational().to_string())
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer.
    unsafe { hand_out_text(fraction, "fraction", entry) }
}

/// The etalon-claim/1 record in one line, with the exact solution or the proof that there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_answer_json(
    answer: *const EtalonAnswer,
    json: *mut *mut c_char,
) -> EtalonStatus {
    let record = || {
        // SAFETY: a handle of ours; see `OwnedAnswer` for the type.
        let answer: &OwnedAnswer = unsafe { shared(answer.cast(), "answer")? };
        Ok(answer.json())
    };
    // SAFETY: the caller's pointer is NULL or has room for a pointer.
    unsafe { hand_out_text(json, "json", record) }
}

/// Frees an answer with its texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_answer_free(answer: *mut EtalonAnswer) {
    // SAFETY: it was made by `hand_out` from a box of the whole type.
    unsafe { free(answer.cast::<OwnedAnswer>()) }
}

/// Frees a string that a function here has handed out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn etalon_string_free(string: *mut c_char) {
    if !string.is_null() {
        // SAFETY: it was made by `hand_out_text` from a `CString`, whose length has not changed.
        drop(unsafe { CString::from_raw(string) });
    }
}

fn no_entry(i: usize) -> Error {
    Error::Absent(format!("entry {i}"))
}

/// The caller's options, or the defaults.
enum OptionsRef<'a> {
    Given(&'a EtalonOptions),
    Default(Box<EtalonOptions>),
}

impl OptionsRef<'_> {
    unsafe fn of(options: *const EtalonOptions) -> Result<Self, Error> {
        if options.is_null() {
            return Ok(Self::Default(Box::default()));
        }
        // SAFETY: a handle of ours that no thread changes or frees during the call.
        Ok(Self::Given(unsafe { shared(options, "options")? }))
    }

    fn get(&self) -> &EtalonOptions {
        match self {
            Self::Given(options) => options,
            Self::Default(options) => options,
        }
    }
}
