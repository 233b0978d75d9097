//! Soft joints beside bodies at rest: right answers are right at all compliances, and wrong ones wrong (`docs/cones.md`, "Bodies
//! at rest").

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{Tolerance, evaluate};
use etalon_lcp::{parse_rational, record};
use rug::Rational;

/// Compliances with LAPACK's answers.
const ANSWERS: [(&str, &str); 9] = [
    (
        "0",
        "-3.552713678800501e-15 3.552713678800501e-15 6.534772722943657e-15 -1.0891287871572757e-15 19.61999999999995 39.239999999999924 1.2252698855519357e-14 1.388639203625527e-14",
    ),
    (
        "1e-12",
        "-1.9621637648015167e-11 3.923972258235153e-11 2.9431747705357913e-11 -4.905291284226321e-12 19.619999999635183 39.239999999505805 5.518452694754608e-11 6.254246387388556e-11",
    ),
    (
        "1e-09",
        "-1.9620006952436597e-08 3.924000561520794e-08 2.9430008417492457e-08 -4.905001402915408e-09 19.619999635190553 39.23999950582114 5.518126578279836e-08 6.253876788717147e-08",
    ),
    (
        "1e-08",
        "-1.9619997004838297e-07 3.9239993654405225e-07 2.9429995552578435e-07 -4.904999258763075e-08 19.619996351906828 39.239995058213275 5.518124166108456e-07 6.253874054922918e-07",
    ),
    (
        "1e-07",
        "-1.9619963538275442e-06 3.923992704102375e-06 2.942994531974772e-06 -4.904990886624621e-07 19.619963519130316 39.239950582216856 5.518114747452698e-06 6.253863380446391e-06",
    ),
    (
        "1e-06",
        "-1.9619635201806318e-05 3.9239270402428396e-05 2.94294528054374e-05 -4.90490880076102e-06 19.619635197407966 39.23950583043835 5.518022401030404e-05 6.253758721144557e-05",
    ),
    (
        "0.0001",
        "-0.0019583586768394667 0.003916717353674197 0.002937538015258468 -0.0004895896692096001 19.583586768352546 39.19067384082714 0.0055078837786097365 0.006242268282424137",
    ),
    (
        "0.01",
        "-0.16543873517787056 0.33087747035573517 0.248158102766805 -0.04135968379446753 16.54387351778651 35.07301185770743 0.4652964426877593 0.5273359683794606",
    ),
    (
        "1",
        "-1.0013397129186603 2.00267942583732 1.5020095693779911 -0.25033492822966547 1.0013397129186596 14.018755980861242 2.816267942583733 3.1917703349282314",
    ),
];

/// Four velocities, a joint, and a contact that sticks: w = Mz + q.
struct Scene {
    m: Vec<Vec<Rational>>,
    q: Vec<Rational>,
    z: Vec<Rational>,
    /// The rows of the contact, the normal first.
    contact: [usize; 3],
}

impl Scene {
    fn new((compliance, z): (&str, &str)) -> Self {
        let masses = ["2", "3", "2", "3/2"].map(|mass| parse_rational(mass).unwrap());
        let rows = ["-1 -1 0 0", "1 1/2 0 0", "1/2 0 1/2 1", "1 0 1/2 -1"].map(fractions);
        let mut m = vec![vec![Rational::new(); 8]; 8];
        for (i, mass) in masses.into_iter().enumerate() {
            m[i][i] = mass;
        }
        for (k, row) in rows.into_iter().enumerate() {
            for (j, value) in row.into_iter().enumerate() {
                m[j][4 + k] = -value.clone();
                m[4 + k][j] = value;
            }
        }
        // The numbers that LAPACK was given.
        let binary64 = |text: &str| Rational::from_f64(text.parse().unwrap()).unwrap();
        m[4][4] = binary64(compliance);
        let mut q = vec![Rational::new(); 8];
        q[0] = binary64("19.62");
        let z = z.split(' ').map(binary64).collect();
        let contact = [5, 6, 7];
        Self { m, q, z, contact }
    }

    /// The block error; what is outside of its cone is within the tolerance.
    fn error(&self) -> Rational {
        let list = |values: &[Rational]| -> Vec<String> {
            values.iter().map(ToString::to_string).collect()
        };
        let m: Vec<_> = self.m.iter().map(|row| list(row)).collect();
        let is_free = |i: usize| !self.contact.contains(&i);
        let lower: Vec<_> = (0..8)
            .map(|i| if is_free(i) { "-inf" } else { "0" })
            .collect();
        let text = format!(
            r#"{{"name":"p","M":{m:?},"q":{:?},"lower":{lower:?},"cones":[{{"rows":{:?},"mu":1}}]}}"#,
            list(&self.q),
            self.contact
        );
        let problem = record::read_problem(&text).unwrap().record;
        let tolerance = Tolerance::default();
        let measures = evaluate(&problem, &self.z, &tolerance).unwrap().measures;
        assert!(*measures.violation() <= tolerance.tol);
        measures.error
    }
}

fn fractions(text: &str) -> Vec<Rational> {
    let words = text.split_whitespace();
    words.map(|word| parse_rational(word).unwrap()).collect()
}

fn tol() -> Rational {
    Tolerance::default().tol
}

#[test]
fn answers_are_right_at_all_compliances_and_displaced_ones_wrong() {
    let more = Rational::from((1_000_001, 1_000_000));
    for answer in ANSWERS {
        let right = Scene::new(answer);
        let error = right.error();
        assert!(error <= tol(), "{}: {error}", answer.0);
        // A thousand tolerances of forces and of what they give to the velocities.
        for row in 4..6 {
            let mut wrong = Scene::new(answer);
            wrong.z[row] *= &more;
            assert!(wrong.error() > tol(), "{}: force {row}", answer.0);
        }
        for row in 0..4 {
            let mut wrong = Scene::new(answer);
            wrong.z[row] += Rational::from((40, 1_000_000));
            assert!(wrong.error() > tol(), "{}: velocity {row}", answer.0);
        }
        // The joint's row alone.
        let mut wrong = Scene::new(answer);
        wrong.q[4] += Rational::from((60, 1_000_000));
        assert!(wrong.error() > tol(), "{}: joint", answer.0);
    }
}

#[test]
fn soft_joints_are_known_in_any_units_and_order() {
    for answer in &ANSWERS[1..] {
        let before = Scene::new(*answer).error();
        // Free rows and free unknowns by powers of two, some of them turned round; the contact's by one.
        for (seed, turned) in [(1, false), (2, true), (3, true)] {
            let by = |k: usize| {
                let hash = (k + 1) * (2 * seed + 1) * 7919;
                let sign = if turned && hash.is_multiple_of(3) {
                    -1
                } else {
                    1
                };
                Rational::from(sign) << (i32::try_from(hash % 41).unwrap() - 20)
            };
            let of_row = |i: usize| by(if i < 5 { i } else { 5 }).abs_if(i >= 5);
            let of_unknown = |i: usize| by(if i < 5 { 10 + i } else { 20 }).abs_if(i >= 5);
            let mut scene = Scene::new(*answer);
            for i in 0..8 {
                scene.q[i] *= of_row(i);
                scene.z[i] /= of_unknown(i);
                for j in 0..8 {
                    scene.m[i][j] *= of_row(i) * of_unknown(j);
                }
            }
            assert_eq!(scene.error(), before, "{} {seed}", answer.0);
        }
        // Contacts first, then the joint.
        let order = [7, 5, 4, 6, 2, 0, 3, 1];
        let scene = Scene::new(*answer);
        let moved = |values: &[Rational]| order.map(|i| values[i].clone()).to_vec();
        let scene = Scene {
            m: moved_rows(&scene.m, &order),
            q: moved(&scene.q),
            z: moved(&scene.z),
            contact: [1, 3, 0],
        };
        assert_eq!(scene.error(), before, "{}", answer.0);
    }
}

fn moved_rows(m: &[Vec<Rational>], order: &[usize; 8]) -> Vec<Vec<Rational>> {
    let row = |i: &usize| order.iter().map(|j| m[*i][*j].clone()).collect();
    order.iter().map(row).collect()
}

trait AbsIf {
    fn abs_if(self, is: bool) -> Self;
}

impl AbsIf for Rational {
    fn abs_if(self, is: bool) -> Self {
        if is { self.abs() } else { self }
    }
}
