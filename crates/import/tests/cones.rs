//! Contacts with friction cones out of the files of other projects, held against the goldens that hold the same
//! data, and files that are broken.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::Path;

use etalon_import::{Contacts, ImportError, from_contactbench, from_fclib, from_siconos};
use etalon_lcp::record::read_problem;
use etalon_lcp::{Law, Number, Problem, Row};
use npyz::WriterBuilder;
use zip::write::SimpleFileOptions;

fn bytes(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    std::fs::read(folder.join(file)).unwrap()
}

fn text(file: &str) -> String {
    String::from_utf8(bytes(file)).unwrap()
}

fn golden(name: &str) -> Problem {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/problems/cone");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    read_problem(&text).unwrap().record
}

const IN_CONES: Contacts = Contacts {
    law: Law::Coulomb,
    cones_in_plane: true,
};

const CONVEX: Contacts = Contacts {
    law: Law::Convex,
    cones_in_plane: false,
};

fn siconos(file: &str) -> Problem {
    from_siconos("p", &text(file), IN_CONES).unwrap()
}

/// The entries that are not 0, whichever way they are written.
fn entries(problem: &Problem) -> Vec<(usize, usize, Number)> {
    let row = |i: usize| problem.m().row(i).map(move |(j, x)| (i, j, x.clone()));
    let all = (0..problem.n()).flat_map(row);
    let mut entries: Vec<_> = all.filter(|(_, _, x)| !x.is_zero()).collect();
    entries.sort_by_key(|(i, j, _)| (*i, *j));
    entries
}

fn assert_same(read: &Problem, golden: &Problem) {
    let name = golden.name();
    assert_eq!(entries(read), entries(golden), "{name}");
    assert_eq!(read.q(), golden.q(), "{name}");
    assert_eq!(read.cones(), golden.cones(), "{name}");
    assert_eq!(read.rows(), golden.rows(), "{name}");
    assert_eq!(read.blocks(), golden.blocks(), "{name}");
}

#[test]
fn real_files_are_read_as_the_goldens_have_them() {
    for file in [
        "FC2D_SliderCrankLagrangian00000",
        "FC3D_Example1_SBM",
        "FrictionContact3D_1c",
        "GFC3D_Example00",
        "RFC3D_sphere_1",
    ] {
        let read = siconos(&format!("{file}.dat"));
        assert_same(&read, &golden(&format!("siconos/{file}.json")));
    }
    let read = from_contactbench("p", &bytes("sliding_cube.npz"), IN_CONES).unwrap();
    assert_same(&read, &golden("contactbench/sliding_cube.json"));
    let read = from_contactbench("p", &bytes("sliding_cube.npz"), CONVEX).unwrap();
    assert_same(&read, &golden("contactbench/sliding_cube_convex.json"));
    // The same numbers in another storage: H is 9 x 3, in blocks.
    let read = siconos("GFC3D_Example0_SBM.dat");
    assert_same(&read, &golden("siconos/GFC3D_Example0.json"));
}

#[test]
fn what_csparse_prints_is_the_dense_matrix_to_seven_digits() {
    let printed = siconos("rfc3d_sphere_from_grfc3d.dat");
    let dense = golden("siconos/rfc3d_sphere_from_grfc3d_dense.json");
    assert_eq!(printed.cones(), dense.cones());
    assert!(printed.m().is_sparse());
    let mut compared = 0;
    for (i, j, x) in entries(&dense) {
        let printed = printed.m().get(i, j).map_or(0.0, Number::to_f64);
        let x = x.to_f64();
        // Six digits are certain, of entries that are not what rounding left.
        assert!((printed - x).abs() <= 1e-5 * x.abs().max(1e-9), "{i} {j}");
        compared += usize::from(x.abs() > 1e-9);
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn the_law_and_the_plane_are_chosen() {
    let slider = text("FC2D_SliderCrankLagrangian00000.dat");
    let rows = from_siconos("p", &slider, Contacts::default()).unwrap();
    assert!(rows.cones().is_empty() && rows.is_lcp());
    assert!(matches!(rows.rows()[3], Row::Friction { normal: 2, .. }));
    let discs = from_siconos("p", &slider, IN_CONES).unwrap();
    assert_eq!(discs.cones().len(), 2);
    assert_eq!(discs.cones()[1].discs[0].rows, [3]);
    // The convex law is none of rows with bounds.
    let convex = from_siconos("p", &slider, CONVEX).unwrap();
    assert!(convex.cones().iter().all(|cone| cone.law == Law::Convex));
    let space = from_siconos("p", &text("RFC3D_sphere_1.dat"), CONVEX).unwrap();
    let [cone] = space.cones() else {
        panic!("one contact");
    };
    assert_eq!((cone.law, cone.normal), (Law::Convex, 0));
    let discs: Vec<_> = cone.discs.iter().map(|disc| disc.rows.clone()).collect();
    assert_eq!(discs, [[1, 2], [3, 4]]);
    assert_eq!(cone.discs[0].mu.of(0).to_f64(), 0.6);
    assert_eq!(cone.discs[1].mu.of(1).to_f64(), 0.5);
}

#[test]
fn triplets_have_rows_before_columns_in_siconos() {
    // M = diag(2, 2, 2, 1), H of 4 x 3 with an entry off the square; the zero of b is -0.
    let file = "3\n1\n2\n4\n4\n1\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) X, 2006-2016\n\
        triplet: 4-by-4, nzmax: 4 nnz: 4\n 0 0 : 2\n 1 1 : 2\n 2 2 : 2\n 3 3 : 1\n\
        2\n4\n3\n1\nCSparse X\ntriplet: 4-by-3, nzmax: 9 nnz: 3\n 0 1 : 1\n 2 0 : 1\n 3 2 : -0.5\n\
        1 2 3 4 -0.0 5 6 0.25";
    let read = from_siconos("p", file, Contacts::default()).unwrap();
    assert_eq!(read.n(), 7);
    let at = |i, j| read.m().get(i, j).map_or(0.0, Number::to_f64);
    assert_eq!((at(0, 5), at(5, 0)), (-1.0, 1.0));
    assert_eq!((at(3, 6), at(6, 3)), (0.5, -0.5));
    let q: Vec<_> = read.q().iter().map(Number::to_f64).collect();
    assert_eq!(q, [-1.0, -2.0, -3.0, -4.0, 0.0, 5.0, 6.0]);
    assert_eq!((read.rows()[3], read.rows()[4]), (Row::Free, Row::Cone));
    // Four rows are no vectors of three.
    assert!(read.blocks().is_empty());
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
fn a_ball_of_fclib_is_the_same_local_and_global() {
    for (local, global, rows) in [
        ("ball_local", "ball_global", 3),
        ("ball_local_rolling", "ball_global_rolling", 5),
    ] {
        let read = |file: &str| {
            let bytes = bytes(&format!("{file}.hdf5"));
            from_fclib("p", bytes, Contacts::default()).unwrap()
        };
        let (local, global) = (read(local), read(global));
        assert_eq!((local.n(), global.n()), (rows, 6 + rows));
        assert_eq!(local.cones()[0].discs.len(), rows / 2);
        assert_eq!(global.cones()[0].normal, 6);
        assert_eq!(global.blocks(), [vec![0, 1, 2], vec![3, 4, 5]]);
        // A solution that is a placeholder is not read.
        assert!(local.expect.is_none() && global.expect.is_none());
        let r = &[2.0, 0.5, -0.25, 1.0, 0.125][..rows];
        let rolling = |k: usize| r.get(k).copied().unwrap_or(0.0);
        // M v = H r + f with M = diag(1, 1, 1, 1/4, 1/4, 1/4).
        let v = [
            r[1] + 3.0,
            r[2],
            r[0] - 1.0,
            4.0 * (r[2] + rolling(3)),
            4.0 * (0.25 - r[1] + rolling(4)),
            0.0,
        ];
        let of_global = w(&global, &[&v, r].concat());
        assert_eq!(of_global[..6], [0.0; 6]);
        assert_eq!(of_global[6..], w(&local, r));
    }
}

#[test]
fn what_is_wrong_is_said() {
    let said = |text: &str| {
        let read = from_siconos("p", text, Contacts::default());
        read.map_or_else(|error| error.to_string(), |_| panic!("{text} is read"))
    };
    let one = text("FrictionContact3D_1c.dat");
    let rolling = text("RFC3D_sphere_1.dat");
    let blocks = text("FC3D_Example1_SBM.dat");
    let mut all = String::new();
    for text in [
        one.replace("0.1", "-0.1"),
        one.replace("0.1", ""),
        one.replacen("-1\n-2", "-1\nx", 1),
        one.replacen('3', "4", 1),
        one.replacen('3', "6", 1),
        one.replacen("3\n3\n", "3\n2\n", 1),
        one.replacen("1\n", "99999999999\n", 1),
        rolling.trim_end().rsplit_once(' ').unwrap().0.to_owned(),
        blocks.replacen("3\t6\t9", "3\t9\t6", 1),
        blocks.replacen("3\t6\t9", "3\t6\t8", 1),
        blocks.replacen("0\t1\t2\t3", "0\t2\t1\t3", 1),
        blocks.replacen("0\t1\t2\t3", "0\t9\t9\t3", 1),
        blocks.replacen("0\t1\t2\t\n", "0\t1\t7\t\n", 1),
        blocks.replacen("1\n9\n9\n3", "1\n9\n9\n4", 1),
        text("GFC3D_Example00.dat").replacen("3\t3", "3\t4", 1),
        "3\n1\n2\n3\n3\n1\nCSparse\ntriplet: 3-by-3, nzmax: 1 nnz: 1\n 3 0 : 1\n".to_owned(),
    ] {
        writeln!(all, "{}", said(&text)).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn files_that_are_cut_off_or_changed_never_panic() {
    for file in [
        "FC3D_Example1_SBM.dat",
        "GFC3D_Example0_SBM.dat",
        "RFC3D_sphere_1.dat",
        "rfc3d_sphere_from_grfc3d.dat",
    ] {
        let whole = text(file);
        for end in 0..whole.len() {
            let _ = from_siconos("p", &whole[..end], IN_CONES);
        }
        let words: Vec<&str> = whole.split_whitespace().collect();
        for at in 0..words.len() {
            for other in ["0", "1", "-1", "4294967296", "nan", "1e999", ":"] {
                let mut changed = words.clone();
                changed[at] = other;
                let _ = from_siconos("p", &changed.join(" "), IN_CONES);
            }
        }
    }
    let whole = bytes("sliding_cube.npz");
    for end in 0..whole.len() {
        assert!(from_contactbench("p", &whole[..end], IN_CONES).is_err());
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        let _ = from_contactbench("p", &changed, IN_CONES);
    }
    let whole = bytes("ball_global_rolling.hdf5");
    for at in (0..whole.len()).step_by(7) {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        let _ = from_fclib("p", changed, IN_CONES);
        let _ = from_fclib("p", whole[..at].to_vec(), IN_CONES);
    }
}

/// An archive of arrays, packed or not.
fn archive(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        let options = SimpleFileOptions::default();
        let options = options.compression_method(zip::CompressionMethod::Deflated);
        archive.start_file(format!("{name}.npy"), options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn array(shape: &[u64], order: npyz::Order, values: &[f64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new()
        .default_dtype()
        .order(order)
        .shape(shape)
        .writer(&mut bytes)
        .begin_nd()
        .unwrap();
    writer.extend(values.iter().copied()).unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn arrays_of_numpy_are_read_in_both_orders_and_packed() {
    use npyz::Order::{C, Fortran};
    let rows: Vec<f64> = (1..=9).map(f64::from).collect();
    let columns = [1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0];
    let read = |g: Vec<u8>| {
        let parts = [
            ("G", g),
            ("g", array(&[3], C, &[10.0, 20.0, 30.0])),
            ("mus", array(&[1], C, &[0.5])),
        ];
        from_contactbench("p", &archive(&parts), Contacts::default())
    };
    let by_rows = read(array(&[3, 3], C, &rows)).unwrap();
    let by_columns = read(array(&[3, 3], Fortran, &columns)).unwrap();
    assert_eq!(entries(&by_rows), entries(&by_columns));
    // T1, T2, N in the file; N, T1, T2 here.
    let at = |i, j| by_rows.m().get(i, j).map_or(0.0, Number::to_f64);
    assert_eq!(
        (at(0, 0), at(0, 1), at(1, 0), at(2, 1)),
        (9.0, 7.0, 3.0, 4.0)
    );
    let q: Vec<_> = by_rows.q().iter().map(Number::to_f64).collect();
    assert_eq!(q, [30.0, 10.0, 20.0]);
    let shape = read(array(&[9], C, &rows)).unwrap_err();
    assert!(matches!(shape, ImportError::Unexpected { .. }), "{shape}");
    let nan = [f64::NAN; 9];
    assert!(read(array(&[3, 3], C, &nan)).is_err());
    // A head that promises more than the file has takes no memory.
    let mut promised = array(&[3, 3], C, &rows);
    let head = String::from_utf8_lossy(&promised).find("3, 3").unwrap();
    promised[head..head + 4].copy_from_slice(b"9e9,");
    assert!(read(promised).is_err());
    let mut promised = array(&[1000, 1000], C, &vec![0.0; 1_000_000]);
    promised.truncate(200);
    let said = read(promised).unwrap_err().to_string();
    assert!(said.starts_with("G: "), "{said}");
    let none = archive(&[("mus", array(&[1], C, &[0.5]))]);
    let said = from_contactbench("p", &none, IN_CONES).unwrap_err();
    assert!(said.to_string().starts_with("g: "), "{said}");
}
