//! Signals that ask the program to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Hears SIGINT and SIGTERM. The first one is noted, a second one ends the program at once.
pub struct Signals {
    heard: Arc<AtomicUsize>,
}

impl Signals {
    /// Starts to listen.
    pub fn listen() -> io::Result<Self> {
        let (heard, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM] {
            // Handlers run in the order in which they were registered, so that this one sees what those before it noted.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))?;
            flag::register(signal, Arc::clone(&again))?;
            flag::register_usize(signal, Arc::clone(&heard), signal.unsigned_abs() as usize)?;
        }
        Ok(Self { heard })
    }

    /// The exit code that a signal asks for: 130 or 143.
    pub fn exit_code(&self) -> Option<u8> {
        match self.heard.load(Ordering::Relaxed) {
            0 => None,
            signal => u8::try_from(128 + signal).ok(),
        }
    }
}
