//! `tapeless bench`.

use super::*;

fn bench(options: &str) -> Run {
    Run::of(program().arg("bench").args(options.split_whitespace()))
}

#[test]
fn the_last_line_is_one_object_with_the_figures() {
    for options in [
        "--inputs 2 --width 8 --layers 2 --activation silu --batch 100 --threads 1 --json",
        "--inputs 3 --width 8 --layers 1 --batch 50 --precision f64 --derive value,u_x2 --derive u_x0x0+u_x1x1 --json",
        "--batch 0 --width 4 --json",
    ] {
        let run = bench(options);
        assert_eq!(run.code, Some(0), "{options}: {}", run.stderr);
        let figures: serde_json::Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
        let names = [
            "points_per_second_median",
            "points_per_second_best",
            "gflops",
            "fma_peak_gflops",
            "workspace_bytes",
            "peak_resident_bytes",
        ];
        for name in names {
            let number = figures[name].as_f64().unwrap_or_else(|| panic!("{options}: {name} in {figures}"));
            assert!(number.is_finite() && (number > 0.0 || options.contains("--batch 0")), "{options}: {name} {number}");
        }
        assert!(figures["points_per_second_median"].as_f64() <= figures["points_per_second_best"].as_f64());
    }
}

#[test]
fn wrong_shapes_and_names_are_refused() {
    for options in
        ["--width 0", "--layers 0", "--inputs 0", "--activation tahn", "--derive u_y", "--threads 0", "--batch -1"]
    {
        let run = bench(options);
        assert_eq!(run.code, Some(2), "{options}: {}", run.stdout);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
    // More points than there is memory: an error, no abort.
    bench("--batch 999999999999999 --width 4").refused(&["memory"]);
}
