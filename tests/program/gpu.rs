//! The program on other devices than the CPU engine, and without any.

use super::*;

/// Evaluates F01 on a device.
fn eval_on(folder: &Folder, device: &str, options: &[&str]) -> Command {
    let mut command = program();
    command.arg("eval").arg(f01()).arg(p01()).args(["--activation", "tanh", "--device", device]).args(options);
    command.arg("--out").arg(folder.at("out.npz"));
    command
}

/// Whether the machine has an adapter.
fn adapter() -> bool {
    let run = Run::of(program().arg("devices"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let found = run.stdout.contains("gpu:0");
    if !found {
        no_adapter::no_adapter();
    }
    found
}

#[test]
fn g05_no_adapter_is_an_error_that_names_the_cpu() {
    let folder = Folder::new();
    // The program is built without OpenGL, so that nothing is found there.
    for device in ["gpu", "gpu:0", "gpu:cpu"] {
        let run = Run::of(eval_on(&folder, device, &[]).env("WGPU_BACKEND", "gl"));
        run.refused(&["no GPU adapter was found", "--device cpu"]);
        assert!(!folder.at("out.npz").exists());
    }
    // Only who leaves the choice to the program gets the CPU, and is told so.
    let run = Run::of(eval_on(&folder, "auto", &[]).env("WGPU_BACKEND", "gl"));
    assert!(run.stdout.contains("of the CPU (no GPU found)"), "{}", run.stdout);
    run.succeeded();
}

#[test]
fn g06_a_software_adapter_is_named_and_taken_only_when_asked_for() {
    if !adapter() {
        return;
    }
    let devices = Run::of(program().arg("devices")).stdout;
    if !devices.contains("software adapter") {
        no_adapter::skipped("no software adapter on this machine, which G06 needs");
        return;
    }
    let folder = Folder::new();
    let run = Run::of(&mut eval_on(&folder, "gpu:cpu", &["--precision", "f32"]));
    assert!(run.stdout.contains("(software adapter: not a GPU speed)"), "{}", run.stdout);
    run.succeeded();
    let found = read_npz(&folder.at("out.npz"));
    Run::of(&mut eval_on(&folder, "cpu", &[])).succeeded();
    let expected = read_npz(&folder.at("out.npz"));
    for (name, array) in &expected {
        assert_eq!(found[name].shape, array.shape);
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
        assert!(found[name].numbers.iter().zip(&array.numbers).all(close), "{name}");
    }
    if !devices.contains("GPU\n") {
        let run = Run::of(&mut eval_on(&folder, "gpu", &[]));
        run.refused(&["only the software adapter", "--device cpu", "--device gpu:cpu"]);
        let run = Run::of(&mut eval_on(&folder, "auto", &[]));
        assert!(run.stdout.contains("of the CPU (no GPU found)"), "{}", run.stdout);
    }
}

#[test]
fn devices_that_do_not_exist_are_refused() {
    let folder = Folder::new();
    Run::of(&mut eval_on(&folder, "tpu", &[])).refused(&["not a device", "auto"]);
    if adapter() {
        Run::of(&mut eval_on(&folder, "gpu:99", &[])).refused(&["no adapter is gpu:99", "gpu:0", "--device cpu"]);
    }
    assert!(!folder.at("out.npz").exists());
}

#[test]
fn bench_gives_the_figures_of_the_device() {
    if !adapter() {
        return;
    }
    for options in ["--batch 100", "--batch 0", "--batch 50 --derive u_x0 --layers 1"] {
        let options = format!("bench --device gpu:0 --inputs 2 --width 8 --layers 2 --json {options}");
        let options = options.replace("--layers 2 --json --batch 50", "--json --batch 50");
        let run = Run::of(program().args(options.split_whitespace()));
        assert_eq!(run.code, Some(0), "{options}: {}", run.stderr);
        let figures: serde_json::Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
        for name in ["points_per_second_median", "gflops", "workspace_bytes", "first_result_seconds", "build_seconds"] {
            assert!(figures[name].is_number(), "{options}: {name} in {figures}");
        }
        let clock = Run::of(program().arg("devices")).stdout.contains("clock     yes");
        if !clock {
            continue;
        }
        for name in ["device", "device_kind", "kernel_seconds", "kernel_gflops", "read_back_bytes_per_second"] {
            assert!(!figures[name].is_null() || options.contains("--batch 0"), "{options}: {name} in {figures}");
        }
    }
}
