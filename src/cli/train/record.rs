//! What a run keeps of its problem: the text, and fingerprints of the files that it names.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

/// The start of a line that tells the fingerprint of a file; for TOML it is a comment.
const MARK: &str = "# fingerprint ";

/// The text of a problem that has been checked, with a line for each file that it names.
pub fn record(problem: &str, files: impl Iterator<Item = (String, PathBuf)>) -> String {
    let mut text: String = problem.split_inclusive('\n').filter(|line| !line.starts_with(MARK)).collect();
    for (key, path) in files {
        let Some(fingerprint) = fingerprint(path) else { continue };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("{MARK}{fingerprint:016x} {key}\n"));
    }
    text
}

/// Keys of files that both records tell, but that have changed.
pub fn changed(before: &str, now: &str) -> Vec<String> {
    let before = fingerprints(before);
    let differs = |(key, print): &(&str, &str)| before.get(key).is_some_and(|found| found != print);
    fingerprints(now).into_iter().filter(differs).map(|(key, _)| key.to_owned()).collect()
}

fn fingerprints(record: &str) -> BTreeMap<&str, &str> {
    let lines = record.lines().filter_map(|line| line.strip_prefix(MARK)?.split_once(' '));
    lines.map(|(print, key)| (key, print)).collect()
}

/// Of the bytes of a file (FNV-1a); none where it can't be read.
fn fingerprint(path: PathBuf) -> Option<u64> {
    struct Hash(u64);
    impl Write for Hash {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = bytes.iter().fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    io::copy(&mut File::open(path).ok()?, &mut hash).ok()?;
    Some(hash.0)
}
