//! Reading an operator from text.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = factor (("*" | "/") factor)*
//! factor  = ("+" | "-") factor | number | "(" sum ")" | "laplacian" "(" output ("," input)* ")" | output ["_" inputs]
//! ```

use super::{Derivative, Names, Operator, OperatorError};

/// Brackets within brackets; more are refused, so that no text can exhaust the stack.
const DEEPEST: usize = 64;

pub(super) fn parse(text: &str, names: &Names) -> Result<Operator, OperatorError> {
    let mut parser = Parser { text, position: 0, depth: 0, names };
    let start = parser.next_place();
    let sum = parser.sum()?;
    if parser.peek().is_some() {
        return Err(parser.expected("an operator such as + or the end"));
    }
    match sum {
        Quantity::Number(_) => Err(parser.problem(start, "a number is not a derivative; name an output, such as u or u_x")),
        Quantity::Operator(operator) => Ok(operator),
    }
}

/// What a part of the text stands for.
enum Quantity {
    Number(f64),
    Operator(Operator),
}

struct Parser<'a> {
    text: &'a str,
    /// In bytes, always at the start of a character.
    position: usize,
    depth: usize,
    names: &'a Names,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    /// Skips spaces and tells where the next character is.
    fn next_place(&mut self) -> usize {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
        self.position
    }

    fn peek(&mut self) -> Option<char> {
        self.next_place();
        self.rest().chars().next()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.position += wanted.len_utf8();
        }
        found
    }

    fn problem(&self, place: usize, problem: impl Into<String>) -> OperatorError {
        let column = self.text[..place].chars().count();
        OperatorError::Syntax { text: self.text.to_owned(), column, problem: problem.into() }
    }

    /// The error that something else was expected where the parser is.
    fn expected(&mut self, wanted: &str) -> OperatorError {
        let found = match self.peek() {
            Some(character) => format!("found '{character}'"),
            None => "found the end".to_owned(),
        };
        self.problem(self.position, format!("expected {wanted}, {found}"))
    }

    fn sum(&mut self) -> Result<Quantity, OperatorError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.problem(self.position, format!("more than {DEEPEST} brackets and signs within each other")));
        }
        let mut place = self.next_place();
        let mut sum = self.product()?;
        loop {
            let sign = if self.accept('+') {
                1.0
            } else if self.accept('-') {
                -1.0
            } else {
                self.depth -= 1;
                return Ok(sum);
            };
            let next_place = self.next_place();
            sum = match (sum, self.product()?) {
                (Quantity::Number(a), Quantity::Number(b)) => Quantity::Number(a + sign * b),
                (Quantity::Operator(a), Quantity::Operator(b)) => Quantity::Operator(a + sign * b),
                (Quantity::Number(_), _) => return Err(self.constant(place)),
                (_, Quantity::Number(_)) => return Err(self.constant(next_place)),
            };
            self.check_finite(&sum, next_place)?;
            place = next_place;
        }
    }

    fn check_finite(&self, quantity: &Quantity, place: usize) -> Result<(), OperatorError> {
        let finite = match quantity {
            Quantity::Number(number) => number.is_finite(),
            Quantity::Operator(operator) => operator.terms().iter().all(|term| term.coefficient.is_finite()),
        };
        if finite { Ok(()) } else { Err(self.problem(place, "a coefficient is not finite from here on")) }
    }

    fn constant(&self, place: usize) -> OperatorError {
        self.problem(place, "a number can't be added to derivatives; multiply it with one, or add it to the results")
    }

    fn product(&mut self) -> Result<Quantity, OperatorError> {
        let mut product = self.factor()?;
        loop {
            let divide = if self.accept('*') {
                false
            } else if self.accept('/') {
                true
            } else {
                return Ok(product);
            };
            let place = self.next_place();
            product = match (product, self.factor()?) {
                (Quantity::Number(a), Quantity::Number(b)) => Quantity::Number(if divide { a / b } else { a * b }),
                (Quantity::Operator(a), Quantity::Number(b)) => Quantity::Operator(if divide { a / b } else { b * a }),
                (Quantity::Number(a), Quantity::Operator(b)) if !divide => Quantity::Operator(a * b),
                (_, Quantity::Operator(_)) if divide => {
                    return Err(self.problem(place, "a derivative can't be divided by; operators are linear"));
                }
                _ => {
                    return Err(
                        self.problem(place, "derivatives can't be multiplied with each other; operators are linear")
                    );
                }
            };
            self.check_finite(&product, place)?;
        }
    }

    fn factor(&mut self) -> Result<Quantity, OperatorError> {
        if self.accept('(') {
            let sum = self.sum()?;
            if !self.accept(')') {
                return Err(self.expected("a closing bracket"));
            }
            return Ok(sum);
        }
        let sign = match self.peek() {
            Some('-') => -1.0,
            Some('+') => 1.0,
            Some(character) if character.is_ascii_digit() || character == '.' => return self.number(),
            Some(character) if character.is_alphabetic() => return self.named().map(Quantity::Operator),
            _ => return Err(self.expected("a derivative such as u_x, a number or a bracket")),
        };
        self.position += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.problem(self.position, format!("more than {DEEPEST} brackets and signs within each other")));
        }
        let factor = self.factor()?;
        self.depth -= 1;
        Ok(match factor {
            Quantity::Number(number) => Quantity::Number(sign * number),
            Quantity::Operator(operator) => Quantity::Operator(sign * operator),
        })
    }

    fn number(&mut self) -> Result<Quantity, OperatorError> {
        let place = self.position;
        let bytes = self.text.as_bytes();
        let mut end = place;
        while let Some(&byte) = bytes.get(end) {
            let after_exponent = matches!(bytes.get(end.wrapping_sub(1)), Some(b'e' | b'E')) && end > place;
            let exponent = matches!(byte, b'e' | b'E')
                && matches!(bytes.get(end + 1), Some(next) if next.is_ascii_digit() || matches!(next, b'+' | b'-'));
            if byte.is_ascii_digit() || byte == b'.' || exponent || after_exponent && matches!(byte, b'+' | b'-') {
                end += 1;
            } else {
                break;
            }
        }
        let text = &self.text[place..end];
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.position = end;
                if self.peek().is_some_and(|next| next.is_alphabetic() || next == '(') {
                    return Err(self.expected("* between a number and a derivative"));
                }
                Ok(Quantity::Number(number))
            }
            _ => Err(self.problem(place, format!("\"{text}\" is not a finite number"))),
        }
    }

    /// A name or what follows an underscore.
    fn word(&mut self) -> &str {
        let rest = &self.text[self.position..];
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn output(&mut self) -> Result<usize, OperatorError> {
        let place = self.next_place();
        let name = self.word().to_owned();
        self.names.outputs().iter().position(|output| *output == name).ok_or_else(|| {
            self.problem(place, format!("\"{name}\" is not an output; outputs are {}", self.names.outputs().join(", ")))
        })
    }

    fn named(&mut self) -> Result<Operator, OperatorError> {
        let place = self.position;
        let is_laplacian = self.word() == "laplacian" && self.peek() == Some('(');
        self.position = place;
        if is_laplacian {
            return self.laplacian();
        }
        let output = self.output()?;
        if !self.rest().starts_with('_') {
            return Ok(Operator::value(output));
        }
        self.position += 1;
        let place = self.position;
        let suffix = self.word().to_owned();
        match self.names.derivative(&suffix) {
            Some(derivative) => Ok(Operator::term(output, derivative)),
            None => Err(self.problem(
                place,
                format!(
                    "\"{suffix}\" is not one or two inputs; inputs are {} (derivatives above the second order are not there)",
                    self.names.inputs().join(", ")
                ),
            )),
        }
    }

    fn laplacian(&mut self) -> Result<Operator, OperatorError> {
        self.word();
        self.accept('(');
        let output = self.output()?;
        let mut inputs = Vec::new();
        while self.accept(',') {
            let place = self.next_place();
            let name = self.word().to_owned();
            match self.names.derivative(&name) {
                Some(Derivative::First(input)) if inputs.contains(&input) => {
                    return Err(self.problem(place, format!("\"{name}\" is named twice")));
                }
                Some(Derivative::First(input)) => inputs.push(input),
                _ => {
                    let known = self.names.inputs().join(", ");
                    return Err(self.problem(place, format!("\"{name}\" is not an input; inputs are {known}")));
                }
            }
        }
        if !self.accept(')') {
            return Err(self.expected("a closing bracket"));
        }
        if inputs.is_empty() {
            inputs.extend(0..self.names.inputs().len());
        }
        Ok(Operator::laplacian(output, inputs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::new(["x", "y", "t"], ["u", "v"]).unwrap()
    }

    fn read(text: &str) -> Operator {
        parse(text, &names()).unwrap()
    }

    #[test]
    fn sums_with_coefficients_are_collected() {
        let heat = read("u_t - 0.05*(u_xx + u_yy)");
        assert_eq!(heat, Operator::first(0, 2) - 0.05 * Operator::laplacian(0, [0, 1]));
        assert_eq!(read("2*u_x - u_x*3 + -(u_x)/4"), -1.25 * Operator::first(0, 0));
        assert_eq!(read("u_yx"), read("u_xy"));
        assert_eq!(read("laplacian(u, x, y)"), read("u_xx+u_yy"));
        assert_eq!(read(" laplacian( v ) ").terms().len(), 3);
        assert_eq!(read("u_x + v_y"), Operator::first(0, 0) + Operator::first(1, 1));
        assert_eq!(read("1e-3*2*u"), 0.002 * Operator::value(0));
    }

    #[test]
    fn names_of_several_letters_are_read() {
        let names = Names::new(["x0", "x1", "rho"], ["p"]).unwrap();
        assert_eq!(parse("p_x0x0 - p_rhox1", &names).unwrap(), Operator::second(0, 0, 0) - Operator::second(0, 1, 2));
    }

    #[test]
    fn errors_point_at_the_character() {
        let column = |text: &str| match parse(text, &names()) {
            Err(OperatorError::Syntax { column, problem, .. }) => (column, problem),
            other => panic!("{text}: {other:?}"),
        };
        for (text, expected, words) in [
            ("u_t - w_x", 6, "\"w\" is not an output; outputs are u, v"),
            ("u_xz", 2, "inputs are x, y, t"),
            ("u_xxx", 2, "above the second order"),
            ("u_t * u_x", 6, "linear"),
            ("1/u", 2, "linear"),
            ("u + 1", 4, "can't be added"),
            ("1 + u", 0, "can't be added"),
            ("3.5", 0, "not a derivative"),
            ("(u_x", 4, "closing bracket, found the end"),
            ("u_x u_y", 4, "found 'u'"),
            ("2u", 1, "* between"),
            ("", 0, "found the end"),
            ("u_x +", 5, "found the end"),
            ("laplacian(u, q)", 13, "not an input"),
            ("1e999*u", 0, "finite"),
            ("1/0*u", 2, "not finite"),
            ("u_xx/0", 5, "not finite"),
            ("1e308*u + 1e308*u", 10, "not finite"),
            ("laplacian(u, x, x)", 16, "twice"),
            ("π*u", 0, "not an output"),
        ] {
            let (column, problem) = column(text);
            assert_eq!(column, expected, "{text}: {problem}");
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }

    #[test]
    fn deep_brackets_are_refused_and_not_run_into() {
        for text in ["(".repeat(100_000), "-".repeat(100_000), format!("{}u", "-(".repeat(50_000))] {
            assert!(parse(&text, &names()).is_err());
        }
    }
}
