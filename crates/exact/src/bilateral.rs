//! Bilateral rows first: the free z enter the basis before any method starts (Baraff 1994,
//! section 4.5), where no ratio test will ever look at them.

use crate::budget::{Exhausted, Meter};
use crate::tableau::{Tableau, Variable};

/// Exchanges, row by row, w_i of a bilateral row with a free z, preferably its own. What remains
/// is zero within the block: the rows whose w_i stays basic depend on the others there, and the
/// block is singular when there are any.
///
/// Returns the tableau rows that are left over.
pub(crate) fn bring_in_free(
    tableau: &mut Tableau,
    bilateral: &[bool],
    meter: &Meter,
) -> Result<Vec<usize>, Exhausted> {
    let mut left_over = Vec::new();
    for r in 0..tableau.rows() {
        let Variable::W(i) = tableau.basic()[r] else {
            continue;
        };
        if !bilateral[i] {
            continue;
        }
        let Some(c) = free_column(tableau, bilateral, r, i) else {
            left_over.push(r);
            continue;
        };
        meter.uncounted(u64::from(tableau.entry(r, c).significant_bits()))?;
        tableau.pivot(r, c);
    }
    Ok(left_over)
}

/// The column of a free z with a nonzero entry in row r, that of z_i if possible.
fn free_column(tableau: &Tableau, bilateral: &[bool], r: usize, i: usize) -> Option<usize> {
    let usable = |&c: &usize| {
        let free = matches!(tableau.nonbasic()[c], Variable::Z(j) if bilateral[j]);
        free && *tableau.entry(r, c) != 0
    };
    let own = tableau.column_of(Variable::Z(i)).filter(usable);
    own.or_else(|| (0..tableau.columns()).find(usable))
}

/// Drops the columns of the bilateral w, which are zero for ever.
pub(crate) fn drop_equations(tableau: &mut Tableau, bilateral: &[bool]) {
    for c in (0..tableau.columns()).rev() {
        if matches!(tableau.nonbasic()[c], Variable::W(i) if bilateral[i]) {
            tableau.drop_column(c);
        }
    }
}
