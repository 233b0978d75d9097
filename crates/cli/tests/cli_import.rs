//! `etalon import`: files of other projects as records.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::Workbench;

#[test]
fn files_of_other_projects_are_solved_through_a_pipe() {
    let bench = Workbench::new();
    // Columns of a lower triangular matrix; read as rows, it would have another solution.
    bench.write("murty.dat", "2\n0\n2\n2\n2\t2\n1 2\n0 1\n-1 -1\n");
    bench.write(
        "M.mtx",
        "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n",
    );
    bench.write(
        "q.mtx",
        "%%MatrixMarket matrix array real general\n2 1\n-1\n-1\n",
    );
    let ran = bench.run("import murty.dat M.mtx q.mtx");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let solved = bench.run_with("solve --method exact-lemke -", &ran.stdout);
    assert_eq!(
        solved.stdout.matches(r#""z":["1","0"]"#).count(),
        2,
        "{}",
        solved.stdout
    );
}

#[test]
fn a_box_on_two_corners_out_of_fclib_is_solved_and_judged() {
    let bench = Workbench::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../import/tests/data");
    for file in ["local_columns", "local_joint", "global", "global_joint"] {
        let ran = bench.run(&format!("import {folder}/{file}.hdf5"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        bench.write("problem.jsonl", &ran.stdout);
        let solved = bench.run("solve --method certified problem.jsonl");
        assert!(
            solved.stdout.contains(r#""status":"solved""#),
            "{file}: {}",
            solved.stdout
        );
        bench.write("claim.jsonl", &solved.stdout);
        let checked = bench.run("check problem.jsonl claim.jsonl");
        assert_eq!(
            checked.status, 0,
            "{file}: {}{}",
            checked.stdout, checked.stderr
        );
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let bench = Workbench::new();
    bench.write("M.mtx", "");
    bench.write("p.hdf5", "no HDF5");
    bench.write("p.dat", "3\n1\n0\n3\n3\n");
    for (files, said) in [
        ("M.mtx", "M.mtx: its q.mtx is missing"),
        ("p.dat", "p.dat: circular friction cones"),
        ("p.txt", "p.txt: only .mtx, .dat and .hdf5"),
        ("none.dat", "none.dat: "),
        ("p.hdf5", "p.hdf5: "),
    ] {
        let ran = bench.run(&format!("import {files}"));
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}
