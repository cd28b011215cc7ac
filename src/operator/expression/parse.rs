//! Reading an expression from text.
//!
//! ```text
//! sum      = product (("+" | "-") product)*
//! product  = power (("*" | "/") power)*
//! power    = ("+" | "-") power | atom ("^" power)?
//! atom     = number | "(" sum ")" | function "(" sum ")" | "pi" | constant | input | derivative | "laplacian" "(" .. ")"
//! ```

use super::linear::operation;
use super::{Function, Node, Operation};
use crate::operator::cursor::Cursor;
use crate::operator::{Derivative, Names, OperatorError};

/// Operations within operations; more are refused, so that no text can exhaust the stack.
const DEEPEST: usize = 128;

/// The text as an expression of derivatives, and these in the order in which they were first named.
pub(super) fn parse(
    text: &str,
    names: &Names,
    data: &[&str],
    constants: &[(&str, f64)],
) -> Result<(Node, Vec<(usize, Derivative)>), OperatorError> {
    check_names(names, data, constants)?;
    let mut parser = Parser { cursor: Cursor::new(text), names, data, constants, quantities: Vec::new() };
    let root = parser.sum()?;
    if parser.cursor.peek().is_some() {
        return Err(parser.cursor.expected("an operation such as + or the end"));
    }
    Ok((root, parser.quantities))
}

fn check_names(names: &Names, data: &[&str], constants: &[(&str, f64)]) -> Result<(), OperatorError> {
    let is_reserved = |name: &str| name == "pi" || name == "laplacian" || Function::named(name).is_some();
    let fields = || names.inputs().iter().chain(names.outputs()).map(String::as_str);
    if let Some(name) = fields().find(|name| is_reserved(name)) {
        return Err(OperatorError::NameTaken { name: name.to_owned() });
    }
    let known = |name: &str| fields().any(|known| known == name) || is_reserved(name);
    let mut given: Vec<&str> = Vec::new();
    for name in data.iter().copied().chain(constants.iter().map(|(name, _)| *name)) {
        if !name.starts_with(char::is_alphabetic) || !name.chars().all(char::is_alphanumeric) {
            return Err(OperatorError::NotAName { name: name.to_owned() });
        }
        if known(name) || given.contains(&name) {
            return Err(OperatorError::NameTaken { name: name.to_owned() });
        }
        given.push(name);
    }
    match constants.iter().find(|(_, value)| !value.is_finite()) {
        Some((name, value)) => Err(OperatorError::Coefficient { coefficient: format!("{name} = {value}") }),
        None => Ok(()),
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    names: &'a Names,
    data: &'a [&'a str],
    constants: &'a [(&'a str, f64)],
    /// Derivatives in the order in which they were first named.
    quantities: Vec<(usize, Derivative)>,
}

/// A part with the number of operations within each other.
type Deep = (Node, usize);

impl Parser<'_> {
    fn join(&self, kind: Operation, (a, a_depth): Deep, (b, b_depth): Deep, place: usize) -> Result<Deep, OperatorError> {
        let depth = 1 + a_depth.max(b_depth);
        if depth > DEEPEST {
            let problem = format!("more than {DEEPEST} operations within each other; halve long sums with brackets");
            return Err(self.cursor.problem(place, problem));
        }
        let node = operation(kind, a, b);
        match node {
            Node::Number(number) if !number.is_finite() => {
                Err(self.cursor.problem(place, "a constant is not finite from here on"))
            }
            node => Ok((node, depth)),
        }
    }

    fn sum(&mut self) -> Result<Node, OperatorError> {
        self.deep_sum().map(|(node, _)| node)
    }

    fn deep_sum(&mut self) -> Result<Deep, OperatorError> {
        self.cursor.descend()?;
        let mut sum = self.product()?;
        loop {
            let kind = if self.cursor.accept('+') {
                Operation::Add
            } else if self.cursor.accept('-') {
                Operation::Subtract
            } else {
                self.cursor.ascend();
                return Ok(sum);
            };
            let place = self.cursor.next_place();
            let next = self.product()?;
            sum = self.join(kind, sum, next, place)?;
        }
    }

    fn product(&mut self) -> Result<Deep, OperatorError> {
        let mut product = self.power()?;
        loop {
            let kind = if self.cursor.accept('*') {
                if self.cursor.rest().starts_with('*') {
                    return Err(self.cursor.problem(self.cursor.place(), "write ^ for a power"));
                }
                Operation::Multiply
            } else if self.cursor.accept('/') {
                Operation::Divide
            } else {
                return Ok(product);
            };
            let place = self.cursor.next_place();
            let next = self.power()?;
            product = self.join(kind, product, next, place)?;
        }
    }

    fn power(&mut self) -> Result<Deep, OperatorError> {
        self.cursor.descend()?;
        let place = self.cursor.next_place();
        let power = if self.cursor.accept('-') {
            let next = self.power()?;
            self.join(Operation::Multiply, (Node::Number(-1.0), 0), next, place)?
        } else if self.cursor.accept('+') {
            self.power()?
        } else {
            let base = self.atom()?;
            if self.cursor.accept('^') {
                let place = self.cursor.next_place();
                let exponent = self.power()?;
                self.join(Operation::Power, base, exponent, place)?
            } else {
                base
            }
        };
        self.cursor.ascend();
        Ok(power)
    }

    fn atom(&mut self) -> Result<Deep, OperatorError> {
        match self.cursor.peek() {
            Some('(') => {
                self.cursor.accept('(');
                let sum = self.deep_sum()?;
                self.cursor.require(')', "a closing bracket")?;
                Ok(sum)
            }
            Some(next) if next.is_ascii_digit() || next == '.' => {
                self.cursor.number("a name").map(|number| (Node::Number(number), 0))
            }
            Some(next) if next.is_alphabetic() => self.named(),
            _ => Err(self.cursor.expected("a derivative such as u_x, an input, a number, a function or a bracket")),
        }
    }

    fn named(&mut self) -> Result<Deep, OperatorError> {
        let place = self.cursor.next_place();
        let name = self.cursor.word();
        let plain = !self.cursor.rest().starts_with('_');
        let point = self.names.inputs().iter().map(String::as_str).chain(self.data.iter().copied());
        if let Some(position) = point.clone().position(|known| known == name).filter(|_| plain) {
            return Ok((Node::Point(position), 0));
        }
        if let Some(&(_, value)) = self.constants.iter().find(|(known, _)| *known == name).filter(|_| plain) {
            return Ok((Node::Number(value), 0));
        }
        if name == "pi" && plain {
            return Ok((Node::Number(std::f64::consts::PI), 0));
        }
        if let Some(function) = Function::named(name).filter(|_| plain) {
            self.cursor.require('(', &format!("( behind {name}"))?;
            let (x, depth) = self.deep_sum()?;
            self.cursor.require(')', "a closing bracket")?;
            return match x {
                Node::Number(x) if function.apply(x).is_finite() => Ok((Node::Number(function.apply(x)), 0)),
                Node::Number(_) => Err(self.cursor.problem(place, "a constant is not finite from here on")),
                x => Ok((Node::Function(function, Box::new(x)), depth + 1)),
            };
        }
        let is_output = self.names.outputs().iter().any(|output| output == name);
        if !is_output && name != "laplacian" {
            let position = point.clone().position(|known| known == name);
            let what = match position {
                Some(position) if position < self.names.inputs().len() => Some("an input"),
                Some(_) => Some("data"),
                None if self.constants.iter().any(|(known, _)| *known == name) => Some("a constant"),
                None => None,
            };
            if let Some(what) = what {
                let outputs = self.names.outputs().join(", ");
                let problem = format!("\"{name}\" is {what}, not an output; outputs are {outputs}");
                return Err(self.cursor.problem(place, problem));
            }
            let known: Vec<&str> = point.chain(self.constants.iter().map(|(name, _)| *name)).collect();
            let problem = format!(
                "\"{name}\" is not known; outputs are {}, inputs and constants {}, pi, functions {}",
                self.names.outputs().join(", "),
                known.join(", "),
                Function::NAMES.join(", "),
            );
            return Err(self.cursor.problem(place, problem));
        }
        self.cursor.go_to(place);
        let operator = crate::operator::parse::derivative(&mut self.cursor, self.names)?;
        let mut sum: Option<Deep> = None;
        for term in operator.terms() {
            let atom = (term.output, term.derivative);
            let number = self.quantities.iter().position(|known| *known == atom).unwrap_or_else(|| {
                self.quantities.push(atom);
                self.quantities.len() - 1
            });
            let next = (Node::Quantity(number), 0);
            sum = Some(match sum {
                None => next,
                Some(sum) => self.join(Operation::Add, sum, next, place)?,
            });
        }
        Ok(sum.unwrap_or((Node::Number(0.0), 0)))
    }
}
