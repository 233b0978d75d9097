//! Joints of a world: fixed in the bodies at the start, and placed at a state.

use std::collections::HashMap;

use etalon_rigid::{Rotation3, Vector3};
use rug::Rational;

use super::SpaceWorld;
use crate::attitude::into_body;
use crate::error::SpatialError;
use crate::grid::{ATTITUDE_BITS, kept, rounded};
use crate::joint::{
    DriveRow, Equation, Fixture, Joint, JointGradient, Placed, StopRow, Travel, equations, travel,
};
use crate::state::SpaceState;

/// A joint's travel with vectors turned into the coordinates of its bodies.
fn in_bodies(
    travel: Travel,
    joint: &Joint,
    local: impl Fn(usize, &Vector3<Rational>) -> Vector3<Rational>,
) -> Travel {
    let (first, second) = (joint.first, joint.second);
    match travel {
        Travel::Turn {
            axis,
            first: [u, w],
            limits,
        } => Travel::Turn {
            axis: local(second, &axis),
            first: [local(first, &u), local(first, &w)],
            limits: limits.map(|own| Box::new(own.map(|own| local(second, &own)))),
        },
        Travel::Shift { axis, limits } => Travel::Shift {
            axis: local(second, &axis),
            limits,
        },
    }
}

impl SpaceWorld {
    /// The equations of all joints at a state, joint by joint: their left sides are what joints have opened by.
    pub fn placed(&self, state: &SpaceState) -> Vec<Vec<Placed>> {
        let rotations: HashMap<usize, Rotation3<Rational>> = self
            .joints
            .iter()
            .flat_map(|joint| [joint.first, joint.second])
            .map(|i| (i, state.bodies[i].attitude.rotation()))
            .collect();
        let one = |(joint, fixture): (&Joint, &Fixture)| {
            let turned =
                |body: usize, vector: &Vector3<Rational>| kept(&rotations[&body].apply(vector));
            let first_arm = turned(joint.first, &fixture.first_arm);
            let second_arm = turned(joint.second, &fixture.second_arm);
            let ends = [(joint.first, &first_arm), (joint.second, &second_arm)];
            let [a, b] = ends.map(|(body, arm)| &state.bodies[body].position + arm);
            let apart = &a - &b;
            let place = |equation: &Equation| Placed {
                equation: match equation {
                    Equation::Together { axis } => Equation::Together { axis: *axis },
                    Equation::Along { second } => Equation::Along {
                        second: turned(joint.second, second),
                    },
                    Equation::Square { first, second } => Equation::Square {
                        first: turned(joint.first, first),
                        second: turned(joint.second, second),
                    },
                },
                first_arm: first_arm.clone(),
                second_arm: second_arm.clone(),
                apart: apart.clone(),
            };
            fixture.equations.iter().map(place).collect()
        };
        self.joints.iter().zip(&self.fixtures).map(one).collect()
    }

    /// Fixes points and axes of joints in the bodies at the start.
    pub(super) fn fix_joints(&mut self) -> Result<(), SpatialError> {
        let start = self.start();
        let mut fixtures = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let wrong = |why: String| SpatialError::Joint {
                joint: joint.name.clone(),
                why,
            };
            if joint.first == joint.second {
                return Err(wrong(
                    "it joins a body with itself; name two bodies".to_owned(),
                ));
            }
            if [joint.first, joint.second]
                .iter()
                .all(|&i| self.bodies[i].fixed)
            {
                return Err(wrong(
                    "both bodies are fixed; leave the joint out".to_owned(),
                ));
            }
            // Arms and axes in body coordinates have more bits than those of the world, so that turning them back
            // gives the same vectors of the world.
            let local = |i: usize, vector: &Vector3<Rational>| {
                let own = into_body(&start.bodies[i].attitude.rotation(), vector);
                own.map(|value| rounded(value, -ATTITUDE_BITS))
            };
            let arm = |i: usize| local(i, &(&kept(&joint.point) - &start.bodies[i].position));
            let own = equations(&joint.kind).map_err(wrong)?;
            let travel = travel(joint).map_err(wrong)?;
            let travel = travel.map(|own| in_bodies(own, joint, local));
            let fixed = own.into_iter().map(|equation| match equation {
                Equation::Together { axis } => Equation::Together { axis },
                Equation::Along { second } => Equation::Along {
                    second: local(joint.second, &second),
                },
                Equation::Square { first, second } => Equation::Square {
                    first: local(joint.first, &first),
                    second: local(joint.second, &second),
                },
            });
            fixtures.push(Fixture {
                equations: fixed.collect(),
                travel,
                first_arm: arm(joint.first),
                second_arm: arm(joint.second),
            });
        }
        self.fixtures = fixtures;
        Ok(())
    }

    /// The limits of all joints at a state that are within a quarter turn; sliders have no turns.
    pub fn stops(&self, state: &SpaceState) -> Vec<StopRow> {
        self.stops_within(state, false)
    }

    /// The same with those that are further away.
    pub(crate) fn stops_within(&self, state: &SpaceState, anywhere: bool) -> Vec<StopRow> {
        let mut stops = Vec::new();
        for (k, (joint, fixture)) in self.joints.iter().zip(&self.fixtures).enumerate() {
            let rotations = self.rotations_of(state, joint);
            let mut push = |upper: bool, row: JointGradient| {
                stops.push(StopRow {
                    joint: k,
                    upper,
                    row,
                });
            };
            match &fixture.travel {
                Some(Travel::Turn {
                    first: [u, w],
                    limits: Some(limits),
                    ..
                }) => {
                    let [u, w] = [u, w].map(|own| kept(&rotations[0].apply(own)));
                    for (upper, limit) in [false, true].into_iter().zip(limits.iter()) {
                        let second = kept(&rotations[1].apply(limit));
                        if !anywhere && u.dot(&second) <= 0 {
                            continue;
                        }
                        let first = w.clone();
                        let equation = Equation::Square { first, second };
                        let row = self.placed_as(state, joint, fixture, equation).row();
                        push(upper, if upper { row } else { row.negated() });
                    }
                }
                Some(Travel::Shift {
                    axis,
                    limits: Some([low, high]),
                }) => {
                    let second = kept(&rotations[1].apply(axis));
                    let equation = Equation::Along { second };
                    let row = self.placed_as(state, joint, fixture, equation).row();
                    let mut lower = row.clone();
                    lower.gap -= low;
                    push(false, lower);
                    let mut upper = row.negated();
                    upper.gap += high;
                    push(true, upper);
                }
                _ => {}
            }
        }
        stops
    }

    /// The drives of all joints at a state.
    pub fn driven(&self, state: &SpaceState) -> Vec<DriveRow> {
        let all = self.joints.iter().zip(&self.fixtures).enumerate();
        let own = all.filter_map(|(k, (joint, fixture))| {
            let drive = joint.drive.clone()?;
            let rotations = self.rotations_of(state, joint);
            let row = match fixture.travel.as_ref()? {
                Travel::Turn { axis, .. } => {
                    let axis = kept(&rotations[1].apply(axis));
                    let none = Vector3::zero();
                    JointGradient {
                        second: [none.clone(), -&axis],
                        first: [none, axis],
                        gap: Rational::new(),
                    }
                }
                Travel::Shift { axis, .. } => {
                    let second = kept(&rotations[1].apply(axis));
                    let equation = Equation::Along { second };
                    self.placed_as(state, joint, fixture, equation).row()
                }
            };
            Some(DriveRow {
                joint: k,
                row,
                drive,
            })
        });
        own.collect()
    }

    fn rotations_of(&self, state: &SpaceState, joint: &Joint) -> [Rotation3<Rational>; 2] {
        [joint.first, joint.second].map(|i| state.bodies[i].attitude.rotation())
    }

    /// An equation whose vectors are in the world, with the joint's arms.
    fn placed_as(
        &self,
        state: &SpaceState,
        joint: &Joint,
        fixture: &Fixture,
        equation: Equation,
    ) -> Placed {
        let [first, second] = self.rotations_of(state, joint);
        let first_arm = kept(&first.apply(&fixture.first_arm));
        let second_arm = kept(&second.apply(&fixture.second_arm));
        let a = &state.bodies[joint.first].position + &first_arm;
        let b = &state.bodies[joint.second].position + &second_arm;
        Placed {
            apart: &a - &b,
            first_arm,
            second_arm,
            equation,
        }
    }
}
