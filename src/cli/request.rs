//! What `--derive` asks for.

use tapeless::evaluate::Derivatives;
use tapeless::operator::{Names, Operator, OperatorError};

/// A part of `--derive` that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("--derive: \"{text}\" is neither one of value, gradient, hessian nor an operator: {error}")]
pub struct RequestError {
    text: String,
    error: OperatorError,
}

/// Results by their names: value, gradient, Hessian, and operators with the texts that they were asked for by.
#[derive(Debug)]
pub struct Request {
    /// Which of value, gradient and Hessian.
    pub derivatives: Derivatives,
    /// The operators.
    pub operators: Vec<Operator>,
    /// Their texts, none twice.
    pub texts: Vec<String>,
}

impl Request {
    /// Reads comma lists; value, gradient and Hessian where there is none.
    pub fn read(lists: &[String], names: &Names) -> Result<Self, RequestError> {
        let all = lists.is_empty();
        let mut request = Self {
            derivatives: Derivatives { value: all, gradient: all, hessian: all },
            operators: Vec::new(),
            texts: Vec::new(),
        };
        for text in lists.iter().flat_map(|list| split(list)) {
            match text.trim() {
                "value" => request.derivatives.value = true,
                "gradient" => request.derivatives.gradient = true,
                "hessian" => request.derivatives.hessian = true,
                text if request.texts.iter().any(|known| known == text) => {}
                text => {
                    let operator =
                        Operator::parse(text, names).map_err(|error| RequestError { text: text.to_owned(), error })?;
                    request.operators.push(operator);
                    request.texts.push(text.to_owned());
                }
            }
        }
        Ok(request)
    }
}

/// Splits at commas outside brackets.
fn split(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    list.split(|character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_results_and_operators() {
        let names = Names::new(["x", "y"], ["u"]).unwrap();
        let lists = ["value, u_x - laplacian(u, x, y)".to_owned(), "u_xx,value,u_xx".to_owned()];
        let request = Request::read(&lists, &names).unwrap();
        assert_eq!(request.derivatives, Derivatives::VALUE);
        assert_eq!(request.texts, ["u_x - laplacian(u, x, y)", "u_xx"]);
        let error = Request::read(&["hesian".to_owned()], &names).unwrap_err().to_string();
        assert!(error.contains("neither one of value, gradient, hessian"), "{error}");
        assert_eq!(Request::read(&[], &names).unwrap().derivatives, Derivatives::ALL);
    }
}
