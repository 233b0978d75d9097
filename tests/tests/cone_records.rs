//! Friction cones, blocks and scale in records: what is read, what is refused and where it says so.

use etalon_lcp::record::{read_problem, write_problem};
use etalon_lcp::{Law, Mu, Problem, Reduction, Row};

/// A problem of six rows with these fields.
fn read(fields: &str) -> Result<Problem, String> {
    let rows = (0..6).map(|i| {
        (0..6)
            .map(|j| u8::from(i == j).to_string())
            .collect::<Vec<_>>()
    });
    let rows: Vec<_> = rows.map(|row| format!("[{}]", row.join(","))).collect();
    let m = rows.join(",");
    let text = format!(r#"{{"name": "p", "M": [{m}], "q": [1,2,3,4,5,6], {fields}}}"#);
    let read = read_problem(&text).map_err(|error| error.to_string())?;
    assert_eq!(read.unknown_fields, Vec::<String>::new());
    Ok(read.record)
}

#[test]
fn cones_are_read_and_written_in_both_forms() {
    let problem = read(
        r#""cones": [{"rows": [1, 0, 2], "mu": "1/3"},
            {"normal": 5, "discs": [{"rows": [3], "mu": 0.5}, {"rows": [4], "mu": [0]}], "law": "convex"}],
            "blocks": [[0, 1], [5]], "scale": [0, 1, 2, "1/3", 4, 5]"#,
    );
    let problem = problem.unwrap();
    let [one, two] = problem.cones() else {
        panic!("two cones");
    };
    assert_eq!(one.rows().collect::<Vec<_>>(), [1, 0, 2]);
    assert_eq!((one.law, two.law), (Law::Coulomb, Law::Convex));
    assert!(matches!(&one.discs[0].mu, Mu::One(mu) if mu.to_string() == "1/3"));
    assert!(matches!(&two.discs[1].mu, Mu::Each(each) if each.len() == 1));
    assert_eq!(two.rows().collect::<Vec<_>>(), [5, 3, 4]);
    assert_eq!(problem.rows(), [Row::Cone; 6]);
    assert!(!problem.is_lcp() && !problem.is_pure() && !problem.is_binary64());
    assert_eq!(problem.blocks(), [vec![0, 1], vec![5]]);
    assert_eq!(problem.scale().unwrap()[3].to_string(), "1/3");
    let written = write_problem(&problem);
    assert_eq!(read_problem(&written).unwrap().record, problem);
    // Contacts without friction are cones of no disc; null is absent, as everywhere.
    let bare =
        read(r#""cones": [{"normal": 2, "discs": []}], "blocks": null, "scale": null"#).unwrap();
    assert_eq!(bare.cones()[0].rows().collect::<Vec<_>>(), [2]);
    assert_eq!(read_problem(&write_problem(&bare)).unwrap().record, bare);
    assert_eq!(
        read(r#""cones": []"#).unwrap().rows(),
        [Row::Nonnegative; 6]
    );
}

#[test]
fn every_bad_cone_is_refused_with_its_place() {
    let mut said = String::new();
    for fields in [
        r#""cones": [{"rows": [0, 1, 2]}]"#,
        r#""cones": [{"rows": [], "mu": 1}]"#,
        r#""cones": [{"rows": [0], "mu": 1}]"#,
        r#""cones": [{"rows": [0, 1, 2, 3, 4, 5, 6], "mu": 1}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": -0.5}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": "x"}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": [1]}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": [1, "-1/7"]}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": [1, "1e999999999"]}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1, "law": "tresca"}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1, "colour": 1}]"#,
        r#""cones": [{"rows": [0, 1, 6], "mu": 1}]"#,
        r#""cones": [{"rows": [0, 1, -2], "mu": 1}]"#,
        r#""cones": [{"rows": [0, 1, 1], "mu": 1}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1}, {"rows": [3, 2], "mu": 1}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1, "normal": 0, "discs": []}]"#,
        r#""cones": [{"normal": 0, "discs": [{"rows": [1], "mu": 1}, {"rows": [2], "mu": 1}, {"rows": [3], "mu": 1}, {"rows": [4], "mu": 1}, {"rows": [5], "mu": 1}]}]"#,
        r#""cones": [{"normal": 0, "discs": [{"rows": [1], "mu": 1}, {"rows": [2], "mu": [-1]}]}]"#,
        r#""cones": [{"normal": 0, "discs": [{"rows": [1], "mu": 1}, {"rows": [], "mu": 1}]}]"#,
        r#""cones": 3"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1}], "lower": [0, "-inf", 0, 0, 0, 0]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1}], "upper": [5, "inf", "inf", "inf", "inf", "inf"]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1}], "friction": [{"row": 3, "normal": 0, "mu": 1}]"#,
        r#""cones": [{"rows": [0, 1, 2], "mu": 1}], "friction": [{"row": 1, "normal": 3, "mu": 1}]"#,
        r#""blocks": [[0, 1], [1, 2]]"#,
        r#""blocks": [[0, 6]]"#,
        r#""scale": [1, 2]"#,
        r#""scale": [1, 2, 3, 4, 5, -6]"#,
    ] {
        said += &format!("{fields}\n  {}\n", read(fields).unwrap_err());
    }
    insta::assert_snapshot!(said);
}

#[test]
fn bounds_and_friction_given_later_are_held_against_cones() {
    let problem = read(r#""cones": [{"rows": [0, 1, 2], "mu": 1}]"#).unwrap();
    let free = vec![etalon_lcp::Bound::NegativeInfinity; 6];
    assert!(problem.clone().with_bounds(Some(free), None).is_err());
    let friction = etalon_lcp::Friction {
        row: 3,
        normal: 0,
        mu: 1.into(),
    };
    assert!(problem.clone().with_friction(vec![friction]).is_err());
    // The mixed form passes them over: who solves asks first.
    assert!(!problem.is_lcp());
    assert_eq!(Reduction::new(&problem).mixed().n(), 6);
}
