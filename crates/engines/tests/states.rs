//! Level C: on real steps both ends are those of an independent prototype.

mod common;

use common::{facts, steps, verdict};
use etalon_engines::step::FrictionLaw;
use etalon_engines::{Finding, Level, StepJudge};

#[test]
fn intervals_meet_those_of_the_facts() {
    for engine in ["box2d", "rapier", "pybullet", "dart"] {
        for (step, fact) in steps(engine).iter().zip(facts(engine)) {
            for (slip, name) in [(false, "states_only_cone"), (true, "states_only_coulomb")] {
                let judge = StepJudge { slip, law: Some(FrictionLaw::Coulomb), ..StepJudge::default() };
                let start = std::time::Instant::now();
                let own = verdict(step, Level::C, judge);
                let eps = match &own.finding { Finding::Explanation(own) => Some(own.eps), _ => None };
                println!("{} {name} {} {eps:?} fact {} {:?} {:?}", step.name, own.word.word(), fact[name], own.reason, start.elapsed());
            }
        }
    }
}
