//! One search on several threads, with the result that one thread has.
//!
//! A search goes depth first, so what is left of it is a list of subtrees, the next one last. Where another thread has nothing to do,
//! it gets the first subtree of the list, which is the last in order, and searches it as a *segment* of its own. The segments in the
//! order of the tree are the whole search:
//!
//! * A segment comes right after the one that gave it away, and so before what that one gave away earlier.
//! * Indices of nodes, lists, and what is used of the budget count from the beginning of a segment. They are moved when segments are
//!   put together.
//! * A limit may be passed in the middle of a segment that was below it by itself. Where memory is passed, one thread goes through that
//!   segment again with what was used before it: a list of vertices may be cut short there. So where a search ends does not depend on
//!   the number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use etalon_certify::on_threads;
use etalon_lcp::CoverNode;

use super::cell::Zero;
use super::search::{Search, Task};
use crate::budget::Exhausted;

/// A part of the search, by one thread.
struct Segment {
    /// Who gave it away.
    origin: Option<Origin>,
    /// Its subtree, as it was before.
    start: Option<Task>,
    search: Search,
    /// What is left where the search was cut short.
    stack: Vec<Task>,
    given: Vec<Given>,
    error: Option<Exhausted>,
}

/// A subtree by the node that it belongs under and the variable that is 0 in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Given {
    node: usize,
    zero: Option<Zero>,
}

#[derive(Debug, Clone, Copy)]
struct Origin {
    segment: usize,
    given: Given,
}

/// What the threads share.
struct Crew {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// How many threads have nothing to do that nothing waits for.
    hungry: AtomicUsize,
    is_cut_short: AtomicBool,
    /// Pivots and bytes of all segments.
    pivots: AtomicU64,
    bytes: AtomicU64,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<(usize, Segment)>,
    done: BTreeMap<usize, Segment>,
    /// The segment that comes after each.
    next: Vec<Option<usize>>,
    running: usize,
    hungry: usize,
}

/// Ends a search for all solutions on so many threads.
pub(super) fn finish(
    search: Search,
    stack: Vec<Task>,
    threads: usize,
) -> Result<Search, Exhausted> {
    let crew = Crew::new(search, stack);
    on_threads(threads, threads, |_| crew.work());
    crew.together()
}

impl Crew {
    fn new(search: Search, stack: Vec<Task>) -> Self {
        let crew = Self {
            queue: Mutex::default(),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
            is_cut_short: AtomicBool::new(false),
            pivots: AtomicU64::new(search.meter.pivots()),
            bytes: AtomicU64::new(search.memory.used()),
        };
        let first = Segment {
            origin: None,
            start: None,
            search,
            stack,
            given: Vec::new(),
            error: None,
        };
        crew.enqueue(None, first);
        crew
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a segment behind another one.
    fn enqueue(&self, after: Option<usize>, segment: Segment) {
        let mut queue = self.queue();
        let own = queue.next.len();
        let behind = after.and_then(|after| queue.next[after].replace(own));
        queue.next.push(behind);
        queue.waiting.push((own, segment));
        self.tell(&queue);
        self.changed.notify_one();
    }

    /// Whoever searches sees how many wait.
    fn tell(&self, queue: &Queue) {
        let hungry = queue.hungry.saturating_sub(queue.waiting.len());
        self.hungry.store(hungry, Ordering::Relaxed);
    }

    /// Searches segments until there are none.
    fn work(&self) {
        while let Some((own, mut segment)) = self.next() {
            let running = Running { crew: self };
            self.search(own, &mut segment);
            if segment.error.is_some() {
                self.cut_short();
            }
            self.queue().done.insert(own, segment);
            drop(running);
        }
    }

    fn next(&self) -> Option<(usize, Segment)> {
        let mut queue = self.queue();
        loop {
            if let Some(next) = queue.waiting.pop() {
                queue.running += 1;
                self.tell(&queue);
                return Some(next);
            }
            if queue.running == 0 {
                return None;
            }
            queue.hungry += 1;
            self.tell(&queue);
            queue = (self.changed.wait(queue)).unwrap_or_else(PoisonError::into_inner);
            queue.hungry -= 1;
            self.tell(&queue);
        }
    }

    fn cut_short(&self) {
        self.is_cut_short.store(true, Ordering::Relaxed);
    }

    fn search(&self, own: usize, segment: &mut Segment) {
        let Segment {
            search,
            stack,
            given,
            ..
        } = segment;
        let mut known = (search.meter.pivots(), search.memory.used());
        let ended = search.visit(stack, &mut |search, stack| {
            known = self.count(known, search);
            if self.is_cut_short.load(Ordering::Relaxed) {
                return false;
            }
            if stack.len() > 1 && self.hungry.load(Ordering::Relaxed) > 0 {
                let origin = self.give(own, search, stack.remove(0));
                given.push(origin);
            }
            true
        });
        self.count(known, search);
        segment.error = ended.err();
    }

    /// Counts what a segment has used since; the search of all ends early where that is more than there is.
    fn count(&self, known: (u64, u64), search: &Search) -> (u64, u64) {
        let now = (search.meter.pivots(), search.memory.used());
        let add = |sum: &AtomicU64, before: u64, now: u64| {
            let change = now.wrapping_sub(before);
            sum.fetch_add(change, Ordering::Relaxed)
                .wrapping_add(change)
        };
        let pivots = add(&self.pivots, known.0, now.0);
        let bytes = add(&self.bytes, known.1, now.1);
        if pivots > search.meter.most_pivots() || bytes > search.memory.limit() {
            self.cut_short();
        }
        now
    }

    /// Gives a subtree away.
    fn give(&self, giver: usize, search: &Search, mut task: Task) -> Given {
        let given = Given {
            node: task.link.take().unwrap_or_default(),
            zero: task.zero,
        };
        let origin = Origin {
            segment: giver,
            given,
        };
        let mut own = search.fresh();
        // Whoever branched has taken it, and the search of the subtree gives it back.
        own.memory.begin_with(task.parent.bytes());
        self.enqueue(
            Some(giver),
            Segment {
                origin: Some(origin),
                start: Some(task.clone()),
                search: own,
                stack: vec![task],
                given: Vec::new(),
                error: None,
            },
        );
        given
    }

    /// The whole search, in the order of the tree.
    fn together(self) -> Result<Search, Exhausted> {
        let queue = self.queue.into_inner();
        let mut queue = queue.unwrap_or_else(PoisonError::into_inner);
        let mut offsets = BTreeMap::new();
        let mut whole: Option<Search> = None;
        let mut next = Some(0);
        while let Some(own) = next {
            next = queue.next.get(own).copied().flatten();
            let Some(segment) = queue.done.remove(&own) else {
                break;
            };
            let Some(whole) = &mut whole else {
                offsets.insert(own, 0);
                if let Some(error) = segment.error {
                    return Err(error);
                }
                let mut first = segment.search;
                first.visit(&mut { segment.stack }, &mut |_, _| true)?;
                whole = Some(first);
                continue;
            };
            offsets.insert(own, whole.cover.nodes.len());
            append(whole, segment, &offsets)?;
        }
        // The first segment is always there.
        whole.ok_or(Exhausted::Stopped)
    }
}

/// Puts a segment after what comes before it.
fn append(
    whole: &mut Search,
    mut segment: Segment,
    offsets: &BTreeMap<usize, usize>,
) -> Result<(), Exhausted> {
    let (Some(origin), Some(mut start)) = (segment.origin, segment.start.take()) else {
        return Ok(());
    };
    let offset = whole.cover.nodes.len();
    let first = offsets.get(&origin.segment).copied().unwrap_or_default();
    let parent = first + origin.given.node;
    let taken = start.parent.bytes();
    if !whole.memory.fits(taken, &segment.search.memory) {
        start.link = Some(parent);
        let is_own = |next: &Task| {
            let node = next.link.unwrap_or_default().wrapping_sub(offset);
            let zero = next.zero;
            !segment.given.contains(&Given { node, zero })
        };
        // What was given away is the bottom of the stack, so all that comes after one such subtree was, too.
        return whole
            .visit(&mut vec![start], &mut |_, stack| {
                stack.last().is_none_or(is_own)
            })
            .map(|_| ());
    }
    whole.meter.append(&segment.search.meter)?;
    whole.memory.append(taken, &segment.search.memory);
    whole.link(parent, start.zero, offset);
    take_over(whole, segment.search, offset);
    if let Some(error) = segment.error {
        return Err(error);
    }
    for task in &mut segment.stack {
        task.link = task.link.map_or(Some(parent), |node| Some(node + offset));
    }
    whole.visit(&mut segment.stack, &mut |_, _| true)?;
    Ok(())
}

/// Adds what a segment found.
fn take_over(whole: &mut Search, segment: Search, offset: usize) {
    let moved = |mut node: CoverNode| {
        if let CoverNode::Branch { z_zero, w_zero, .. } = &mut node {
            // 0 is a child that was given away, or is not searched yet.
            for child in [z_zero, w_zero] {
                *child += if *child == 0 { 0 } else { offset };
            }
        }
        node
    };
    let nodes = segment.cover.nodes.into_iter();
    whole.cover.nodes.extend(nodes.map(moved));
    for point in segment.points.into_list() {
        whole.points.add(point);
    }
    whole.faces.extend(segment.faces);
}

/// A segment that a thread is at.
struct Running<'a> {
    crew: &'a Crew,
}

impl Drop for Running<'_> {
    /// Also after a panic, so that nobody waits for ever.
    fn drop(&mut self) {
        self.crew.queue().running -= 1;
        self.crew.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use etalon_lcp::{Matrix, MixedLcp, Number};
    use proptest::prelude::*;

    use super::*;
    use crate::budget::Budget;
    use crate::enumerate::cell::Cell;
    use crate::enumerate::search::Goal;
    use crate::enumerate::set::SolutionSet;
    use crate::memory::Memory;

    /// Pivots, bits and bytes that a search may take.
    type Limits = (u64, u64, u64);

    const NONE: Limits = (u64::MAX, u64::MAX, u64::MAX);

    fn begun(
        lcp: &MixedLcp,
        (pivots, bits, bytes): Limits,
    ) -> Result<(Search, Vec<Task>), Exhausted> {
        let budget = Budget {
            pivots,
            bits,
            ..Budget::default()
        };
        let mut search = Search::new(&budget, Goal::All);
        search.memory = Memory::up_to(bytes);
        let stack = search.begun(Cell::new(lcp, &search.meter)?)?;
        Ok((search, stack))
    }

    fn alone(lcp: &MixedLcp, limits: Limits) -> Result<SolutionSet, Exhausted> {
        let (mut search, mut stack) = begun(lcp, limits)?;
        search.visit(&mut stack, &mut |_, _| true)?;
        Ok(search.finish())
    }

    /// With a thread that gives away all that it can, and then searches that.
    fn in_pieces(lcp: &MixedLcp, limits: Limits) -> Result<(SolutionSet, usize), Exhausted> {
        let (search, stack) = begun(lcp, limits)?;
        let crew = Crew::new(search, stack);
        crew.queue().hungry = usize::MAX;
        crew.work();
        let pieces = crew.queue().next.len();
        Ok((crew.together()?.finish(), pieces))
    }

    /// Some with many solutions, some with faces of them.
    fn problems() -> impl Strategy<Value = MixedLcp> {
        (2_usize..=4).prop_flat_map(|n| {
            let entries = proptest::collection::vec(-2_i64..=1, n * n + n);
            entries.prop_map(move |entries| {
                let number = |&value: &i64| Number::from(value);
                let (m, q) = entries.split_at(n * n);
                let rows = m.chunks(n).map(|row| row.iter().map(number).collect());
                let m = Matrix::from_rows(rows.collect()).unwrap();
                MixedLcp::new(m, q.iter().map(number).collect(), vec![false; n]).unwrap()
            })
        })
    }

    proptest! {
        #[test]
        fn pieces_make_the_same_search_whatever_the_budget(
            lcp in problems(), pivots in 1_u64..60, bits in 1_u64..9, percent in 30_u64..130,
        ) {
            // The least memory that is enough.
            let bytes: Vec<u64> = (0..1_500).map(|k| 100 * k).collect();
            let enough = |bytes: &u64| alone(&lcp, (u64::MAX, u64::MAX, *bytes)).is_ok();
            let bytes = bytes[bytes.partition_point(|bytes| !enough(bytes))] * percent / 100;
            let all = u64::MAX;
            for limits in [NONE, (pivots, all, all), (all, bits, all), (all, all, bytes), (pivots, all, bytes)] {
                let found = in_pieces(&lcp, limits).map(|(set, _)| set);
                prop_assert_eq!(found, alone(&lcp, limits));
            }
        }
    }

    #[test]
    fn threads_find_what_one_finds() {
        // Each row has z = 0 or z = 1.
        let n = 5;
        let entry = |k: usize| Number::from(-i64::from(k.is_multiple_of(n + 1)));
        let rows = (0..n).map(|i| (0..n).map(|j| entry(i * n + j)).collect());
        let m = Matrix::from_rows(rows.collect()).unwrap();
        let lcp = MixedLcp::new(m, vec![Number::from(1); n], vec![false; n]).unwrap();
        let expected = alone(&lcp, NONE).unwrap();
        assert_eq!(expected.isolated.len(), 1 << n);
        for threads in 1..5 {
            let (search, stack) = begun(&lcp, NONE).unwrap();
            let found = finish(search, stack, threads).unwrap().finish();
            assert_eq!(found, expected);
        }
        let (found, pieces) = in_pieces(&lcp, NONE).unwrap();
        assert_eq!(found, expected);
        // Nearly every node that has two children gives one of them away.
        assert!(pieces >= 1 << (n - 1), "{pieces}");
    }
}
