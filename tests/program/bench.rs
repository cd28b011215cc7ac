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
fn a_training_step_is_measured_with_the_same_figures() {
    for (options, channels) in [
        // u, u_x0, u_x2, and the operator.
        ("--train u_x1-0.1*(u_x0x0+u_x2x2)", 4.0),
        // u, u_x0, and u_x1 - u_x0x0.
        ("--train u_x1+u*u_x0-u_x0x0 --precision f64 --threads 1", 3.0),
    ] {
        let run = bench(&format!("{options} --inputs 3 --width 8 --layers 2 --batch 100 --json"));
        assert_eq!(run.code, Some(0), "{options}: {}", run.stderr);
        let figures: serde_json::Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
        let names = [
            "step_seconds_median",
            "points_per_second_median",
            "points_per_second_best",
            "gflops",
            "fma_peak_gflops",
            "workspace_bytes",
            "peak_resident_bytes",
        ];
        for name in names {
            assert!(figures[name].as_f64().is_some_and(|number| number > 0.0), "{options}: {name} in {figures}");
        }
        let step = figures["step_seconds_median"].as_f64().unwrap();
        let rate = figures["points_per_second_median"].as_f64().unwrap();
        assert!((100.0 / rate / step - 1.0).abs() < 1e-9);
        // Products with 8 x 8 and 8 x 1 weights: forward, back, and for the gradient.
        let operations = figures["gflops"].as_f64().unwrap() * 1e9 * step;
        assert!((operations / (100.0 * channels * 3.0 * 2.0 * 72.0) - 1.0).abs() < 1e-9, "{options}: {operations}");
    }
    bench("--train u_y").refused(&["--train", "u_y"]);
    bench("--train u_x0x0 --activation relu").refused(&["relu", "almost everywhere"]);
    assert_eq!(bench("--train u_x0 --derive u").code, Some(2));
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

#[test]
fn a_training_step_is_not_measured_on_a_gpu() {
    for device in ["gpu", "gpu:0", "gpu:cpu"] {
        let run = Run::of(program().args(["bench", "--train", "u", "--batch", "10", "--device", device]));
        run.refused(&["--device", "training runs on the CPU"]);
    }
}
