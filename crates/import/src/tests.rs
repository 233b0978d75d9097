use super::*;
use etalon_lcp::record::{read_problem, write_problem};
use etalon_lcp::{Problem, Row};

fn problem(record: &str) -> Problem {
    read_problem(record).unwrap().record
}

fn same(a: &Problem, record: &str) {
    assert_eq!(write_problem(a), write_problem(&problem(record)));
}

#[test]
fn a_line_of_a_siconos_file_is_a_column() {
    // Murty's lower triangular matrix, as Siconos prints its columns.
    let text = "2\n0\n2\n2\n2\t2\n 1.0e+00 2.0e+00\n0 1\n-1 -1\n\n# a remark";
    same(
        &from_siconos("p", text, Contacts::default()).unwrap(),
        r#"{"name": "p", "M": [[1, 0], [2, 1]], "q": [-1, -1]}"#,
    );
}

#[test]
fn friction_in_the_plane_bounds_the_tangent_by_the_normal() {
    let text = "2\n1\n0\n2\n2\n2\t2\n 2 1\n 1 3\n-1 0.5\n 0.25";
    let read = from_siconos("p", text, Contacts::default()).unwrap();
    assert!(matches!(read.rows()[1], Row::Friction { normal: 0, .. }));
    assert_eq!(read.rows()[0], Row::Nonnegative);
    assert_eq!(read.m().get(1, 1).unwrap().to_f64(), 3.0);
}

#[test]
fn sparse_columns_stay_sparse() {
    let text = "2\n1\n2\n2\n2\n2\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) X, 2006-2016\n\
        2-by-2, nzmax: 3 nnz: 3, 1-norm: 4\n    col 0 : locations 0 to 1\n      0 : 2\n      1 : -1.5\n\
        col 1 : locations 2 to 2\n      1 : 3\n -1 0\n0.5";
    let read = from_siconos("p", text, Contacts::default()).unwrap();
    assert!(read.m().is_sparse());
    assert_eq!(read.m().get(1, 0).unwrap().to_f64(), -1.5);
    assert_eq!(read.m().stored(), 3);
}

#[test]
fn what_is_wrong_with_a_siconos_file_is_said() {
    let blocks = "2\n2\n1\n4\n4\n2";
    assert_eq!(
        from_siconos("p", blocks, Contacts::default()),
        Err(ImportError::Ended("the number of rows of blocks"))
    );
    assert_eq!(
        from_siconos("p", "", Contacts::default()),
        Err(ImportError::Ended("a size"))
    );
    for cut in [
        "2\n0\n2\n2\n2\t2\n1 2 3",
        "2\n0\n2\n2\n2 2\n1 0 0 1 -1",
        "9999999999\n0\n9999999999\n9999999999",
    ] {
        assert!(
            from_siconos("p", cut, Contacts::default()).is_err(),
            "{cut}"
        );
    }
    // Refused before memory is taken for them.
    let many = "9999999999\n0\n9999999999\n9999999999\n9999999999 9999999999\n1";
    assert_eq!(
        from_siconos("p", many, Contacts::default()),
        Err(ImportError::TooLarge(9_999_999_999))
    );
    let many = "%%MatrixMarket matrix array real general\n99999999999 1\n1";
    assert_eq!(
        from_matrix_market("p", many, many),
        Err(ImportError::TooLarge(99_999_999_999))
    );
    let nan = "1\n0\n1\n1\n1 1\nnan\n1";
    assert!(from_siconos("p", nan, Contacts::default()).is_err());
}

const Q: &str = "%%MatrixMarket matrix array real general\n2 1\n-1\n.5\n";

#[test]
fn matrix_market_pairs_are_read_in_all_layouts() {
    let m = "%%MatrixMarket matrix coordinate real symmetric\n% a remark\n2 2 3\n1 1 2\n2 1 -1\n2 2 3\n";
    let read = from_matrix_market("p", m, Q).unwrap();
    assert!(read.m().is_sparse());
    assert_eq!(entries(&read), [[2.0, -1.0], [-1.0, 3.0]]);
    assert_eq!(read.q()[1].to_f64(), 0.5);
    let by_columns = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n";
    same(
        &from_matrix_market("p", by_columns, Q).unwrap(),
        r#"{"name": "p", "M": [[1, 3], [2, 4]], "q": [-1, 0.5]}"#,
    );
    let skew = "%%MatrixMarket matrix array integer skew-symmetric\n2 2\n7\n";
    let read = from_matrix_market("p", skew, Q).unwrap();
    assert_eq!(entries(&read), [[0.0, -7.0], [7.0, 0.0]]);
}

fn entries(problem: &Problem) -> [[f64; 2]; 2] {
    let entry = |i, j| {
        problem
            .m()
            .get(i, j)
            .map_or(0.0, etalon_lcp::Number::to_f64)
    };
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

#[test]
fn broken_matrix_market_files_are_errors() {
    for m in [
        "",
        "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0",
        "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1",
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1",
        "%%MatrixMarket matrix array real general\n2 2\n1 2 3 4 5",
        "%%MatrixMarket matrix array real general\n99999999999 99999999999\n1",
        "%%MatrixMarket matrix array real general\n3 2\n1 2 3 4 5 6",
    ] {
        assert!(from_matrix_market("p", m, Q).is_err(), "{m}");
    }
}

#[test]
fn half_of_a_matrix_is_that_of_a_square_one() {
    // Mirrored, an entry of q would stand for another; beside a square, outside of the matrix.
    let m = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 2\n";
    for q in [
        "%%MatrixMarket matrix array real symmetric\n2 1\n-1\n.5\n",
        "%%MatrixMarket matrix coordinate real symmetric\n2 1 2\n1 1 -1\n2 1 .5\n",
        "%%MatrixMarket matrix array real skew-symmetric\n2 1\n.5\n",
        // Which of the two is q_0?
        "%%MatrixMarket matrix coordinate real general\n2 1 3\n1 1 -1\n1 1 5\n2 1 .5\n",
    ] {
        assert!(from_matrix_market("p", m, q).is_err(), "{q}");
    }
    let long = "%%MatrixMarket matrix array real general\n3 1\n-1\n-1\n-1\n";
    for m in [
        "%%MatrixMarket matrix array real symmetric\n3 2\n1\n2\n3\n4\n5\n",
        "%%MatrixMarket matrix array real skew-symmetric\n3 2\n2\n3\n5\n",
        "%%MatrixMarket matrix coordinate real symmetric\n3 2 1\n3 1 1\n",
        "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n1 1 5\n2 1 1\n",
    ] {
        assert!(from_matrix_market("p", m, long).is_err(), "{m}");
    }
    let sparse = "%%MatrixMarket matrix coordinate real general\n2 1 1\n2 1 .5\n";
    let read = from_matrix_market("p", m, sparse).unwrap();
    assert_eq!((read.q()[0].to_f64(), read.q()[1].to_f64()), (0.0, 0.5));
}

/// A file of FCLIB, as the HDF5 library wrote it (`tests/data/make_fclib.py`).
fn fclib(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    std::fs::read(format!("{folder}{file}.hdf5")).unwrap()
}

/// M z + q, of numbers that binary64 holds exactly.
fn w(problem: &Problem, z: &[f64]) -> Vec<f64> {
    let row = |i: usize| problem.m().row(i).map(|(j, value)| value.to_f64() * z[j]);
    let q = problem.q().iter().map(Number::to_f64);
    q.enumerate()
        .map(|(i, q)| q + row(i).sum::<f64>())
        .collect()
}

#[test]
fn the_storages_of_fclib_hold_one_matrix() {
    let read = |file: &str| from_fclib("p", fclib(file), Contacts::default()).unwrap();
    let columns = read("local_columns");
    assert!(columns.m().is_sparse());
    assert_eq!(write_problem(&columns), write_problem(&read("local_rows")));
    assert_eq!(
        write_problem(&columns),
        write_problem(&read("local_triplets"))
    );
    // The first corner: 1 up for its normal, 1/4 from rotation by the lever of 1/2.
    assert_eq!(columns.m().get(0, 0).unwrap().to_f64(), 2.0);
    assert_eq!(columns.m().get(0, 1).unwrap().to_f64(), -1.0);
    assert_eq!(w(&columns, &[0.0; 4]), [-1.0, 0.5, -1.0, 0.5]);
    let rows = columns.rows();
    assert_eq!((&rows[0], &rows[2]), (&Row::Nonnegative, &Row::Nonnegative));
    assert!(matches!(&rows[3], Row::Friction { normal: 2, mu, .. } if mu.to_f64() == 0.5));
}

#[test]
fn the_local_problem_is_the_global_one_without_velocities() {
    let r = [3.0, -1.0, 5.0, 2.0];
    // H r + f, and M = diag(1, 1, 1/4).
    let impulse = [r[1] + r[3] + 0.5, r[0] + r[2] - 1.0];
    let turn = 0.5 * (-r[0] + r[1] + r[2] + r[3]);
    for (local, global, joint) in [
        ("local_columns", "global", None),
        ("local_joint", "global_joint", Some(7.0)),
    ] {
        let local = from_fclib("p", fclib(local), Contacts::default()).unwrap();
        let global = from_fclib("p", fclib(global), Contacts::default()).unwrap();
        let rotation = 4.0 * (turn + joint.unwrap_or(0.0));
        let mut v = vec![impulse[0], impulse[1], rotation];
        v.extend(joint);
        v.extend(r);
        let mut own = r.to_vec();
        own.extend(joint);
        let (of_global, of_local) = (w(&global, &v), w(&local, &own));
        // v is what the impulses make it.
        assert_eq!(of_global[..3], [0.0; 3]);
        assert_eq!(of_global[of_global.len() - 4..], of_local[..4]);
        if joint.is_some() {
            assert_eq!(of_global[3], of_local[4]);
            assert_eq!(local.rows()[4], Row::Free);
        }
    }
}

#[test]
fn what_is_wrong_with_an_fclib_file_is_said() {
    let error = |bytes: Vec<u8>| from_fclib("p", bytes, Contacts::default()).unwrap_err();
    // Four rows, where contacts in space have three each.
    assert!(matches!(
        error(fclib("local_space")),
        ImportError::Unexpected {
            expected: "three rows a contact",
            ..
        }
    ));
    assert!(matches!(error(Vec::new()), ImportError::Hdf5(_)));
    assert!(matches!(error(b"no HDF5".to_vec()), ImportError::Hdf5(_)));
    let whole = fclib("global_joint");
    // Cut anywhere, or with any byte changed, it is an error or a problem, and never a panic.
    for end in (0..whole.len()).step_by(97) {
        let _ = from_fclib("p", whole[..end].to_vec(), Contacts::default());
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        let _ = from_fclib("p", changed, Contacts::default());
    }
}
