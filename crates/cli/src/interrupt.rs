//! Ctrl-C while the solver under test runs.

/// The exit status that shells give to a command ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Makes Ctrl-C end the solvers, too. They are in process groups of their own, which get no signal from the
/// terminal, and a solver that hangs would not notice the end of its input.
pub fn ends_solvers() {
    // Where there is a handler already, or Ctrl-C is ignored, that decides.
    let _ = ctrlc::try_set_handler(|| {
        etalon_conformance::process::end_all();
        std::process::exit(INTERRUPTED);
    });
}
