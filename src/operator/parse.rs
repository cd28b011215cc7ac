//! Reading an operator from text.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = factor (("*" | "/") factor)*
//! factor  = ("+" | "-") factor | number | "(" sum ")" | "laplacian" "(" output ("," input)* ")" | output ["_" inputs]
//! ```

use super::cursor::Cursor;
use super::{Derivative, Names, Operator, OperatorError};

pub(super) fn parse(text: &str, names: &Names) -> Result<Operator, OperatorError> {
    let mut parser = Parser { cursor: Cursor::new(text), names };
    let start = parser.cursor.next_place();
    let sum = parser.sum()?;
    if parser.cursor.peek().is_some() {
        return Err(parser.cursor.expected("an operator such as + or the end"));
    }
    match sum {
        Quantity::Number(_) => {
            Err(parser.cursor.problem(start, "a number is not a derivative; name an output, such as u or u_x"))
        }
        Quantity::Operator(operator) => Ok(operator),
    }
}

/// What a part of the text stands for.
enum Quantity {
    Number(f64),
    Operator(Operator),
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    names: &'a Names,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Quantity, OperatorError> {
        self.cursor.descend()?;
        let mut place = self.cursor.next_place();
        let mut sum = self.product()?;
        loop {
            let sign = if self.cursor.accept('+') {
                1.0
            } else if self.cursor.accept('-') {
                -1.0
            } else {
                self.cursor.ascend();
                return Ok(sum);
            };
            let next_place = self.cursor.next_place();
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
        if finite { Ok(()) } else { Err(self.cursor.problem(place, "a coefficient is not finite from here on")) }
    }

    fn constant(&self, place: usize) -> OperatorError {
        self.cursor.problem(place, "a number can't be added to derivatives; multiply it with one, or add it to the results")
    }

    fn product(&mut self) -> Result<Quantity, OperatorError> {
        let mut product = self.factor()?;
        loop {
            let divide = if self.cursor.accept('*') {
                false
            } else if self.cursor.accept('/') {
                true
            } else {
                return Ok(product);
            };
            let place = self.cursor.next_place();
            product = match (product, self.factor()?) {
                (Quantity::Number(a), Quantity::Number(b)) => Quantity::Number(if divide { a / b } else { a * b }),
                (Quantity::Operator(a), Quantity::Number(b)) => Quantity::Operator(if divide { a / b } else { b * a }),
                (Quantity::Number(a), Quantity::Operator(b)) if !divide => Quantity::Operator(a * b),
                (_, Quantity::Operator(_)) if divide => {
                    return Err(self.cursor.problem(place, "a derivative can't be divided by; operators are linear"));
                }
                _ => {
                    return Err(self
                        .cursor
                        .problem(place, "derivatives can't be multiplied with each other; operators are linear"));
                }
            };
            self.check_finite(&product, place)?;
        }
    }

    fn factor(&mut self) -> Result<Quantity, OperatorError> {
        if self.cursor.accept('(') {
            let sum = self.sum()?;
            self.cursor.require(')', "a closing bracket")?;
            return Ok(sum);
        }
        let sign = match self.cursor.peek() {
            Some('-') => -1.0,
            Some('+') => 1.0,
            Some(character) if character.is_ascii_digit() || character == '.' => {
                return self.cursor.number("a derivative").map(Quantity::Number);
            }
            Some(character) if character.is_alphabetic() => {
                return derivative(&mut self.cursor, self.names).map(Quantity::Operator);
            }
            _ => return Err(self.cursor.expected("a derivative such as u_x, a number or a bracket")),
        };
        self.cursor.go_to(self.cursor.place() + 1);
        self.cursor.descend()?;
        let factor = self.factor()?;
        self.cursor.ascend();
        Ok(match factor {
            Quantity::Number(number) => Quantity::Number(sign * number),
            Quantity::Operator(operator) => Quantity::Operator(sign * operator),
        })
    }
}

/// A derivative such as u_x, or `laplacian(u)`.
pub(super) fn derivative(cursor: &mut Cursor<'_>, names: &Names) -> Result<Operator, OperatorError> {
    let place = cursor.next_place();
    if cursor.word() == "laplacian" && cursor.peek() == Some('(') {
        return laplacian(cursor, names);
    }
    cursor.go_to(place);
    let output = output(cursor, names, true)?;
    if !cursor.rest().starts_with('_') {
        return Ok(Operator::value(output));
    }
    cursor.go_to(cursor.place() + 1);
    let place = cursor.place();
    let suffix = cursor.word();
    match names.derivative(suffix) {
        Some(derivative) => Ok(Operator::term(output, derivative)),
        None => Err(cursor.problem(
            place,
            format!(
                "\"{suffix}\" is not one or two inputs; inputs are {} (derivatives above the second order are not there)",
                names.inputs().join(", ")
            ),
        )),
    }
}

/// An output. Where it stands alone, a coefficient may have been meant, if `coefficients` are possible.
fn output(cursor: &mut Cursor<'_>, names: &Names, coefficients: bool) -> Result<usize, OperatorError> {
    let place = cursor.next_place();
    let name = cursor.word();
    names.outputs().iter().position(|output| output == name).ok_or_else(|| {
        let coefficient = coefficients && !cursor.rest().starts_with('_');
        let what = match (names.inputs().iter().any(|input| input == name), coefficient) {
            (true, false) => "an input, not an output",
            (true, true) => "an input, neither a number nor an output",
            (false, false) => "not an output",
            (false, true) => "neither a number nor an output",
        };
        let hint = if coefficient { "; coefficients have to be written as numbers" } else { "" };
        cursor.problem(place, format!("\"{name}\" is {what}; outputs are {}{hint}", names.outputs().join(", ")))
    })
}

/// What follows the word `laplacian`.
fn laplacian(cursor: &mut Cursor<'_>, names: &Names) -> Result<Operator, OperatorError> {
    cursor.accept('(');
    let output = output(cursor, names, false)?;
    let mut inputs = Vec::new();
    while cursor.accept(',') {
        let place = cursor.next_place();
        let name = cursor.word();
        match names.derivative(name) {
            Some(Derivative::First(input)) if inputs.contains(&input) => {
                return Err(cursor.problem(place, format!("\"{name}\" is named twice")));
            }
            Some(Derivative::First(input)) => inputs.push(input),
            _ => {
                let known = names.inputs().join(", ");
                return Err(cursor.problem(place, format!("\"{name}\" is not an input; inputs are {known}")));
            }
        }
    }
    cursor.require(')', "a closing bracket")?;
    if inputs.is_empty() {
        inputs.extend(0..names.inputs().len());
    }
    Ok(Operator::laplacian(output, inputs))
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
            ("π*u", 0, "neither a number nor an output"),
            (
                "u_t - k*u_xx",
                6,
                "\"k\" is neither a number nor an output; outputs are u, v; coefficients have to be written as numbers",
            ),
            ("x*u_xx", 0, "\"x\" is an input, neither a number nor an output; outputs are u, v; coefficients"),
            ("u_t - x_t", 6, "\"x\" is an input, not an output; outputs are u, v"),
            ("laplacian(x)", 10, "\"x\" is an input, not an output"),
            ("laplacian(k)", 10, "\"k\" is not an output"),
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
