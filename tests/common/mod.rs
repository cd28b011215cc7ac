//! The cases of `tests/cases/expected.json`, whose numbers were worked out with mpmath.

use serde_json::Value;

/// One case.
pub struct Case {
    pub json: Value,
}

/// A point of a case with what is expected there.
pub struct Point {
    pub at: Vec<f64>,
    pub outputs: Vec<Expected>,
}

/// Value, gradient and Hessian (row by row) of one output, and how far off they may be.
pub struct Expected {
    numbers: Vec<f64>,
    relative: f64,
    absolute: f64,
}

fn all_cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/expected.json");
    let text = std::fs::read_to_string(path).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    serde_json::from_value(document["cases"].take()).unwrap()
}

/// Asserts that every case of a kind has a test in `source`: a function named after it.
pub fn assert_every_case_has_a_test(kind: &str, source: &str) {
    let cases = all_cases();
    let ids = cases.iter().filter(|case| case["kind"] == kind).map(|case| case["id"].as_str().unwrap());
    let missing: Vec<&str> = ids.filter(|id| !source.contains(&format!("fn {}_", id.to_lowercase()))).collect();
    assert!(missing.is_empty(), "without a test: {missing:?}");
}

/// The number written in a string.
pub fn number(json: &Value) -> f64 {
    json.as_str().unwrap().parse().unwrap()
}

/// The numbers written in nested arrays of strings, in order.
pub fn numbers(json: &Value) -> Vec<f64> {
    json.as_array().map_or_else(|| vec![number(json)], |items| items.iter().flat_map(numbers).collect())
}

impl Case {
    pub fn named(id: &str) -> Self {
        let json = all_cases().into_iter().find(|case| case["id"] == id).unwrap();
        Self { json }
    }

    /// The points, in order.
    pub fn points(&self) -> Vec<Point> {
        self.read(&self.json["expected"]["points"])
    }

    /// The further points of the same case.
    pub fn also(&self) -> Vec<Point> {
        self.read(&self.json["also"])
    }

    fn read(&self, points: &Value) -> Vec<Point> {
        let tolerance = |point: &Value, name| number(point.get(name).unwrap_or(&self.json[name]));
        let point = |point: &Value| {
            let expected = |output: &Value| Expected {
                numbers: ["value", "grad", "hess"].iter().flat_map(|part| numbers(&output[part])).collect(),
                relative: tolerance(point, "rtol"),
                absolute: tolerance(point, "atol"),
            };
            let outputs = point.get("outputs").and_then(Value::as_array);
            Point {
                at: numbers(&point["at"]),
                outputs: outputs.map_or_else(|| vec![expected(point)], |outputs| outputs.iter().map(expected).collect()),
            }
        };
        points.as_array().unwrap().iter().map(point).collect()
    }
}

impl Expected {
    /// Asserts that value, gradient and Hessian, one after the other, are the expected ones.
    pub fn assert_found(&self, found: &[f64]) {
        let close = |(&found, &expected): (&f64, &f64)| {
            let tolerance = self.absolute + self.relative * expected.abs();
            found == expected || (expected.is_finite() && (found - expected).abs() <= tolerance)
        };
        assert_eq!(found.len(), self.numbers.len());
        assert!(found.iter().zip(&self.numbers).all(close), "found {found:?}\nexpected {:?}", self.numbers);
    }
}
