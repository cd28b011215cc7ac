//! Damaged files: none may panic, hang, ask for absurd memory or, where a check sum protects them, give other numbers.

use std::fs;

use tempfile::TempDir;
use zip::CompressionMethod;

use super::read;
use super::tests::{POINTS, doubles, npy, npy_of, npz};

const ROUNDS: u64 = 1000;

/// A small generator of fixed numbers (Knuth's linear congruence), so that a failure can be seen again.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(3) {
            let place = self.below(bytes.len());
            match self.below(6) {
                0 => bytes.truncate(place),
                1 => bytes.insert(place, self.below(256) as u8),
                2 => bytes.extend_from_within(place..),
                // Digits, brackets and quotes reach further into a parser than any byte does.
                3 if !bytes.is_empty() => bytes[place] = b"0123456789()[]{}'\",:<>L\n"[self.below(24)],
                _ if !bytes.is_empty() => bytes[place] ^= 1 << self.below(8),
                _ => {}
            }
        }
    }
}

fn check(name: &str, good: &[u8], with_sum: bool) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    let mut numbers = Numbers(good.len() as u64);
    for round in 0..ROUNDS {
        let mut bytes = good.to_vec();
        numbers.damage(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        for inputs in [1, 2] {
            if let Ok(points) = read::<f64>(&path, None, inputs) {
                assert_eq!(points.values.len(), points.rows * points.columns);
                assert!(points.values.capacity() <= 1024, "{name}, round {round}");
                assert!(!with_sum || points.values == POINTS, "{name}, round {round}");
            }
        }
        let _ = read::<f32>(&path, None, 2);
    }
}

#[test]
fn damaged_arrays() {
    check("a.npy", &npy("'<f8'", "(5, 2)", &doubles(&POINTS)), false);
    let header = "{'shape': (5, 2), 'fortran_order': True, 'descr': '>f8'}";
    check("a.npy", &npy_of(header, &doubles(&POINTS)), false);
    let fields = npy("[('x', '<f8', (2,)), ('y', '<f8')]", "(5,)", &doubles(&POINTS));
    check("a.npy", &fields, false);
}

#[test]
fn damaged_archives() {
    let array = npy("'<f8'", "(5, 2)", &doubles(&POINTS));
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        check("a.npz", &npz(&[("points.npy", &array)], method), true);
        check("a.npz", &npz(&[("a.npy", &array), ("b.npy", &array)], method), true);
    }
}

#[test]
fn damaged_text() {
    check("a.csv", b"x,y\r\n0.3,-0.7\r\n1.25,0.5\r\n\"0\",1e-3\r\n", false);
    check("a.csv", b"\xef\xbb\xbf0.25,-1.5\n3.0,4\n\n", false);
}
