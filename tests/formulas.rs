//! The formulas of the documentation: TeX in docs/formulas, and beside it the MathML that docs/formulas/generate.cjs makes of it.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder and of those within it, with an extension.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let (inner, found): (Vec<_>, Vec<_>) =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).partition(|path| path.is_dir());
        folders.extend(inner);
        files.extend(found.into_iter().filter(|path| path.extension().is_some_and(|found| found == extension)));
    }
    files
}

/// The TeX source that MathML carries as an annotation.
fn annotation(mathml: &str) -> Option<String> {
    let (_, rest) = mathml.split_once("<annotation encoding=\"application/x-tex\">")?;
    let (escaped, _) = rest.split_once("</annotation>")?;
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&amp;", "&")];
    Some(marks.iter().fold(escaped.to_owned(), |text, (escape, mark)| text.replace(escape, mark)))
}

#[test]
fn every_formula_is_rendered_from_its_source_as_it_is_now() {
    let sources = files("docs/formulas", "tex");
    assert_eq!(sources.len(), files("docs/formulas", "html").len());
    for source in sources {
        let mathml = fs::read_to_string(source.with_extension("html")).unwrap();
        let tex = fs::read_to_string(&source).unwrap();
        assert_eq!(annotation(&mathml).as_deref(), Some(tex.trim()), "{}", source.display());
    }
}

/// Markdown takes a block of HTML as it is up to the first empty line.
#[test]
fn every_formula_is_one_block_of_html_that_needs_nothing_from_elsewhere() {
    for path in files("docs/formulas", "html") {
        let mathml = fs::read_to_string(&path).unwrap();
        assert!(mathml.starts_with("<div ") && mathml.contains("<math display=\"block\">"), "{}", path.display());
        assert!(mathml.ends_with("</math></div>\n"), "{}", path.display());
        assert!(mathml.lines().all(|line| !line.trim().is_empty()), "{}", path.display());
        for foreign in ["://", "<script", "src=", "href="] {
            assert!(!mathml.contains(foreign), "{foreign} in {}", path.display());
        }
    }
}

#[test]
fn every_formula_is_in_the_documentation() {
    let sources: Vec<String> = files("src", "rs").iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for path in files("docs/formulas", "html") {
        let name = format!("docs/formulas/{}\")", path.file_name().unwrap().display());
        assert!(sources.iter().any(|source| source.contains(&name)), "{name}");
    }
}
