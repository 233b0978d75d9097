//! The arrows of a picture are those of the proof.

use etalon_engines::{Level, StepJudge, judge_step, read_step};

use super::*;
use crate::ink;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The longest arrow, in pixels.
const LONGEST: f64 = 110.0;

struct Drawn {
    verdict: StepVerdict,
    svg: String,
}

impl Drawn {
    /// The step on a line of a file.
    fn of(file: &str, line: usize, slip: bool) -> Self {
        let text = std::fs::read_to_string(format!("{ROOT}/{file}")).unwrap();
        let step = text.lines().nth(line).unwrap();
        Self::of_text(step, slip)
    }

    fn of_text(text: &str, slip: bool) -> Self {
        let step = read_step(text).unwrap().record;
        let judge = StepJudge {
            levels: vec![Level::C],
            slip,
            ..StepJudge::default()
        };
        let verdict = judge_step(&step, &judge).swap_remove(0);
        let question = StatesQuestion::of(&step, &judge).unwrap();
        let svg = of_states(&step, &question, &verdict).unwrap();
        Self { verdict, svg }
    }

    fn found(&self) -> &Explanation {
        match &self.verdict.finding {
            LevelFinding::Explanation(found) => found,
            other => panic!("{other:?}"),
        }
    }

    fn says(&self, words: &str) {
        let text = self.svg.replace("&gt;", ">").replace("&apos;", "'");
        assert!(text.contains(words), "{words}: {text}");
    }

    /// The directions across and up, as the axes are named.
    fn axes(&self) -> [Vector; 2] {
        let named = self.svg.lines().filter_map(|line| line.strip_suffix(", m"));
        let axis = |name: &str| match name {
            "x" => [1.0, 0.0, 0.0],
            "y" => [0.0, 1.0, 0.0],
            "z" => [0.0, 0.0, 1.0],
            other => {
                let inner = other.trim_matches(['(', ')']);
                let entries: Vec<f64> = inner.split(", ").map(|x| x.parse().unwrap()).collect();
                entries.try_into().unwrap()
            }
        };
        let axes: Vec<_> = named.map(axis).collect();
        let [up, across] = axes[..] else {
            panic!("{axes:?}")
        };
        [across, up]
    }

    /// From where to where arrows of a colour go, in pixels, upwards positive.
    fn arrows(&self, color: usize) -> Vec<([f64; 2], [f64; 2])> {
        let color = ink::hex(color);
        let points = |kind: &str| points(&self.svg, kind, &color);
        let (shafts, heads) = (points("polyline"), points("polygon"));
        assert_eq!(shafts.len(), heads.len(), "{}", self.svg);
        let pairs = shafts.iter().zip(&heads);
        pairs.map(|(shaft, head)| (shaft[0], head[0])).collect()
    }
}

/// Each of these vectors is an arrow, as long beside the longest as it is, up to a pixel, and there are no others.
fn are_drawn(arrows: &[([f64; 2], [f64; 2])], vectors: &[[f64; 2]]) {
    let longest = vectors.iter().map(|own| own[0].hypot(own[1]));
    let longest = longest.fold(0.0, f64::max);
    let mut left: Vec<_> = arrows.to_vec();
    for own in vectors {
        let due = own.map(|x| x / longest * LONGEST);
        if due[0].abs().max(due[1].abs()) < 3.0 {
            continue;
        }
        let is_it = |(from, to): &([f64; 2], [f64; 2])| {
            (0..2).all(|k| (to[k] - from[k] - due[k]).abs() <= 1.0)
        };
        let at = left.iter().position(is_it);
        left.swap_remove(at.unwrap_or_else(|| panic!("no arrow {due:?} in {arrows:?}")));
    }
    assert_eq!(left, [], "arrows of nothing");
}

fn projected(own: Vector, axes: [Vector; 2]) -> [f64; 2] {
    axes.map(|axis| axis.iter().zip(own).map(|(a, b)| a * b).sum())
}

#[test]
fn the_arrows_of_a_test_motion_are_those_of_the_certificate() {
    let drawn = Drawn::of("golden/engines/drake.jsonl", 0, false);
    assert_eq!(drawn.verdict.word, Word::Inexplicable);
    let y = drawn.found().certificate.clone().unwrap();
    // y is (1, 0, 1/2) and turns nothing: each contact moves with the centre, along the edge of its dual cone.
    assert_eq!(y[2], Rational::from(&y[0] / 2));
    assert!([1, 3, 4, 5].iter().all(|k| y[*k].is_zero()));
    let own = [0, 2].map(|k| y[k].to_f64());
    are_drawn(&drawn.arrows(ink::FORCE), &[own; 5]);
    for words in [
        "drake slide/1",
        "drake 1.51.0: inexplicable at level C, coulomb, the cone alone",
        "seen along y; wedges",
        "test motion y of body 0: (1, 0, 0.5) m/s, (0, 0, 0) rad/s",
        "work on y: observed change -1.73 J, admissible impulses 0 J or more",
        "over |y|'S = 3.11 J: eps >= 0.5572 is proved; the tolerance is 3.6e-15",
        "x, m",
        "z, m",
    ] {
        drawn.says(words);
    }
    // The change of momentum, of 1 kg: v1 - v0 - h g.
    let change = [
        0.07558741081386125 - 2.0,
        0.297172028551812 + 0.040875 + 9.81 / 240.0,
    ];
    are_drawn(&drawn.arrows(CHANGE), &[change]);
}

#[test]
fn motions_of_contacts_are_those_of_the_proof() {
    let drawn = Drawn::of("golden/engines/rapier.jsonl", 0, true);
    assert_eq!(drawn.verdict.word, Word::Inexplicable);
    drawn.says("coulomb at the end velocity");
    let y = drawn.found().certificate.clone().unwrap();
    let text = std::fs::read_to_string(format!("{ROOT}/golden/engines/rapier.jsonl")).unwrap();
    let step = read_step(text.trim_end()).unwrap().record;
    let Form::Bodies(bodies) = &step.form else {
        panic!("no bodies")
    };
    // Velocities from the motion itself: v + w x r.
    let y: Vec<_> = y.iter().map(Rational::to_f64).collect();
    let (v, w) = (&y[..3], &y[3..]);
    let velocity = |point: &[etalon_lcp::Number]| {
        let arm = point.iter().zip(&bodies.bodies[0].com);
        let r: Vec<_> = arm
            .map(|(p, c)| (p.to_rational() - c.to_rational()).to_f64())
            .collect();
        let at = |k: usize| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            v[k] + w[i] * r[j] - w[j] * r[i]
        };
        projected([at(0), at(1), at(2)], drawn.axes())
    };
    let contacts = bodies.contacts.iter();
    let points = contacts.map(|own| &own.point_a.as_ref().unwrap_or(&own.point)[..]);
    let mut vectors: Vec<_> = points.map(velocity).collect();
    vectors.push(projected([v[0], v[1], v[2]], drawn.axes()));
    are_drawn(&drawn.arrows(ink::FORCE), &vectors);
}

#[test]
fn the_arrows_of_an_explanation_are_its_impulses() {
    let drawn = Drawn::of("tests/cases/engines/pybullet_steps.jsonl", 1, false);
    assert_eq!(drawn.verdict.word, Word::Explained);
    let impulses = drawn.found().impulse.clone().unwrap();
    drawn.says("arrows: impulses, the longest");
    drawn.says("within the tolerance 3.6e-15");
    drawn.says("seen along (");
    let text = std::fs::read_to_string(format!("{ROOT}/tests/cases/engines/pybullet_steps.jsonl"));
    let text = text.unwrap();
    let step = read_step(text.lines().nth(1).unwrap()).unwrap().record;
    let Form::Bodies(bodies) = &step.form else {
        panic!("no bodies")
    };
    let pairs = bodies.contacts.iter().zip(&impulses);
    let vectors = pairs.map(|(contact, own)| {
        let frame = std::iter::once(&contact.normal).chain(contact.tangents.iter().flatten());
        let mut sum = [0.0; 3];
        for (axis, own) in frame.zip(own) {
            for (sum, axis) in sum.iter_mut().zip(axis) {
                *sum += axis.to_f64() * own.to_f64();
            }
        }
        projected(sum, drawn.axes())
    });
    are_drawn(&drawn.arrows(ink::FORCE), &vectors.collect::<Vec<_>>());
}

#[test]
fn a_step_in_the_plane_has_its_own_axes_and_any_name() {
    let text = std::fs::read_to_string(format!("{ROOT}/tests/cases/engines/box2d_steps.jsonl"));
    let text = text.unwrap();
    let line = text.lines().next().unwrap();
    let line = line.replace("box slides/0", "a<b>\\u0001&c");
    let drawn = Drawn::of_text(&line, false);
    for words in ["in the plane", "x, m", "y, m", "a&lt;b>?&amp;c"] {
        drawn.says(words);
    }
    assert!(!drawn.arrows(ink::FORCE).is_empty());
}

/// Points of the elements of a kind and a colour, upwards positive.
fn points(svg: &str, kind: &str, color: &str) -> Vec<Vec<[f64; 2]>> {
    let start = format!("<{kind}");
    let elements = svg.lines().filter(|line| line.starts_with(&start));
    let own = elements.filter(|line| line.contains(&format!("\"{color}\"")));
    let list = own.map(|line| line.split_once("points=\"").unwrap().1);
    let list = list.map(|rest| rest.split_once('"').unwrap().0);
    let point = |point: &str| {
        let (x, y) = point.split_once(',').unwrap();
        [x.parse::<f64>().unwrap(), -y.parse::<f64>().unwrap()]
    };
    list.map(|list| list.split_whitespace().map(point).collect())
        .collect()
}

#[test]
fn cones_are_as_wide_as_friction_admits() {
    let drawn = Drawn::of("golden/engines/drake.jsonl", 0, false);
    let wedges = points(&drawn.svg, "polygon", "#E1E1E1");
    assert_eq!(wedges.len(), 4, "{}", drawn.svg);
    for wedge in wedges {
        let low = wedge
            .iter()
            .copied()
            .fold([0.0, f64::INFINITY], |low, own| {
                if own[1] < low[1] { own } else { low }
            });
        let ends: Vec<_> = wedge.iter().filter(|own| **own != low).collect();
        let sides = ends.iter().map(|own| (own[0] - low[0]) / (own[1] - low[1]));
        let sides: Vec<_> = sides.collect();
        // mu = 1/2, on both sides, of a wedge some 80 pixels high.
        assert!(
            sides.iter().any(|side| (side - 0.5).abs() < 0.02),
            "{sides:?}"
        );
        assert!(
            sides.iter().any(|side| (side + 0.5).abs() < 0.02),
            "{sides:?}"
        );
    }
    // By Coulomb's law at the velocity after the step there is one friction: seen along -x its part along y.
    let drawn = Drawn::of("golden/engines/rapier.jsonl", 0, true);
    assert_eq!(points(&drawn.svg, "polygon", "#E1E1E1").len(), 0);
    let lines = points(&drawn.svg, "polyline", "#000000");
    let sides: Vec<_> = lines
        .iter()
        .filter(|line| line.len() == 2 && (line[0][1] - line[1][1]).abs() > 40.0)
        .map(|line| (line[0][0] - line[1][0]) / (line[0][1] - line[1][1]))
        .collect();
    let (mu, slip) = (0.5, 20.0_f64.to_radians());
    let is_ray = |side: &&f64| (**side + mu * slip.sin()).abs() < 0.02;
    assert_eq!(sides.iter().filter(is_ray).count(), 4, "{sides:?}");
    // Four normals, and the axis.
    let upright = sides.iter().filter(|side| **side == 0.0).count();
    assert_eq!(upright, 5, "{sides:?}");
}

#[test]
fn the_order_of_the_bodies_of_a_contact_does_not_matter() {
    let text = std::fs::read_to_string(format!("{ROOT}/golden/engines/drake.jsonl")).unwrap();
    let drawn = Drawn::of_text(text.trim_end(), false);
    let mut step: serde_json::Value = serde_json::from_str(&text).unwrap();
    for contact in step["contacts"].as_array_mut().unwrap() {
        contact["bodies"] = serde_json::json!([-1, 0]);
        contact["normal"] = serde_json::json!([0, 0, -1]);
        contact["tangents"] = serde_json::json!([[-1, 0, 0], [0, -1, 0]]);
    }
    let other = Drawn::of_text(&step.to_string(), false);
    assert_eq!(drawn.arrows(ink::FORCE), other.arrows(ink::FORCE));
    let wedges = |own: &Drawn| points(&own.svg, "polygon", "#E1E1E1");
    assert_eq!(wedges(&drawn), wedges(&other));
}

#[test]
fn what_binary64_cannot_span_has_no_picture_and_no_endless_loop() {
    let text = std::fs::read_to_string(format!("{ROOT}/golden/engines/drake.jsonl")).unwrap();
    let mut record: serde_json::Value = serde_json::from_str(&text).unwrap();
    record["bodies"][0]["com"] = serde_json::json!([1.7e308, 0, 0]);
    record["contacts"][0]["point"] = serde_json::json!([-1.7e308, 0, 0]);
    let step = read_step(&record.to_string()).unwrap().record;
    let judge = StepJudge {
        levels: vec![Level::C],
        ..StepJudge::default()
    };
    let verdict = judge_step(&step, &judge).swap_remove(0);
    let question = StatesQuestion::of(&step, &judge).unwrap();
    let error = of_states(&step, &question, &verdict).unwrap_err();
    assert!(
        error.to_string().contains("span more than binary64"),
        "{error}"
    );
}

#[test]
fn names_have_only_characters_that_xml_knows() {
    assert_eq!(short("a\u{1}b\u{ffff}c\u{fffe}"), "a?b?c?");
}

#[test]
fn a_text_is_cut_between_words() {
    let text = "word ".repeat(40);
    let lines = wrapped(text.trim_end());
    assert!(lines.len() > 2 && lines.iter().all(|line| line.chars().count() <= LETTERS));
    assert_eq!(lines.join(" "), text.trim_end());
    assert_eq!(wrapped(&"x".repeat(100)).len(), 1);
}
