//! What the whole process allocates, counted. For files with one test alone: the counter sees all threads.

use std::alloc::System;
use std::thread::sleep;
use std::time::Duration;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, Stats, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Waits until the test harness has set up what it waits for the test with, on a thread of its own.
pub fn wait_for_harness() {
    let mut region = Region::new(ALLOCATOR);
    loop {
        sleep(Duration::from_millis(200));
        if region.change_and_reset() == Stats::default() {
            return;
        }
    }
}

/// What all threads allocate while it runs.
pub fn allocated(run: impl FnOnce()) -> Stats {
    let region = Region::new(ALLOCATOR);
    run();
    region.change()
}

/// Asserts that no thread allocates anything while it runs.
#[track_caller]
pub fn assert_allocates_nothing(what: &str, run: impl FnOnce()) {
    let change = allocated(run);
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{what}: {change:?}");
}
