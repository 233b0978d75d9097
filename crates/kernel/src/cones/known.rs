//! What a cover knows of a contact: it is open, sticks, or slides in a sector of directions. And
//! which linear forms of its velocity w and its force r are not negative in a mode.
//!
//! In the variables r_k / mu_k and mu_k w_k a disc is round: where it slides these two are opposite
//! vectors, the first of length r_N. (`docs/certificates-cones.md`.)

use rug::Rational;

use crate::{Checked, Refusal, budget::*, cone::*, ensure};

/// A direction of r in the plane of a disc: r_k / mu_k of its rows with mu_k > 0, in their order, and
/// 0 for rows that are not there.
pub type Direction = [Rational; 2];

/// What is known of a contact.
#[derive(Debug, Clone)]
pub(crate) enum Known {
    /// Nothing.
    Any,
    /// r = 0.
    Open,
    /// r_N > 0, and no disc slides.
    Sticks,
    /// r_N > 0, and r slides between two directions, less than half a turn apart.
    Slides([Direction; 2]),
}

impl Known {
    /// The bits of its numbers.
    pub(crate) fn bits(&self) -> u64 {
        let Self::Slides(ends) = self else { return 0 };
        ends.iter().flatten().map(fraction_bits).sum()
    }
}

/// The modes in one of which each solution is that has this one: open and sticking, if these are named,
/// and sectors. Each sector begins with its direction and ends where the next begins; the last ends where
/// the mode does, or where the first began.
///
/// # Errors
/// A contact whose discs have more than two rows with mu > 0, sectors of half a turn, and such that
/// leave out a direction.
pub(crate) fn split(
    cone: &Cone, known: &Known, others: bool, starts: &[&Direction], paid: &Paid<'_>,
) -> Checked<Vec<Known>> {
    let mus = || cone.discs.iter().flat_map(|disc| &disc.mu).filter(|mu| **mu > 0);
    let is_round = cone.discs.len() <= 1 && mus().count() <= 2;
    ensure(is_round, "a contact of more than one disc of two rows has no sectors")?;
    let (mut modes, ends) = match (known, starts) {
        // Without friction nothing slides.
        (Known::Any, []) if others && mus().next().is_none() => {
            return Ok(vec![Known::Open, Known::Sticks]);
        }
        (Known::Any, [first, ..]) if others => (vec![Known::Open, Known::Sticks], [*first, *first]),
        (Known::Slides([from, to]), [..]) if !others => (vec![], [from, to]),
        _ => return Err(Refusal::new("its contact is not open for this choice here")),
    };
    ensure(starts.first() == Some(&ends[0]), "the first sector begins elsewhere")?;
    for (k, start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).unwrap_or(&ends[1]);
        // All turns are positive and less than half of one, so from end to end none is left out.
        ensure(paid.turn(start, end) > 0, "a sector is not between 0 and half a turn")?;
        modes.push(Known::Slides([(*start).clone(), (*end).clone()]));
    }
    paid.found(modes)
}

/// Checks that v'w + c'r >= 0 for all w and r of the contact that obey its law in the mode. `own` has v_i
/// and c_i for [`Cone::rows`].
///
/// # Errors
/// That it may be negative, the budget.
pub(crate) fn check_term(
    cone: &Cone, known: &Known, own: &[[Rational; 2]], paid: &Paid<'_>,
) -> Checked {
    let ([v_n, c_n], mut rest, mut discs) = (&own[0], &own[1..], Vec::new());
    let mut is_still = true;
    for disc in &cone.discs {
        let (own, others) = rest.split_at(disc.rows.len());
        let rows = own.iter().zip(&disc.mu);
        // Where mu_k = 0, r_k = 0 and w_k is any number.
        is_still &= rows.clone().all(|([v, _], mu)| *mu > 0 || *v == 0);
        let rows = rows.filter(|(_, mu)| **mu > 0);
        let round = rows.map(|([v, c], mu)| [paid.ratio(v, mu), paid.product(c, mu)]);
        discs.push(round.collect::<Vec<_>>());
        rest = others;
    }
    let squares = |which: usize| {
        let of = |disc: &Vec<[Rational; 2]>| {
            paid.sum_of_squares(disc.iter().map(|own| own[which].clone()))
        };
        discs.iter().map(of).collect::<Vec<_>>()
    };
    let plane = |which: usize| {
        let mut plane = Direction::default();
        let of_disc = discs.iter().flatten().zip(&mut plane);
        of_disc.for_each(|(own, entry)| entry.clone_from(&own[which]));
        plane
    };
    // c in K*: then c'r >= 0 for r in K.
    let of_r = || Ok(*c_n >= 0 && paid.roots_are_at_most(&squares(1), c_n)?);
    // What is known of w where r_N may be 0: w_N >= 0, and of the convex law that w is in K*.
    let of_w = || match cone.law {
        Law::Coulomb => *v_n >= 0 && squares(0).iter().all(|square| *square == 0),
        Law::Convex => {
            let limit = paid.square(v_n);
            *v_n >= 0 && squares(0).iter().all(|square| paid.is_at_most(square, &limit))
        }
    };
    let holds = is_still
        && match known {
            Known::Any => of_w() && of_r()?,
            Known::Open => of_w(),
            // w = 0.
            Known::Sticks => of_r()?,
            // r = r_N (1, t) with a unit vector t, and w = (0, -L t): or (L, -L t) by the convex law.
            Known::Slides(ends) => {
                let [v, c] = [plane(0), plane(1)];
                let minus = v.map(|own| -own);
                paid.is_positive_between(c_n, &c, ends)
                    && match cone.law {
                        Law::Coulomb => ends.iter().all(|end| paid.along(&minus, end) >= 0),
                        Law::Convex => paid.is_positive_between(v_n, &minus, ends),
                    }
            }
        };
    ensure(paid.found(holds)?, "the term of a contact may be negative")
        .map_err(|no| no.at_row(cone.normal))
}

impl Paid<'_> {
    /// The sine of the turn from one to the other, times their lengths.
    fn turn(&self, from: &Direction, to: &Direction) -> Rational {
        self.sum(&self.product(&from[0], &to[1]), &-self.product(&from[1], &to[0]))
    }

    fn along(&self, one: &Direction, other: &Direction) -> Rational {
        self.sum(&self.product(&one[0], &other[0]), &self.product(&one[1], &other[1]))
    }

    /// Whether a + x't >= 0 for all unit vectors t between these ends: at both, and where t = -x / |x|,
    /// which is the least of all, if that is between them.
    fn is_positive_between(&self, a: &Rational, x: &Direction, ends: &[Direction; 2]) -> bool {
        let at = |end: &Direction| {
            let (own, square) = (self.along(x, end), self.square(&self.along(x, end)));
            let other = self.product(&self.square(a), &self.along(end, end));
            // a |end| + x'end >= 0.
            if *a >= 0 {
                own >= 0 || self.is_at_most(&square, &other)
            } else {
                own >= 0 && self.is_at_most(&other, &square)
            }
        };
        let least = x.clone().map(|own| -own);
        let is_between = self.turn(&ends[0], &least) > 0 && self.turn(&least, &ends[1]) > 0;
        let is_least = || *a >= 0 && self.is_at_most(&self.along(x, x), &self.square(a));
        ends.iter().all(at) && (!is_between || is_least())
    }
}
