//! Friction cones: whether a contact obeys its law, exactly or for data changed by at most eps.
//!
//! On the rows of a cone z is the force r and w the velocity u. With |r|_d^2 the sum of (r_k / mu_k)^2
//! over the rows k of disc d, K = {r : |r|_d <= r_N, r_k = 0 where mu_k = 0}. Where r_N > 0, each
//! disc sticks, u_d = 0, or slides, |r|_d = r_N and u_k = -L r_k / mu_k^2 with a multiplier L >= 0;
//! u_k is free where mu_k = 0. `docs/cones.md` proves the decision; it takes no square root of a force.

use std::cell::Cell;

use rug::Rational;

use crate::{Checked, Refusal, budget::*, ensure};

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
    pub(crate) fn take_rows(&self, is_plain: &mut [bool]) -> Checked {
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

/// A tangential row with mu_k > 0: r_k, the row and mu_k. Where r_N > 0, r_k is in units of r_N.
type Tangent<'a> = (Rational, &'a At, &'a Rational);

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
    pub(crate) fn found<T>(&self, found: T) -> Checked<T> {
        self.refusal.get().map_or(Ok(found), Err)
    }

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

    pub(crate) fn sum_of_squares(&self, all: impl Iterator<Item = Rational>) -> Rational {
        all.fold(Rational::new(), |sum, own| self.sum(&sum, &self.square(&own)))
    }

    /// The ends of the interval around a number.
    pub(crate) fn around(&self, middle: &Rational, reach: &Rational) -> [Rational; 2] {
        [self.sum(middle, &-reach.clone()), self.sum(middle, reach)]
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
    pub(crate) fn roots_are_at_most(&self, squares: &[Rational], a: &Rational) -> Checked<bool> {
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
    /// there is one; r_N = 1. `share` is |r|_d^2, not 0, and `changes` are the ends of (mu'_k / mu_k)^2.
    fn slides(
        &self, (disc, is_one): &Tangents<'_>, share: &Rational, changes: &[Rational; 2],
        eps: &Rational,
    ) -> Option<[Rational; 2]> {
        let (one, mut low, mut high) = (Rational::from(1), vec![Rational::new()], Vec::new());
        // On the boundary one mu' has no choice: (mu' / mu)^2 is the share.
        let changes = if *is_one { [share, share] } else { changes.each_ref() };
        // With a = 1 / mu'_k^2: L a is in [b-, b+] and a in [a-, a+]. `terms` has these times r_k^2.
        let mut terms: Vec<[Rational; 4]> = Vec::new();
        for (r, row, mu) in disc.iter().filter(|(r, row, _)| *r != 0 || !self.rests(row, eps)) {
            if *r == 0 {
                return None;
            }
            let reach = self.ratio(&self.product(eps, &row.s), &r.clone().abs());
            let [least, most] = self.around(&self.ratio(&-row.w.clone(), r), &reach);
            let least = least.max(Rational::new());
            let a = |by: &Rational| self.ratio(&one, &self.product(&self.square(mu), by));
            let [most_a, least_a] = changes.map(a);
            low.push(self.ratio(&least, &most_a));
            high.push(self.ratio(&most, &least_a));
            let square = self.square(r);
            terms.push([&least_a, &most, &least, &most_a].map(|own| self.product(&square, own)));
        }
        // No a- is too large, by the least |r|_d within reach. The sum of a r_k^2 takes all values from
        // that of max(a-, b- / L), the largest of 2^m sums, to that of min(a+, b+ / L), the least of 2^m;
        // 1 is to be one of them.
        for chosen in 0..if *is_one { 0 } else { 1_usize << terms.len() } {
            let mut sums = <[Rational; 4]>::default();
            for (k, term) in terms.iter().enumerate() {
                for which in [0, 1].map(|end| end + 2 * (chosen >> k & 1)) {
                    sums[which] = self.sum(&sums[which], &term[which]);
                }
            }
            let [of_low, most, least, of_high] = sums;
            let (left, right) = (self.sum(&one, &-of_low), self.sum(&one, &-of_high));
            low.push(self.ratio(&least, &left));
            high.extend((right > 0).then(|| self.ratio(&most, &right)));
        }
        let (low, high) = (low.into_iter().max()?, high.into_iter().min()?);
        self.is_at_most(&low, &high).then_some([low, high])
    }

    /// [`obeys`], for r_N >= 0 and r_k = 0 where mu_k or r_N is.
    fn obeys(
        &self, law: Law, normal: &At, discs: &[Tangents<'_>], eps: &Rational,
    ) -> Checked<bool> {
        let [least, most] = self.around(&normal.w, &self.product(eps, &normal.s));
        let changes = self.around(&Rational::from(1), eps).map(|end| end.max(Rational::new()));
        if normal.r == 0 {
            // u_N is at least 0; in the dual cone, at least the sum over discs of the length of (mu_k u_k).
            let own = |(_, row, mu): &Tangent<'_>| {
                let least = self.sum(&row.w.clone().abs(), &-self.product(eps, &row.s));
                self.product(&self.product(mu, &changes[0]), &least.max(Rational::new()))
            };
            let discs = discs.iter().filter(|_| law == Law::Convex);
            let squares = discs.map(|(disc, _)| self.sum_of_squares(disc.iter().map(own)));
            return self.roots_are_at_most(&squares.collect::<Vec<_>>(), &most);
        }
        let (changes, mut sums) = (changes.map(|by| self.square(&by)), <[Rational; 2]>::default());
        for disc in discs {
            let share = self.sum_of_squares(disc.0.iter().map(|(r, _, mu)| self.ratio(r, mu)));
            // Beyond eps = 1, u = 0 is in reach of every row.
            let rests = *eps >= 1 || disc.0.iter().all(|(_, row, _)| self.rests(row, eps));
            let may_slide = share != 0 && self.is_at_most(&changes[0], &share);
            let slides = may_slide.then(|| self.slides(disc, &share, &changes, eps)).flatten();
            if !self.is_at_most(&share, &changes[1]) || !rests && slides.is_none() {
                return Ok(false);
            }
            // What rests slides with L = 0 too, where it may slide. By Coulomb's law u_N = 0 whatever L is.
            let [low, high] = slides.filter(|_| law == Law::Convex).unwrap_or_default();
            sums = [self.sum(&sums[0], &low), self.sum(&sums[1], &high)];
        }
        // u_N is the sum of L.
        Ok(*eps >= 1 || self.is_at_most(&sums[0], &most) && self.is_at_most(&least, &sums[1]))
    }
}

/// Whether a contact obeys its law for some u, each row within eps s of w, and some mu' with |mu' -
/// mu| <= eps mu: exactly, where eps = 0. `rows` are those of [`Cone::rows`], in that order.
///
/// # Errors
/// Another number of rows, a disc of more than 5, more than 4 discs, a mu or eps below 0, the budget.
pub fn obeys(cone: &Cone, rows: &[At], eps: &Rational, budget: &Budget) -> Checked<bool> {
    let is_cone = cone.is_valid() && *eps >= 0;
    ensure(is_cone && rows.len() == cone.rows().count(), "no cone with so many rows")?;
    let mus = cone.discs.iter().flat_map(|disc| &disc.mu);
    let numbers = rows.iter().flat_map(|at| [&at.r, &at.w, &at.s]).chain(mus).chain([eps]);
    // No number below has the bits of 32 of each of these, and few are held at once.
    let _held = budget.hold(256, numbers.map(|own| 256 * fraction_bits(own)).sum())?;
    let (normal, mut rest, mut discs) = (&rows[0], rows[1..].iter(), Vec::new());
    let f = Paid::of(budget);
    for disc in &cone.discs {
        let own: Vec<_> = disc.mu.iter().zip(rest.by_ref()).collect();
        // No change of the data explains a force where mu or r_N is 0.
        if own.iter().any(|(mu, row)| row.r != 0 && (**mu == 0 || normal.r == 0)) {
            return Ok(false);
        }
        let own = own.into_iter().filter(|(mu, _)| **mu != 0);
        let own = own.map(|(mu, row)| (f.ratio(&row.r, &normal.r), row, mu));
        discs.push((own.collect(), disc.is_one));
    }
    let obeys = normal.r >= 0 && f.obeys(cone.law, normal, &discs, eps)?;
    f.found(obeys)
}
