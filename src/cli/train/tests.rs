//! Examples of problem files that are shown to users.

use std::fs;
use std::path::Path;

use super::file::File;
use super::problem::Problem;

fn read(path: &Path, text: &str) {
    let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if let Err(error) = Problem::<f32>::read(&file, path) {
        panic!("{error}");
    }
    Problem::<f64>::read(&file, path).unwrap();
}

#[test]
fn the_problem_of_the_documentation_can_be_trained() {
    let text = include_str!("../../../docs/training.md");
    let (_, rest) = text.split_once("```toml\n").unwrap();
    read(Path::new("training.md"), rest.split_once("```").unwrap().0);
}

#[test]
fn the_problems_of_the_examples_can_be_trained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/problems");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let problems: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
    assert!(problems.len() >= 2);
    problems.iter().for_each(|path| read(path, &fs::read_to_string(path).unwrap()));
}
