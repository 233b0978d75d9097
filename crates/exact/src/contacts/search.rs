//! The search for what decides a contact problem without an answer to it: a proof that there is no solution, which is a
//! Farkas vector or a cover of the modes of contacts; and a point that proves that there is one. (`docs/certificates-cones.md`.)

use std::time::Instant;

use etalon_lcp::{Certificate, Cone, Cover, CoverNode, Matrix, MixedLcp, Number, Problem, Row};
use rug::Rational;

use super::facts::{
    Direction, Fact, Known, State, bounds, inside, middle, of_contact, of_row, tangents, turn,
};
use crate::budget::{Budget, Exhausted, Meter};
use crate::enumerate::{Found, farkas_within, find_one};

/// The largest linear programme, in its unknowns and facts: a dense dictionary of fractions. Chosen for its time, some seconds.
const MAX_SIZE: usize = 400;

/// Covers are looked for up to so many contacts and plain rows. Chosen: each contact has six modes to begin with, and each
/// plain row two, so there are 6^4 leaves at most before sectors are halved.
const MAX_CONTACTS: usize = 4;
const MAX_ROWS: usize = 24;

/// A cover has at most so many nodes. Chosen: a leaf takes some milliseconds.
const MAX_NODES: usize = 2_000;

/// How far inside of the dual cones a point is looked for, in parts of the largest |q_i|.
const MARGINS: [(u32, u32); 3] = [(1, 10), (1, 1000), (1, 1_000_000)];

/// A point that proves that there is a solution, whatever its modes. The kernel checks the blocks of M that this needs.
pub(crate) fn existence(
    problem: &Problem,
    budget: &Budget,
) -> Result<Option<Certificate>, Exhausted> {
    let largest = (problem.q().iter().map(Number::to_rational))
        .map(Rational::abs)
        .max();
    let size = largest
        .filter(|size| *size > 0)
        .unwrap_or_else(|| Rational::from(1));
    let (start, rows) = (Instant::now(), problem.rows());
    for part in MARGINS {
        let margin = &size * Rational::from(part);
        let mut facts: Vec<_> = (problem.cones().iter())
            .flat_map(|cone| inside(cone, &margin))
            .collect();
        for (i, row) in rows.iter().enumerate() {
            match row {
                Row::Cone => {}
                Row::Free => facts.extend(of_row(i, row, &[])),
                _ => facts.push(Fact {
                    w: vec![(i, Rational::from(1))],
                    constant: -margin.clone(),
                    ..Fact::default()
                }),
            }
        }
        let Some(programme) = programme(problem, &facts)? else {
            return Ok(None);
        };
        if let Found::Solution(mut z) = find_one(&programme, &budget.left_since(start))? {
            z.truncate(problem.n());
            let z = z.into_iter().map(Number::from).collect();
            return Ok(Some(Certificate::ConeFeasible { z }));
        }
    }
    Ok(None)
}

/// A proof that there is no solution. The budget is for all nodes together.
pub(crate) fn refutation(
    problem: &Problem,
    budget: &Budget,
) -> Result<Option<Certificate>, Exhausted> {
    let rows = problem.rows();
    let is_double = |i: &usize| bounds(*i, &rows[*i]).iter().all(Option::is_some);
    let doubles = (0..rows.len()).filter(is_double).collect();
    let mut search = Search {
        problem,
        rows,
        doubles,
        nodes: Vec::new(),
    };
    let mut meter = Meter::new(budget);
    let mut open = vec![Open {
        states: vec![State::Any; problem.cones().len()],
        known: vec![Vec::new(); problem.n()],
        link: None,
    }];
    while let Some(own) = open.pop() {
        let index = search.nodes.len();
        if let Some(link) = own.link {
            search.tell(link, index);
        }
        if let Some(y) = search.multipliers(&own, &mut meter)? {
            search.nodes.push(CoverNode::Empty { y });
            continue;
        }
        let is_small = search.problem.cones().len() <= MAX_CONTACTS && problem.n() <= MAX_ROWS;
        if !is_small || index + open.len() >= MAX_NODES {
            return Ok(None);
        }
        let Some((node, children)) = search.branch(&own, index) else {
            return Ok(None);
        };
        search.nodes.push(node);
        open.extend(children);
    }
    let nodes = search.nodes;
    Ok(Some(Certificate::of_empty_cover(Cover { nodes })))
}

/// A node to be looked at.
struct Open {
    states: Vec<State>,
    known: Vec<Vec<Known>>,
    /// The parent, and the place of this child in it.
    link: Option<(usize, usize)>,
}

impl Open {
    fn child(&self, link: (usize, usize)) -> Self {
        Self {
            states: self.states.clone(),
            known: self.known.clone(),
            link: Some(link),
        }
    }
}

struct Search<'a> {
    problem: &'a Problem,
    rows: Vec<Row<'a>>,
    /// Rows with two bounds.
    doubles: Vec<usize>,
    nodes: Vec<CoverNode>,
}

impl Search<'_> {
    /// Tells a parent where its child is.
    fn tell(&mut self, (parent, place): (usize, usize), index: usize) {
        match &mut self.nodes[parent] {
            CoverNode::Branch { z_zero, w_zero, .. } => {
                *(if place == 0 { z_zero } else { w_zero }) = index;
            }
            CoverNode::Contact { others, slides, .. } => match (others, place) {
                (Some(others), 0 | 1) => others[place] = index,
                (_, place) => slides[place - 2].1 = index,
            },
            _ => {}
        }
    }

    /// Multipliers y of w that show a node to be empty: with facts of the node they sum to a negative number.
    fn multipliers(&self, own: &Open, meter: &mut Meter) -> Result<Option<Vec<Number>>, Exhausted> {
        let of_cones = self.problem.cones().iter().zip(&own.states);
        let mut facts: Vec<_> = of_cones
            .flat_map(|(cone, state)| of_contact(cone, state))
            .collect();
        for (i, row) in self.rows.iter().enumerate() {
            if !matches!(row, Row::Cone) {
                facts.extend(of_row(i, row, &own.known[i]));
            }
        }
        let Some(programme) = programme(self.problem, &facts)? else {
            return Ok(None);
        };
        let Some(y) = farkas_within(&programme, meter)? else {
            return Ok(None);
        };
        let mut all = vec![Rational::new(); self.problem.n() + self.doubles.len()];
        for (fact, y) in facts.iter().zip(&y[self.problem.n()..]) {
            for (place, entry) in self.entries(fact, &y.to_rational()) {
                all[place] += entry;
            }
        }
        Ok(Some(all.into_iter().map(Number::from).collect()))
    }

    /// What y times a fact adds to the vector of a leaf, and where: entry i multiplies w_i, or -w_i where there is only an
    /// upper bound, and those from n on U_i - z_i of rows with two (`docs/certificates.md`, "The form").
    fn entries(&self, fact: &Fact, y: &Rational) -> impl Iterator<Item = (usize, Rational)> {
        let of_w = fact.w.iter().map(move |(i, factor)| {
            let turned = matches!(self.rows[*i], Row::AtMost(_));
            let entry = Rational::from(factor * y);
            (*i, if turned { -entry } else { entry })
        });
        let of_upper = fact.upper.and_then(|(i, times)| {
            let place = self.doubles.iter().position(|own| *own == i)?;
            Some((self.rows.len() + place, Rational::from(y * times)))
        });
        of_w.chain(of_upper)
    }

    /// What a node is divided by: the modes of a contact, the choice of a plain row, or the widest sector.
    fn branch(&self, own: &Open, index: usize) -> Option<(CoverNode, Vec<Open>)> {
        let cones = self.problem.cones();
        let is_open = |k: &usize| matches!(own.states[*k], State::Any) && has_sectors(&cones[*k]);
        if let Some(k) = (0..cones.len()).find(is_open) {
            return Some(by_mode(own, index, k, &cones[k]));
        }
        if let Some(node) = self.by_row(own, index) {
            return Some(node);
        }
        let sector = |k: usize| match &own.states[k] {
            State::Slides(ends) => Some((turn(&ends[0], &ends[1]), k)),
            _ => None,
        };
        // The widest sector: chords and tangents are furthest from its arc.
        let (_, k) = (0..cones.len()).filter_map(sector).max()?;
        let State::Slides([from, to]) = &own.states[k] else {
            return None;
        };
        // Chords and tangents of both halves lie nearer to the arc: at about a quarter of the distance.
        let half = middle([from, to]);
        // Directions have limited digits: a sector that is one step of them is not divided.
        if turn(from, &half) <= 0 || turn(&half, to) <= 0 {
            return None;
        }
        let starts = [from.clone(), half.clone()];
        Some(divided(own, index, k, None, &starts, to))
    }

    fn by_row(&self, own: &Open, index: usize) -> Option<(CoverNode, Vec<Open>)> {
        use Known::{AtLower, AtUpper, NotAbove, NotBelow};
        let of_upper =
            |i| self.rows.len() + self.doubles.iter().take_while(|own| **own < i).count();
        let choices = self.rows.iter().enumerate().flat_map(|(i, row)| {
            let [lower, upper] = bounds(i, row);
            match (lower.is_some(), upper.is_some()) {
                (false, false) => vec![],
                (true, false) => vec![(i, i, [AtLower, NotAbove])],
                (false, true) => vec![(i, i, [AtUpper, NotBelow])],
                (true, true) => vec![
                    (i, i, [AtLower, NotAbove]),
                    (i, of_upper(i), [NotBelow, AtUpper]),
                ],
            }
        });
        let is_open = |(i, _, facts): &(usize, usize, [Known; 2])| {
            !own.known[*i].iter().any(|known| facts.contains(known))
        };
        let (i, row, facts) = choices.into_iter().find(is_open)?;
        let child = |(place, fact): (usize, Known)| {
            let mut child = own.child((index, place));
            child.known[i].push(fact);
            child
        };
        let node = CoverNode::Branch {
            row,
            z_zero: 0,
            w_zero: 0,
        };
        let children = facts.into_iter().enumerate().map(child).collect();
        Some((node, children))
    }
}

/// Whether the kernel divides the directions of a contact.
fn has_sectors(cone: &Cone) -> bool {
    cone.discs.len() <= 1 && cone.discs.iter().all(|disc| tangents(disc).len() <= 2)
}

/// Open, sticking, and sliding in four sectors.
fn by_mode(own: &Open, index: usize, k: usize, cone: &Cone) -> (CoverNode, Vec<Open>) {
    let slips = cone.discs.iter().any(|disc| !tangents(disc).is_empty());
    let axes = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    let starts = axes.map(|axis| axis.map(Rational::from));
    let count = if slips { starts.len() } else { 0 };
    let others = Some([State::Open, State::Sticks]);
    divided(own, index, k, others, &starts[..count], &starts[0])
}

/// A node of modes of a contact, and its children: sectors, each from its start to the next, the last to an end.
fn divided(
    own: &Open,
    index: usize,
    k: usize,
    others: Option<[State; 2]>,
    starts: &[Direction],
    end: &Direction,
) -> (CoverNode, Vec<Open>) {
    let node = CoverNode::Contact {
        cone: k,
        others: others.as_ref().map(|_| [0, 0]),
        slides: (starts.iter())
            .map(|start| (start.clone().map(Number::from), 0))
            .collect(),
    };
    let sectors = starts.iter().enumerate().map(|(place, start)| {
        let end = starts.get(place + 1).unwrap_or(end);
        let sector = [start.clone(), end.clone()];
        (place + 2, State::Slides(sector))
    });
    let others = others.into_iter().flatten().enumerate();
    let child = |(place, state): (usize, State)| {
        let mut child = own.child((index, place));
        child.states[k] = state;
        child
    };
    (node, others.chain(sectors).map(child).collect())
}

/// The facts as a linear programme in z: n rows 0 = 0 whose z_i are free, and a row for each fact, whose own unknown is
/// in no row. `None` where it is too large.
fn programme(problem: &Problem, facts: &[Fact]) -> Result<Option<MixedLcp>, Exhausted> {
    let n = problem.n();
    let size = n + facts.len();
    if size > MAX_SIZE {
        return Ok(None);
    }
    let (mut entries, mut q) = (Vec::new(), vec![Number::from(0); n]);
    for (k, fact) in facts.iter().enumerate() {
        let (mut of_z, mut constant) = (vec![Rational::new(); n], fact.constant.clone());
        for (i, factor) in &fact.w {
            constant += factor * problem.q()[*i].to_rational();
            for (j, value) in problem.m().row(*i) {
                of_z[j] += factor * value.to_rational();
            }
        }
        for (j, factor) in &fact.z {
            of_z[*j] += factor;
        }
        let stored = of_z.into_iter().enumerate().filter(|(_, own)| *own != 0);
        entries.extend(stored.map(|(j, own)| ((n + k) as u64, j as u64, Number::from(own))));
        q.push(Number::from(constant));
    }
    let matrix = Matrix::from_entries((size as u64, size as u64), entries);
    let bilateral = (0..size).map(|i| i < n).collect();
    Ok(matrix
        .ok()
        .and_then(|matrix| MixedLcp::new(matrix, q, bilateral)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With M = 0 the velocities are q, whatever acts: inside of the cone by q_N and no more.
    #[test]
    fn margins_are_parts_of_the_size_of_q() {
        for (q, exists) in [
            ("[1, 0, 0]", true),
            ("[1e6, 0, 0]", true),
            ("[-1, 0, 0]", false),
        ] {
            let text = format!(
                r#"{{"name": "still", "M": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "q": {q},
                    "cones": [{{"rows": [0, 1, 2], "mu": 0.5, "law": "coulomb"}}]}}"#
            );
            let problem = etalon_lcp::record::read_problem(&text).unwrap().record;
            let proof = existence(&problem, &Budget::default());
            assert_eq!(proof.unwrap().is_some(), exists, "{q}");
        }
    }
}
