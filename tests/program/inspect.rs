//! `tapeless inspect`: what it tells of a model.

use std::path::Path;

use crate::files::{case_layers, write_model};
use crate::{Folder, Run, case_file, heat_file, program};

fn inspect(model: &Path) -> String {
    let run = Run::of(program().arg("inspect").arg(model));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

#[test]
fn layers_are_listed_in_order() {
    let text = inspect(&heat_file("heat_pinn.safetensors"));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("5 layers (3-64-64-64-64-1)") && lines[0].contains("12,801 parameters"), "{text}");
    for (line, (name, shape)) in
        [("0", "[64, 3]"), ("2", "[64, 64]"), ("4", "[64, 64]"), ("6", "[64, 64]"), ("8", "[1, 64]")].iter().enumerate()
    {
        let line = lines[line + 1].trim();
        assert!(line.starts_with(&format!("{name}: ")) && line.contains(shape) && line.contains("f32"), "{line}");
    }
    assert!(text.contains("activation: not in the file"));
}

#[test]
fn types_and_weight_norm_are_told() {
    assert!(inspect(&case_file("F05_bf16.safetensors")).contains("bf16"));
    assert!(inspect(&case_file("F09_weight_norm_old.safetensors")).contains("weight norm"));
}

#[test]
fn activations_of_the_file_are_told() {
    let folder = Folder::new();
    let metadata = [("activation", "sin:30"), ("output_activation", "softplus:3")];
    write_model(&folder.at("model.safetensors"), &case_layers("N12"), &metadata);
    let text = inspect(&folder.at("model.safetensors"));
    assert!(text.contains("  activation: sin:30\n") && text.contains("  output activation: softplus:3\n"), "{text}");
}
