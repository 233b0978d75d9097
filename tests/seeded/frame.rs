// What the tests of seeded faults share. Each includes it at its root, where the copy of a crate asks `bug_is_on`, beside a
// module `seeded` with the faults.

thread_local! {
    static BUG: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// Whether fault k is on in this thread: what the copy asks.
fn bug_is_on(k: usize) -> bool {
    BUG.get() == Some(k)
}

/// What comes of something with fault k on.
fn with_bug<T>(k: usize, run: impl FnOnce() -> T) -> T {
    BUG.set(Some(k));
    let result = run();
    BUG.set(None);
    result
}

/// Each fault is caught: the hunt finds a case in which the copy is wrong, and says why.
fn assert_all_caught<'a>(bugs: &[seeded::Bug], hunt: impl Fn() -> Option<(&'a str, String)>) {
    let mut missed = Vec::new();
    for (k, bug) in bugs.iter().enumerate() {
        match with_bug(k, &hunt) {
            Some((case, why)) => println!("{} ({}): {case}: {why}", bug.name, bug.what),
            None => missed.push(bug.name),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

/// No two faults have one name, and there are so many at least.
fn assert_names_differ(bugs: &[seeded::Bug], least: usize) {
    let names: std::collections::BTreeSet<_> = bugs.iter().map(|bug| bug.name).collect();
    assert_eq!(names.len(), bugs.len());
    assert!(names.len() >= least);
}
