//! `etalon import`: files of other projects as records.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;

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

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/problems/cone");

#[test]
fn contacts_in_space_become_cones_under_the_chosen_law() {
    let bench = Workbench::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../import/tests/data");
    for (options, file, law, golden) in [
        (
            "",
            "FC3D_Example1_SBM.dat",
            "coulomb",
            "siconos/FC3D_Example1_SBM",
        ),
        (
            "",
            "RFC3D_sphere_1.dat",
            "coulomb",
            "siconos/RFC3D_sphere_1",
        ),
        (
            "--law convex",
            "sliding_cube.npz",
            "convex",
            "contactbench/sliding_cube_convex",
        ),
    ] {
        let ran = bench.run(&format!("import {options} {folder}/{file}"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(
            ran.stdout.contains(&format!(r#""law":"{law}""#)),
            "{}",
            ran.stdout
        );
        bench.write("problem.jsonl", &ran.stdout);
        // The answer of the golden with the same data is accepted.
        let record = std::fs::read_to_string(format!("{}/{golden}.json", GOLDEN)).unwrap();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        let z = &record["expect"]["answer"]["z"];
        let name = file.split('.').next().unwrap();
        bench.write(
            "claim.jsonl",
            format!(r#"{{"name": "{name}", "status": "solved", "z": {z}}}"#),
        );
        let checked = bench.run("check problem.jsonl claim.jsonl");
        assert_eq!(
            checked.status, 0,
            "{file}: {}{}",
            checked.stdout, checked.stderr
        );
    }
    let slider = format!("{folder}/FC2D_SliderCrankLagrangian00000.dat");
    let rows = bench.run(&format!("import {slider}"));
    assert!(rows.stdout.contains(r#""friction":"#), "{}", rows.stdout);
    let cones = bench.run(&format!("import --cones {slider}"));
    assert!(cones.stdout.contains(r#""cones":"#), "{}", cones.stdout);
}

#[test]
fn what_cannot_be_read_is_named() {
    let bench = Workbench::new();
    bench.write("M.mtx", "");
    bench.write("p.hdf5", "no HDF5");
    bench.write("p.npz", "no archive");
    bench.write("p.dat", "3\n1\n0\n3\n3\n");
    for (files, said) in [
        ("M.mtx", "M.mtx: its q.mtx is missing"),
        (
            "p.dat",
            "p.dat: the file ends where the number of rows was expected",
        ),
        ("p.npz", "p.npz: "),
        ("p.txt", "p.txt: only .mtx, .dat, .hdf5 and .npz"),
        ("none.dat", "none.dat: "),
        ("p.hdf5", "p.hdf5: "),
    ] {
        let ran = bench.run(&format!("import {files}"));
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}
