//! Friction cones: whether a contact obeys its law, exactly or for data changed by at most eps.
//!
//! On the rows of a cone z is the force r and w the velocity u. With |r|_d^2 the sum of (r_k / mu_k)^2
//! over the rows k of disc d, K = {r : |r|_d <= r_N, r_k = 0 where mu_k = 0}. Where r_N > 0, each
//! disc sticks, u_d = 0, or slides, |r|_d = r_N and u_k = -L r_k / mu_k^2 with a multiplier L >= 0;
//! u_k is free where mu_k = 0. `docs/cones.md` proves the decision; it takes no square root of a force.

use std::cell::Cell;

use rug::Rational;

use crate::{Refusal, budget::*, ensure};

/// What ties force and velocity of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// Coulomb's: r_N >= 0, u_N >= 0, r_N u_N = 0; u_k is free where r_N = 0.
    Coulomb,
    /// r in K, u in its dual cone, r'u = 0; so u_N = (sum of L) r_N where r_N > 0.
    Convex,
}

/// A contact: a normal row and the tangential rows of its discs.
#[derive(Debug, Clone)]
pub struct Cone {
    /// The row N.
    pub normal: usize,
    /// The discs.
    pub discs: Vec<Disc>,
    /// The law.
    pub law: Law,
}

/// Tangential rows that r_N bounds together.
#[derive(Debug, Clone)]
pub struct Disc {
    /// The rows.
    pub rows: Vec<usize>,
    /// mu_k >= 0 of each.
    pub mu: Vec<Rational>,
    /// Whether these are one datum, which changes as one.
    pub is_one: bool,
}

impl Cone {
    /// Its rows: the normal, then those of the discs in order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        [self.normal].into_iter().chain(self.discs.iter().flat_map(|disc| disc.rows.clone()))
    }

    /// Takes its rows from those that are in no cone.
    pub(crate) fn take_rows(&self, is_plain: &mut [bool]) -> Result<(), Refusal> {
        let mut taken = self.rows().map(|i| is_plain.get_mut(i).is_some_and(std::mem::take));
        ensure(taken.all(|own| own), "no row, or in two cones")
    }

    /// Whether there are at most 4 discs of 1 to 5 rows, and each mu is at least 0.
    pub(crate) fn is_valid(&self) -> bool {
        let is_disc = |Disc { rows, mu, is_one }: &Disc| {
            let is_mu = |own: &Rational| *own >= 0 && (!is_one || *own == mu[0]);
            (1..=5).contains(&rows.len()) && mu.len() == rows.len() && mu.iter().all(is_mu)
        };
        self.discs.len() <= 4 && self.discs.iter().all(is_disc)
    }
}

/// A row of a contact at a candidate.
#[derive(Debug, Clone, Default)]
pub struct At {
    /// The force.
    pub r: Rational,
    /// The velocity.
    pub w: Rational,
    /// What eps is relative to: u is any number within eps s of w. |w| <= s where eps is not 0.
    pub s: Rational,
}

/// A tangential row with mu_k > 0, and mu_k.
type Tangent<'a> = (&'a At, &'a Rational);

/// Those of a disc, and whether they have one mu.
type Tangents<'a> = (Vec<Tangent<'a>>, bool);

/// Arithmetic that is paid for. Once it cannot be, all results are 0 and mean nothing.
pub(crate) struct Paid<'b> {
    budget: &'b Budget,
    refusal: Cell<Option<Refusal>>,
}

impl<'b> Paid<'b> {
    pub(crate) fn of(budget: &'b Budget) -> Self {
        Self { budget, refusal: Cell::new(None) }
    }

    /// What was found, if all of it was paid for.
    pub(crate) fn found<T>(&self, found: T) -> Result<T, Refusal> {
        self.refusal.get().map_or(Ok(found), Err)
    }
}

impl Paid<'_> {
    fn is_paid(&self, a: &Rational, b: &Rational) -> bool {
        let refused = self.budget.reduce(1, fraction_bits(a), fraction_bits(b)).err();
        self.refusal.set(self.refusal.get().or(refused));
        self.refusal.get().is_none()
    }

    pub(crate) fn sum(&self, a: &Rational, b: &Rational) -> Rational {
        if self.is_paid(a, b) { Rational::from(a + b) } else { Rational::new() }
    }

    pub(crate) fn product(&self, a: &Rational, b: &Rational) -> Rational {
        if self.is_paid(a, b) { Rational::from(a * b) } else { Rational::new() }
    }

    /// a / b, and 0 where b is.
    pub(crate) fn ratio(&self, a: &Rational, b: &Rational) -> Rational {
        if self.is_paid(a, b) && *b != 0 { Rational::from(a / b) } else { Rational::new() }
    }

    pub(crate) fn square(&self, a: &Rational) -> Rational {
        self.product(a, a)
    }

    pub(crate) fn is_at_most(&self, a: &Rational, b: &Rational) -> bool {
        self.is_paid(a, b) && a <= b
    }

    /// Whether u may be 0 on the row.
    fn rests(&self, row: &At, eps: &Rational) -> bool {
        self.is_at_most(&row.w.clone().abs(), &self.product(eps, &row.s))
    }

    /// Whether the sum of the roots of k <= 4 numbers >= 0 is at most a. For a >= 0:
    ///
    /// With `all` bits in these numbers, their common denominator c has no more, and times c all roots
    /// and a are those of integers, together below 2^(2 all + 3). v = c a - c (sum of roots) is one of 2^k
    /// numbers c a +- c root +- ..., whose product is an integer. If no other of them is 0, v = 0 or |v| >=
    /// 2^-((2 all + 3)(2^k - 1)); if another is, v = 0 or v <= -2, twice the roots that differ. So with these
    /// bits, those of c and 4 more, what k + 1 numbers lose when rounded down does not change the sign.
    /// Fewer bits do where what is left is below 0 or at least k: each root lost less than 1.
    pub(crate) fn roots_are_at_most(
        &self, squares: &[Rational], a: &Rational,
    ) -> Result<bool, Refusal> {
        let all = squares.iter().chain([a]).map(fraction_bits).fold(64, u64::saturating_add);
        let left = |times: u64| {
            let more = u32::try_from(all.saturating_mul(times)).map_err(|_| Refusal::WORK)?;
            let _held = self.budget.hold(8, u64::from(more) * 8)?;
            self.budget.reduce(8, u64::from(more) * 3, u64::from(more) * 3)?;
            let below = |own: &Rational, by| Rational::from(own << by).floor().into_numer_denom().0;
            Ok(squares.iter().fold(below(a, more), |left, own| left - below(own, 2 * more).sqrt()))
        };
        let few = left(1)?;
        Ok(few >= squares.len() || few >= 0 && left(2 << squares.len())? >= 0)
    }

    /// The least and the largest multiplier L with which a disc slides, for some mu' and u' in reach, if
    /// there is one. `limit` is r_N^2 and `share` |r|_d^2, neither 0; eps < 1.
    fn slides(
        &self, (disc, is_one): &Tangents<'_>, [limit, share]: [&Rational; 2], eps: &Rational,
    ) -> Option<[Rational; 2]> {
        let (one, mut low, mut high) = (Rational::from(1), vec![Rational::new()], Vec::new());
        // With a = 1 / mu'_k^2: L a is in [b-, b+] and a in [a-, a+]. `terms` has these times r_k^2.
        let mut terms: Vec<[Rational; 4]> = Vec::new();
        for (row, mu) in disc.iter().filter(|(row, _)| row.r != 0 || !self.rests(row, eps)) {
            let middle = self.ratio(&-row.w.clone(), &row.r);
            let reach = self.ratio(&self.product(eps, &row.s), &row.r.clone().abs());
            let least = self.sum(&middle, &-reach.clone()).max(Rational::new());
            let most = self.sum(&middle, &reach);
            (row.r != 0).then_some(())?;
            // On the boundary one mu' has no choice: its a is r_N^2 / (|r|_d mu)^2.
            let of_one = || self.ratio(limit, &self.product(share, &self.square(mu)));
            let of = |change| self.ratio(&one, &self.square(&self.product(mu, &change)));
            let of_each = || [of(self.sum(&one, eps)), of(self.sum(&one, &-eps.clone()))];
            let a = if *is_one { [of_one(), of_one()] } else { of_each() };
            low.push(self.ratio(&least, &a[1]));
            high.push(self.ratio(&most, &a[0]));
            let square = self.square(&row.r);
            terms.push([&a[0], &most, &least, &a[1]].map(|value| self.product(&square, value)));
        }
        // No a- is too large, by the least |r|_d within reach. The sum of a r_k^2 takes all values from that of max(a-, b- / L), the largest of 2^m sums, to
        // that of min(a+, b+ / L), the least of 2^m; r_N^2 is to be one of them.
        for chosen in 0..if *is_one { 0 } else { 1_usize << terms.len() } {
            let mut sums = <[Rational; 4]>::default();
            for (k, term) in terms.iter().enumerate() {
                for which in [0, 1].map(|end| end + 2 * (chosen >> k & 1)) {
                    sums[which] = self.sum(&sums[which], &term[which]);
                }
            }
            let [of_low, most, least, of_high] = sums;
            let (left, right) = (self.sum(limit, &-of_low), self.sum(limit, &-of_high));
            low.push(self.ratio(&least, &left));
            high.extend((right > 0).then(|| self.ratio(&most, &right)));
        }
        let (low, high) = (low.into_iter().max()?, high.into_iter().min()?);
        self.is_at_most(&low, &high).then_some([low, high])
    }

    /// [`obeys`], for r_N >= 0 and r_k = 0 where mu_k or r_N is.
    fn obeys(
        &self, law: Law, normal: &At, discs: &[Tangents<'_>], eps: &Rational,
    ) -> Result<bool, Refusal> {
        let (one, slack) = (Rational::from(1), self.product(eps, &normal.s));
        let [least, most] = [self.sum(&normal.w, &-slack.clone()), self.sum(&normal.w, &slack)];
        let shrunk = self.sum(&one, &-eps.clone()).max(Rational::new());
        if normal.r == 0 && law == Law::Coulomb {
            return Ok(most >= 0);
        } else if normal.r == 0 {
            // u is in the dual cone: the sum over discs of the length of (mu_k u_k) is at most u_N.
            let term = |sum: Rational, (row, mu): &Tangent<'_>| {
                let least = self.sum(&row.w.clone().abs(), &-self.product(eps, &row.s));
                let own = self.product(&self.product(mu, &shrunk), &least.max(Rational::new()));
                self.sum(&sum, &self.square(&own))
            };
            let squares = discs.iter().map(|(disc, _)| disc.iter().fold(Rational::new(), term));
            return self.roots_are_at_most(&squares.collect::<Vec<_>>(), &most);
        }
        let limit = self.square(&normal.r);
        let ends = [shrunk, self.sum(&one, eps)].map(|by| self.product(&limit, &self.square(&by)));
        let mut sums = <[Rational; 2]>::default();
        for disc in discs {
            let share = disc.0.iter().map(|(row, mu)| self.square(&self.ratio(&row.r, mu)));
            let share = share.fold(Rational::new(), |sum, own| self.sum(&sum, &own));
            // Beyond eps = 1, u = 0 is in reach of every row.
            let rests = *eps >= 1 || disc.0.iter().all(|(row, _)| self.rests(row, eps));
            let may_slide = share != 0 && self.is_at_most(&ends[0], &share);
            let slides = may_slide.then(|| self.slides(disc, [&limit, &share], eps)).flatten();
            if !self.is_at_most(&share, &ends[1]) || !rests && slides.is_none() {
                return Ok(false);
            }
            let [low, high] = slides.unwrap_or_default();
            // What rests slides with L = 0 too, where it may slide.
            sums = [self.sum(&sums[0], &low), self.sum(&sums[1], &high)];
        }
        if law == Law::Coulomb || *eps >= 1 {
            return Ok(*eps >= 1 || self.rests(normal, eps));
        }
        // u_N = (sum of L) r_N.
        let [low, high] = sums.map(|sum| self.product(&sum, &normal.r));
        Ok(self.is_at_most(&low, &most) && self.is_at_most(&least, &high))
    }
}

/// Whether a contact obeys its law for some u, each row within eps s of w, and some mu' with |mu' -
/// mu| <= eps mu: exactly, where eps = 0. `rows` are those of [`Cone::rows`], in that order.
///
/// # Errors
/// Another number of rows, a disc of more than 5, more than 4 discs, a mu or eps below 0, the budget.
pub fn obeys(cone: &Cone, rows: &[At], eps: &Rational, budget: &Budget) -> Result<bool, Refusal> {
    let is_cone = cone.is_valid() && *eps >= 0;
    ensure(is_cone && rows.len() == cone.rows().count(), "no cone with so many rows")?;
    let mus = cone.discs.iter().flat_map(|disc| &disc.mu);
    let numbers = rows.iter().flat_map(|at| [&at.r, &at.w, &at.s]).chain(mus).chain([eps]);
    // No number below has the bits of 32 of each of these, and few are held at once.
    let _held = budget.hold(256, numbers.map(|own| 256 * fraction_bits(own)).sum())?;
    let (normal, mut rest, mut discs) = (&rows[0], &rows[1..], Vec::new());
    for disc in &cone.discs {
        let (own, others) = rest.split_at(disc.rows.len());
        let own = own.iter().zip(&disc.mu);
        // No change of the data explains a force where mu or r_N is 0.
        if own.clone().any(|(row, mu)| row.r != 0 && (*mu == 0 || normal.r == 0)) {
            return Ok(false);
        }
        discs.push((own.filter(|(_, mu)| **mu != 0).collect(), disc.is_one));
        rest = others;
    }
    let f = Paid::of(budget);
    let obeys = normal.r >= 0 && f.obeys(cone.law, normal, &discs, eps)?;
    f.found(obeys)
}
