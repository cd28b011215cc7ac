//! What a test does on a machine without any GPU adapter.

use std::io::{Write, stderr};

/// Fails where `TAPELESS_REQUIRE_GPU` is 1; else says that nothing was tested.
pub fn no_adapter() {
    let required = std::env::var("TAPELESS_REQUIRE_GPU").is_ok_and(|value| value == "1");
    assert!(!required, "TAPELESS_REQUIRE_GPU=1, but there is no GPU adapter, not even a software one");
    skipped("no GPU adapter on this machine, not even a software one");
}

/// Says why nothing was tested, past the test program's capture, which hides what passing tests print.
pub fn skipped(why: &str) {
    // In one piece, since other tests write, too.
    stderr().write_all(format!("SKIPPED: {why}; nothing was tested\n").as_bytes()).unwrap();
}
