//! Proofs about friction cones: each holds as it stands, and none of its conditions can be left out.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;

mod boxes;
mod exists;
mod no_solution;
mod one_velocity;

use common::*;
use etalon_kernel::{
    Budget, Cone, ConeNode, Direction, Disc, Enclosure, Law, Mode, Proved, Refusal, Truth, Unique,
    check_solution,
};
use rug::{Integer, Rational};

/// One disc of the rows after the normal.
fn cone(normal: usize, mu: &str, law: Law) -> Cone {
    let mu = vector(mu);
    let rows = (normal + 1..=normal + mu.len()).collect();
    let is_one = mu.iter().all(|own| *own == mu[0]);
    Cone { normal, discs: vec![Disc { rows, mu, is_one }], law }
}

fn contacts(rows: &str, bounds: &str, cones: Vec<Cone>) -> Contacts {
    Contacts { data: problem(rows, bounds), cones }
}

fn alone(rows: &str, mu: &str, law: Law) -> Contacts {
    contacts(rows, ".. .. ..", vec![cone(0, mu, law)])
}

fn why(refused: Result<(), Refusal>) -> &'static str {
    refused.unwrap_err().why
}
