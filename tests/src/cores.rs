//! Tests that are long on one core, on all cores.

use std::thread;

use etalon_certify::on_threads;

/// What `work` makes of each item, in the order of the items. Which core has which item changes from run to run, so `work`
/// must make the same of an item whatever was before.
///
/// # Panics
/// When `work` panics.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    on_threads(items.len(), cores, |k| work(&items[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once_and_results_are_in_their_order() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let squares: Vec<_> = items.iter().map(|k| k * k).collect();
            assert_eq!(on_all_cores(&items, |k| k * k), squares);
        }
    }

    #[test]
    #[should_panic(expected = "item 999")]
    fn a_panic_on_any_core_is_one_here() {
        let items: Vec<usize> = (0..1000).collect();
        on_all_cores(&items, |k| assert!(*k != 999, "item {k}"));
    }
}
