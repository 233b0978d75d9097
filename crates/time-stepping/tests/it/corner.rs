//! Egan and Trinkle's corner against Stewart and Trinkle's, exactly.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{exact, q, r, run};
use etalon_exact::Budget;
use etalon_rigid::{Covector, Dense, MassMatrix, Scalar};
use etalon_time_stepping::corner::{CornerStep, Corners, Entry, Face, Obstacle, Solutions};
use etalon_time_stepping::models::{HalfSpace, HalfSpaces};
use etalon_time_stepping::{
    Activation, Fractions, FrictionDirection, Settings, State, Term, Violation, solve,
};
use rug::Rational;

const QUADRANT: [[(i64, i64); 2]; 2] = [[(0, 1), (1, 1)], [(1, 1), (0, 1)]];
/// A roof so steep that a push along one face closes the other: n_1'n_2 = -7/25.
const SPIKE: [[(i64, i64); 2]; 2] = [[(4, 5), (3, 5)], [(-4, 5), (3, 5)]];
const ROOF: [[(i64, i64); 2]; 2] = [[(3, 5), (4, 5)], [(-3, 5), (4, 5)]];

fn normal(n: [(i64, i64); 2]) -> Covector<Rational> {
    Covector::of_dense(&n.map(|(n, d)| q(n, d)))
}

fn twice() -> Dense<Rational> {
    Dense::from_fn(2, 2, |i, j| q(if i == j { 2 } else { 0 }, 1))
}

fn corner(normals: [[(i64, i64); 2]; 2]) -> Corners<Rational> {
    let mut mass = MassMatrix::empty();
    mass.push("particle", twice()).unwrap();
    let face = |i: usize| Face::smooth(format!("face {}", i + 1), normal(normals[i]), q(0, 1));
    Corners {
        mass,
        force: vec![q(0, 1), q(-20, 1)],
        coordinates: ["x", "y"].map(str::to_owned).to_vec(),
        obstacles: vec![Obstacle::Corner(vec![face(0), face(1)])],
    }
}

/// A budget that runs out at a corner says at which faces, and what to do.
#[test]
fn a_solver_that_gives_up_at_a_corner_names_it_and_a_remedy() {
    let roof = corner(ROOF);
    let budget = Budget {
        work: 1,
        ..Budget::default()
    };
    let state = [vec![q(0, 1), q(0, 1)], vec![q(0, 1), q(-1, 1)]];
    let step = roof.step_within(&budget, (&state[0], &state[1]), &q(1, 8));
    let said = step.unwrap_err().to_string();
    assert!(
        said.contains("gave up")
            && said.ends_with(" (at face 1); take a shorter step h, or less friction"),
        "{said}"
    );
}

fn normals_of(step: &CornerStep<Rational>) -> Vec<Rational> {
    step.impulses.iter().map(|own| own.normal.clone()).collect()
}

/// So many steps of h = 1/8, each a solution of its problem.
fn walk(
    corner: &Corners<Rational>,
    start: [&str; 2],
    v: [&str; 2],
    steps: usize,
) -> Vec<CornerStep<Rational>> {
    let (mut position, mut velocity) = (start.map(r).to_vec(), v.map(r).to_vec());
    let mut walked = Vec::new();
    for _ in 0..steps {
        let step = corner.step(&position, &velocity, &q(1, 8)).unwrap();
        let w = step.lcp.w(&step.z);
        for (w, z) in w.iter().zip(&step.z) {
            assert!(*w >= 0 && *z >= 0 && Rational::from(w * z) == 0, "{step:?}");
        }
        (position, velocity) = (step.q.clone(), step.v.clone());
        walked.push(step);
    }
    walked
}

fn stewart_trinkle(
    normals: [[(i64, i64); 2]; 2],
    start: [&str; 2],
    v: [&str; 2],
) -> Vec<[Rational; 2]> {
    let force = vec![q(0, 1), q(-20, 1)];
    let names = ["x", "y"].map(str::to_owned).to_vec();
    let mut model = HalfSpaces::new(names, twice(), force).unwrap();
    for n in normals {
        let half_space = HalfSpace {
            normal: normal(n),
            offset: q(0, 1),
            directions: Vec::new(),
        };
        model = model.contact("particle/face", q(0, 1), half_space);
    }
    let state = State::new(start.map(r).to_vec(), v.map(r).to_vec());
    let settings = Settings::new(q(1, 8)).with_activation(Activation::All);
    let steps = run(&model, &Fractions, &*exact(), settings, state, 8);
    let positions = steps
        .into_iter()
        .map(|s| [s.after.q[0].clone(), s.after.q[1].clone()]);
    positions.collect()
}

#[test]
fn beside_the_corner_stewart_and_trinkle_block_and_egan_and_trinkle_let_pass() {
    let (start, v) = (["1/4", "1/8"], ["0", "-2"]);
    let blocked = stewart_trinkle(QUADRANT, start, v);
    assert!(blocked.iter().all(|q| *q == ["1/4", "0"].map(r)));
    let free = walk(&corner(QUADRANT), start, v, 8);
    assert_eq!(free[0].free, ["-9/32", "1/4"].map(r));
    assert_eq!(free[0].lcp.q, ["17/32", "1/4", "1/4"].map(r));
    assert_eq!(free[0].lcp.matrix[0], ["1", "-1/16", "1/16"].map(r));
    for step in &free {
        assert_eq!(step.z[1..], [0, 0]);
        assert_eq!(
            (&step.entries[..], &step.solutions),
            (&[Entry::Outside][..], &Solutions::One)
        );
    }
    assert_eq!(free[7].q, ["1/4", "-15/2"].map(r));
}

#[test]
fn on_top_the_rule_lands_and_lemke_is_pushed_out_of_the_side() {
    let steps = walk(&corner(QUADRANT), ["-1/4", "1/8"], ["0", "-2"], 8);
    let first = &steps[0];
    assert_eq!(first.free, ["-9/32", "-1/4"].map(r));
    assert_eq!(
        (&first.entries[..], &first.z[..]),
        (&[Entry::Face(0)][..], &["1/4", "9/2", "0"].map(r)[..])
    );
    // The family, and where Lemke's method ends in it.
    let family = first.solutions.family().unwrap();
    assert_eq!(
        family.vertices,
        [["9/2", "0"], ["9/2", "4"], ["0", "4"]].map(|p| p.map(r))
    );
    let answer = solve(&first.lcp, "corner", &*exact()).unwrap();
    assert_eq!(answer.z, ["0", "0", "4"].map(r));
    // It stays where it landed.
    for step in &steps {
        assert_eq!(step.q, ["-1/4", "0"].map(r));
    }
    assert_eq!(steps[7].v, [0, 0]);
}

#[test]
fn every_member_of_the_family_solves_the_problem() {
    let corner = corner(QUADRANT);
    let step = corner
        .step(&["1/4", "1/4"].map(r), &["-3", "-2"].map(r), &q(1, 8))
        .unwrap();
    let family = step.solutions.family().unwrap();
    for pair in family.vertices.windows(2) {
        for k in 0..=4 {
            let share = q(k, 4);
            let p =
                [0, 1].map(|i| Rational::from(&pair[1][i] - &pair[0][i]) * &share + &pair[0][i]);
            let psi = |i: usize| Rational::from(&p[i] / 16u32) + &step.free[i];
            let c = (psi(0) - psi(1)).max(q(0, 1));
            let z = [c, p[0].clone(), p[1].clone()];
            for (w, z) in step.lcp.w(&z).iter().zip(&z) {
                assert!(*w >= 0 && Rational::from(w * z) == 0);
            }
        }
    }
}

#[test]
fn the_roof_throws_with_both_half_spaces_and_not_with_one() {
    let (start, v) = (["1", "0"], ["0", "-1"]);
    let thrown = stewart_trinkle(ROOF, start, v);
    assert_eq!(thrown[0], ["101/200", "303/800"].map(r));
    let step = &walk(&corner(ROOF), start, v, 1)[0];
    assert_eq!(step.z, ["6/5", "0", "0"].map(r));
    assert_eq!(step.v, ["0", "-9/4"].map(r));
}

#[test]
fn a_face_that_is_pushed_over_the_edge_stops_at_the_edge() {
    // On the roof both gaps open when one face pushes: the lesser impulse is enough.
    let step = &walk(&corner(ROOF), ["1/100", "0"], ["0", "-1"], 1)[0];
    assert_eq!(step.entries, [Entry::Face(0)]);
    let gaps = corner(ROOF).gaps(&step.q);
    assert_eq!(gaps.iter().max().unwrap().signum(), 0);
}

#[test]
fn energy_is_that_of_the_identity() {
    let corner = corner(QUADRANT);
    let mut before = q(4, 1) + q(20, 8);
    for step in walk(&corner, ["-1/4", "1/8"], ["0", "-2"], 8) {
        let after = corner.mass.kinetic_energy(&step.v) + corner.potential(&step.q);
        let lost = step.position[0].clone() + &step.position[1] + &step.numerical;
        assert_eq!(before - &after, lost);
        before = after;
    }
}

#[test]
fn an_impulse_stops_at_the_edge_where_the_other_face_is_reached_first() {
    // Across the ridge from right to left: inside of the second face from the start, it enters by
    // the first, whose push soon opens the second, since n_1'n_2 = 7/25.
    let corner = corner(ROOF);
    let step = &walk(&corner, ["1/50", "0"], ["-104/25", "-9/4"], 1)[0];
    assert_eq!(step.free, ["-13/20", "-1/20"].map(r));
    assert_eq!(step.entries, [Entry::Face(0)]);
    // 7/25 p h/2 = 1/20.
    assert_eq!(normals_of(step), [r("20/7"), r("0")]);
    let gaps = corner.gaps(&step.q);
    assert_eq!(gaps, ["-33/70", "0"].map(r));
}

/// The same corner with friction on both faces.
fn rough(mut corner: Corners<Rational>, mu: &Rational) -> Corners<Rational> {
    for obstacle in &mut corner.obstacles {
        let Obstacle::Corner(faces) = obstacle else {
            continue;
        };
        for face in faces {
            let [x, y] = [0, 1].map(|axis: usize| {
                let own = face.normal.entries().iter().find(|(k, _)| *k == axis);
                own.map_or(q(0, 1), |(_, value)| value.clone())
            });
            let direction = |sign: i64| FrictionDirection {
                tangent: vec![q(sign, 1)],
                row: Covector::of_dense(&[y.clone() * q(sign, 1), -x.clone() * q(sign, 1)]),
            };
            *face = face
                .clone()
                .rough(mu.clone(), vec![direction(1), direction(-1)]);
        }
    }
    corner
}

fn examined(
    corner: &Corners<Rational>,
    (start, v): ([&str; 2], [&str; 2]),
    step: &CornerStep<Rational>,
) -> Vec<Violation> {
    let (start, v) = (start.map(r), v.map(r));
    corner.examine(7, (&start, &v), &q(1, 8), step, &q(0, 1))
}

#[test]
fn a_step_that_stops_at_the_edge_keeps_all_laws() {
    // The impulse along the first face ends where the second opens: it works against a gap that is
    // still negative at the end, and takes that much more.
    let (start, v) = (["1/50", "0"], ["-104/25", "-9/4"]);
    let corner = corner(ROOF);
    let step = &walk(&corner, start, v, 1)[0];
    assert_eq!(examined(&corner, (start, v), step), []);
    let energy =
        |q: &[Rational], v: &[Rational]| corner.mass.kinetic_energy(v) + corner.potential(q);
    let lost = energy(&start.map(r), &v.map(r)) - energy(&step.q, &step.v);
    let parts = step.position[0].clone() + &step.position[1] + &step.numerical;
    assert_eq!(lost, parts);
    // p (psi^l - psi')/h = 20/7 (3/250 + 33/70) 8.
    assert_eq!(
        step.position[0],
        r("20/7") * (r("3/250") + r("33/70")) * q(8, 1)
    );
}

#[test]
fn a_law_that_a_step_breaks_is_named() {
    type Break = fn(&mut CornerStep<Rational>);
    let cases: [(Break, Term, Option<&str>); 14] = [
        (|s| s.z[1] = q(-1, 1), Term::Complementarity, Some("face 1")),
        (|s| s.z[0] += 1, Term::Complementarity, Some("face 1")),
        (|s| s.z[2] += 1, Term::Data, Some("face 2")),
        (|s| s.lcp.q[1] += 1, Term::Data, Some("face 1")),
        (|s| s.lcp.matrix[2][0] -= 1, Term::Data, Some("face 2")),
        (|s| s.lcp.matrix[4][3] -= 1, Term::Data, Some("face 1")),
        (|s| s.z.truncate(3), Term::Data, None),
        (|s| s.impulses[0].normal += 1, Term::Momentum, None),
        (
            |s| s.impulses[0].weights[0] += 9,
            Term::FrictionBound,
            Some("face 1"),
        ),
        (
            |s| s.impulses[0].weights[1] = q(0, 1),
            Term::MaximalDissipation,
            Some("face 1"),
        ),
        (|s| s.v[0] += 1, Term::State, None),
        (|s| s.q[1] -= 1, Term::Nonpenetration, Some("face 1")),
        (|s| s.position[0] += 1, Term::EnergyIdentity, Some("face 1")),
        (|s| s.numerical = q(-1, 1), Term::NumericalLoss, None),
    ];
    // It lands on top, sliding to the right.
    let (start, v) = (["-1", "1/8"], ["3", "-2"]);
    let corner = rough(corner(QUADRANT), &q(1, 2));
    let step = &walk(&corner, start, v, 1)[0];
    assert_eq!(examined(&corner, (start, v), step), []);
    assert_eq!(step.entries, [Entry::Face(0)]);
    for (k, (break_it, term, contact)) in cases.into_iter().enumerate() {
        let mut broken = step.clone();
        break_it(&mut broken);
        let found = examined(&corner, (start, v), &broken);
        let named = found.iter().any(|violation| {
            violation.step == 7 && violation.term == term && violation.contact.as_deref() == contact
        });
        assert!(named, "case {k}: {found:?}");
    }
    // Friction that drives, and a loss of the energy that nobody wrote down.
    let mut broken = step.clone();
    broken.friction[0] = q(-1, 1);
    let found = examined(&corner, (start, v), &broken);
    assert!(
        found.iter().any(|f| f.term == Term::FrictionLoss),
        "{found:?}"
    );
    let mut broken = step.clone();
    broken.q[0] += 1;
    broken.v[1] += 1;
    let found = examined(&corner, (start, v), &broken);
    let whole = |f: &Violation| f.term == Term::EnergyIdentity && f.contact.is_none();
    assert!(found.iter().any(whole), "{found:?}");
}

#[test]
fn beside_a_spike_passing_is_one_solution_of_several() {
    // One gap is open: nothing has to push. But an impulse along the second face would close it, and
    // hold the particle where both are closed or one is: B = (1, -7/25; -7/25, 1)/16.
    let corner = corner(SPIKE);
    let gaps = |x: &Rational, y: &Rational| corner.gaps(&[x.clone(), y.clone()]);
    let (x, y) = (q(11, 16), q(-3, 4));
    assert_eq!(gaps(&x, &y), ["1/10", "-1"].map(r));
    // It comes there from (11/16, 0) with v_y = -6 + 5/4.
    let start = [x.clone(), q(0, 1)];
    let step = corner
        .step(&start, &[q(0, 1), r("-19/4")], &q(1, 8))
        .unwrap();
    assert_eq!(step.free, ["1/10", "-1"].map(r));
    assert_eq!(normals_of(&step), [0, 0]);
    let family = step.solutions.family().expect("others");
    let mut vertices = family.vertices.clone();
    vertices.sort();
    let expected = [["0", "0"], ["0", "40/7"], ["0", "16"], ["25/8", "135/8"]];
    assert_eq!(vertices, expected.map(|p| p.map(r)));
    // The one that is taken is a piece of its own.
    let alone = family
        .pieces
        .iter()
        .filter(|piece| piece.vertices.len() == 1);
    let alone: Vec<_> = alone
        .map(|piece| &family.vertices[piece.vertices[0]])
        .collect();
    assert_eq!(alone, [&["0", "0"].map(r).to_vec()]);
    assert_eq!(family.pieces.len(), 3);
}

#[test]
fn friction_slows_what_slides_on_top_and_holds_it_in_the_end() {
    // From -2 with 3 m/s, 1/8 m above: the first step reaches the top with 1 m/s, the second stops
    // that, both with 9/2 N s; then it is m g h = 5/2. Friction takes mu of that over m until it
    // suffices to stop.
    let mu = q(1, 2);
    let corner = rough(corner(QUADRANT), &mu);
    let steps = walk(&corner, ["-2", "1/8"], ["3", "-2"], 8);
    let mut speed = q(3, 1);
    for (k, step) in steps.iter().enumerate() {
        let p = if k < 2 { q(9, 2) } else { q(5, 2) };
        assert_eq!(normals_of(step), [p.clone(), q(0, 1)]);
        let taken = (p.clone() * &mu / 2u32).min(speed.clone());
        speed -= &taken;
        assert_eq!(step.v, [speed.clone(), q(if k == 0 { -1 } else { 0 }, 1)]);
        let face = corner.faces().next().unwrap();
        assert_eq!(step.impulses[0].friction(face), [-(taken * 2u32)]);
        assert_eq!(step.friction[0], speed.clone() * &mu * p);
    }
    assert_eq!(steps[7].v, [0, 0]);
    // With friction, too, all solutions are listed: those of a step at rest, where both faces may
    // push, have normal impulses and then the friction of both.
    let last = steps[0].solutions.family();
    assert!(last.is_none_or(|family| family.vertices.iter().all(|p| p.len() == 4)));
}

/// Whether normal impulses, and friction in a plane, are a solution of a step of h = 1/8: by the
/// conditions themselves, not by the problem.
fn solves(
    corner: &Corners<Rational>,
    (start, v): (&[Rational], &[Rational]),
    impulses: &[Rational],
) -> bool {
    let faces: Vec<_> = corner.faces().collect();
    let (normal, friction) = impulses.split_at(faces.len());
    let mut push: Vec<_> = corner.force.iter().map(|k| k.clone() / 8u32).collect();
    for (i, face) in faces.iter().enumerate() {
        face.normal.add_to(&normal[i], &mut push);
        if let Some(along) = face.directions.first() {
            along.row.add_to(&friction[i], &mut push);
        }
    }
    let change = corner.mass.inverse_times(&push);
    let v: Vec<_> = v
        .iter()
        .zip(&change)
        .map(|(v, dv)| v.clone() + dv)
        .collect();
    let end: Vec<_> = start
        .iter()
        .zip(&v)
        .map(|(q, v)| q.clone() + v.clone() / 8u32)
        .collect();
    let gap = corner.gaps(&end).into_iter().max().unwrap();
    let rubs = |i: usize| {
        let Some(along) = faces[i].directions.first() else {
            return true;
        };
        let (bound, slip) = (faces[i].mu.clone() * &normal[i], along.row.times(&v));
        friction[i].clone().abs() <= bound && friction[i].clone() * &slip == -bound * slip.abs()
    };
    let pushing = normal.iter().any(|p| *p > 0);
    normal.iter().all(|p| *p >= 0)
        && gap >= 0
        && (gap == 0 || !pushing)
        && (0..faces.len()).all(rubs)
}

#[test]
fn steps_with_friction_keep_all_laws_wherever_they_start() {
    let mut seed = 1_u64;
    let mut number = |from: i64, to: i64, d: i64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        q(from + (seed >> 33) as i64 % (to - from + 1), d)
    };
    let (mut edges, mut families) = (0, 0);
    for k in 0..1000 {
        let faces = [QUADRANT, ROOF, SPIKE][k % 3];
        let corner = rough(corner(faces), &number(0, 6, 4));
        let mut position = vec![number(-8, 8, 16), number(-4, 8, 16)];
        let mut velocity = vec![number(-24, 24, 2), number(-16, 0, 4)];
        for _ in 0..3 {
            let Ok(step) = corner.step(&position, &velocity, &q(1, 8)) else {
                break;
            };
            let found = corner.examine(1, (&position, &velocity), &q(1, 8), &step, &q(0, 1));
            assert_eq!(found, [], "{k}: {step:?}");
            if let Some(family) = step.solutions.family() {
                families += 1;
                for impulses in &family.vertices {
                    assert!(
                        solves(&corner, (&position, &velocity), impulses),
                        "{k}: {impulses:?}"
                    );
                }
            }
            let gaps = corner.gaps(&step.q);
            let own = step.impulses.iter().zip(&gaps);
            edges += own.filter(|(own, gap)| own.normal > 0 && **gap < 0).count();
            (position, velocity) = (step.q, step.v);
        }
    }
    assert!(edges > 0 && families > 100, "{edges} {families}");
}

/// Two walls that face each other, half a metre behind each of them: nothing turns, and no step of any length helps.
#[test]
fn a_step_that_begins_inside_says_so() {
    let mut own = corner([[(1, 1), (0, 1)], [(0, 1), (1, 1)]]);
    let wall = |name: &str, sign: i64, offset: Rational| {
        let normal = Covector::of_dense(&[q(sign, 1), q(0, 1)]);
        Obstacle::Wall(Face::smooth(name, normal, offset))
    };
    own.obstacles = vec![wall("left", 1, q(0, 1)), wall("right", -1, q(3, 4))];
    let refused = own.step(&[q(-1, 2), q(0, 1)], &[q(0, 1), q(0, 1)], &q(1, 8));
    let told = refused.unwrap_err().to_string();
    let says = "pushing along left, right opens no way out: the step begins inside of left by 5.000e-1 m. Start with the bodies apart; where they did, shorter steps keep them so";
    assert!(told.ends_with(says), "{told}");
    // A step that begins on both walls has its way.
    own.obstacles = vec![wall("left", 1, q(0, 1)), wall("right", -1, q(0, 1))];
    assert!(
        own.step(&[q(0, 1), q(0, 1)], &[q(-1, 1), q(0, 1)], &q(1, 8))
            .is_ok()
    );
}

/// What bounds the work is how many choices of edges are tried, not how many corners there are.
#[test]
fn more_corners_than_are_entered_are_no_error() {
    let mut own = corner(QUADRANT);
    let far = |k: i64| {
        let face = |i: usize| Face::smooth(format!("far {k}"), normal(QUADRANT[i]), q(-9 - k, 1));
        Obstacle::Corner(vec![face(0), face(1)])
    };
    own.obstacles.extend((0..11).map(far));
    let step = own
        .step(&[q(-1, 4), q(1, 8)], &[q(0, 1), q(-2, 1)], &q(1, 8))
        .unwrap();
    assert_eq!(step.entries.len(), 12);
    let pushing = step.impulses.iter().filter(|own| own.normal > 0);
    assert_eq!(pushing.count(), 1);
}
