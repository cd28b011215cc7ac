//! Nonlinear expressions of coordinates and derivatives, such as `u_t + u*u_x - nu*u_xx`.
//!
//! ```text
//! sum      = product (("+" | "-") product)*
//! product  = power (("*" | "/") power)*
//! power    = ("+" | "-") power | atom ("^" power)?
//! atom     = number | "(" sum ")" | function "(" sum ")" | "pi" | constant | input | derivative | "laplacian" "(" .. ")"
//! ```

use super::cursor::Cursor;
use super::{Derivative, Names, Operator, OperatorError, parse};
use crate::number::Scalar;

/// A function of coordinates and derivatives, read from text.
///
/// Besides the derivatives of [`Operator`]s it knows the inputs and further numbers of a point by name, named constants, `pi`,
/// `+ - * / ^`, brackets, and the functions sin, cos, tan, sinh, cosh, tanh, exp, log, sqrt, abs, erf, sigmoid.
///
/// What is linear with constant coefficients is kept apart as one operator, which is cheaper to evaluate: the quantities of
/// `u_t + u*u_x - 0.1*u_xx` are `u_t - 0.1*u_xx`, u and u_x.
///
/// ```
/// use tapeless::operator::{Expression, Names};
///
/// let names = Names::new(["x", "t"], ["u"])?;
/// let burgers = Expression::parse("u_t + u*u_x - nu*u_xx", &names, &[], &[("nu", 0.1)])?;
/// assert_eq!(burgers.quantities().len(), 3);
/// // At x = 0.5, t = 0 with u_t - 0.1 u_xx = 2, u = 3, u_x = 4.
/// assert_eq!(burgers.evaluate(&[0.5, 0.0], &[2.0, 3.0, 4.0]), 14.0);
/// # Ok::<(), tapeless::operator::OperatorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    root: Node,
    quantities: Vec<Operator>,
}

/// Operations within operations, for the same reason.
const DEEPEST: usize = 128;

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    /// A coordinate or further number of the point.
    Point(usize),
    /// A derivative, by its number among the quantities.
    Quantity(usize),
    Function(Function, Box<Node>),
    Operation(Operation, Box<(Node, Node)>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

impl Operation {
    fn apply<S: Scalar>(self, a: S, b: S) -> S {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => a.powf(b),
        }
    }
}

/// The functions with their names.
macro_rules! functions {
    ($($variant:ident $name:literal $method:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum Function {
            $($variant,)*
        }

        impl Function {
            const NAMES: &[&str] = &[$($name),*];

            fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            fn apply<S: Scalar>(self, x: S) -> S {
                match self {
                    $(Self::$variant => x.$method(),)*
                }
            }
        }
    };
}

functions! {
    Sin "sin" sin
    Cos "cos" cos
    Tan "tan" tan
    Sinh "sinh" sinh
    Cosh "cosh" cosh
    Tanh "tanh" tanh
    Exp "exp" exp
    Log "log" ln
    Sqrt "sqrt" sqrt
    Abs "abs" abs
    Erf "erf" erf
    Sigmoid "sigmoid" sigmoid
}

impl Expression {
    /// Reads an expression. `data` names further numbers of a point behind its coordinates.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Syntax`] with the place in the text; [`OperatorError::NameTaken`] where data or a constant has the name
    /// of something else.
    pub fn parse(text: &str, names: &Names, data: &[&str], constants: &[(&str, f64)]) -> Result<Self, OperatorError> {
        check_names(names, data, constants)?;
        let mut parser = Parser { cursor: Cursor::new(text), names, data, constants, quantities: Vec::new() };
        let root = parser.sum()?;
        if parser.cursor.peek().is_some() {
            return Err(parser.cursor.expected("an operation such as + or the end"));
        }
        Ok(Self::collect(root, &parser.quantities))
    }

    /// Splits what is linear off, and numbers the derivatives in the rest.
    fn collect(root: Node, atoms: &[(usize, Derivative)]) -> Self {
        let (linear, rest) = split(root, atoms);
        let mut quantities = Vec::new();
        if !linear.terms().is_empty() {
            quantities.push(linear);
        }
        let linear = quantities.first().map(|_| Node::Quantity(0));
        let rest = rest.map(|rest| renumber(rest, atoms, &mut quantities));
        let root = match (linear, rest) {
            (Some(linear), Some(rest)) => Node::Operation(Operation::Add, Box::new((linear, rest))),
            (Some(node), None) | (None, Some(node)) => node,
            (None, None) => Node::Number(0.0),
        };
        Self { root, quantities }
    }

    /// The operators whose values [`evaluate`](Expression::evaluate) takes.
    pub fn quantities(&self) -> &[Operator] {
        &self.quantities
    }

    /// The value at a point, given its coordinates and data, for values of the quantities. Panics never: a number that is
    /// missing is NaN.
    pub fn evaluate<S: Scalar>(&self, point: &[S], quantities: &[S]) -> S {
        evaluate(&self.root, point, quantities)
    }
}

fn evaluate<S: Scalar>(node: &Node, point: &[S], quantities: &[S]) -> S {
    let missing = S::nan();
    match node {
        Node::Number(number) => S::literal(*number),
        Node::Point(position) => point.get(*position).copied().unwrap_or(missing),
        Node::Quantity(number) => quantities.get(*number).copied().unwrap_or(missing),
        Node::Function(function, x) => function.apply(evaluate(x, point, quantities)),
        Node::Operation(operation, pair) => {
            let a = evaluate(&pair.0, point, quantities);
            match (operation, &pair.1) {
                (Operation::Power, Node::Number(power)) => match whole(*power) {
                    Some(power) => a.powi(power),
                    None => a.powf(S::literal(*power)),
                },
                (_, b) => operation.apply(a, evaluate(b, point, quantities)),
            }
        }
    }
}

/// A power that is a whole number.
fn whole(power: f64) -> Option<i32> {
    (power.fract() == 0.0 && power.abs() <= f64::from(i32::MAX)).then_some(power as i32)
}

/// An operation on two parts; done at once for numbers.
fn operation(operation: Operation, a: Node, b: Node) -> Node {
    match (a, b) {
        (Node::Number(a), Node::Number(b)) => Node::Number(operation.apply(a, b)),
        pair => Node::Operation(operation, Box::new(pair)),
    }
}

/// The linear part with constant coefficients, and the rest.
fn split(node: Node, atoms: &[(usize, Derivative)]) -> (Operator, Option<Node>) {
    match node {
        Node::Quantity(number) => {
            let (output, derivative) = atoms[number];
            (Operator::term(output, derivative), None)
        }
        Node::Operation(sign @ (Operation::Add | Operation::Subtract), pair) => {
            let ((a, a_rest), (b, b_rest)) = (split(pair.0, atoms), split(pair.1, atoms));
            let factor = if sign == Operation::Add { 1.0 } else { -1.0 };
            let rest = match (a_rest, b_rest) {
                (Some(a), Some(b)) => Some(operation(sign, a, b)),
                (None, Some(b)) => Some(scaled(factor, b)),
                (rest, None) => rest,
            };
            (a + factor * b, rest)
        }
        Node::Operation(Operation::Multiply, pair) => match *pair {
            (Node::Number(factor), node) | (node, Node::Number(factor)) => {
                let (linear, rest) = split(node, atoms);
                (factor * linear, rest.map(|rest| scaled(factor, rest)))
            }
            (a, b) => (Operator::default(), Some(operation(Operation::Multiply, a, b))),
        },
        Node::Operation(Operation::Divide, pair) => match *pair {
            (node, Node::Number(divisor)) => {
                let (linear, rest) = split(node, atoms);
                (linear / divisor, rest.map(|rest| operation(Operation::Divide, rest, Node::Number(divisor))))
            }
            (a, b) => (Operator::default(), Some(operation(Operation::Divide, a, b))),
        },
        node => (Operator::default(), Some(node)),
    }
}

fn scaled(factor: f64, node: Node) -> Node {
    if factor == 1.0 { node } else { operation(Operation::Multiply, Node::Number(factor), node) }
}

/// Replaces derivatives by their place among the quantities.
fn renumber(node: Node, atoms: &[(usize, Derivative)], quantities: &mut Vec<Operator>) -> Node {
    match node {
        Node::Quantity(number) => {
            let (output, derivative) = atoms[number];
            let wanted = Operator::term(output, derivative);
            let position = quantities.iter().position(|operator| *operator == wanted).unwrap_or_else(|| {
                quantities.push(wanted);
                quantities.len() - 1
            });
            Node::Quantity(position)
        }
        Node::Function(function, x) => Node::Function(function, Box::new(renumber(*x, atoms, quantities))),
        Node::Operation(operation, pair) => {
            let a = renumber(pair.0, atoms, quantities);
            Node::Operation(operation, Box::new((a, renumber(pair.1, atoms, quantities))))
        }
        node => node,
    }
}

fn check_names(names: &Names, data: &[&str], constants: &[(&str, f64)]) -> Result<(), OperatorError> {
    let known = |name: &str| {
        let mut known = names.inputs().iter().chain(names.outputs()).map(String::as_str);
        known.any(|known| known == name) || name == "pi" || name == "laplacian" || Function::named(name).is_some()
    };
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
        let operator = parse::derivative(&mut self.cursor, self.names)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::new(["x", "y", "t"], ["u", "v"]).unwrap()
    }

    fn read(text: &str) -> Expression {
        Expression::parse(text, &names(), &["measured"], &[("nu", 0.5)]).unwrap()
    }

    fn operators(texts: &[&str]) -> Vec<Operator> {
        texts.iter().map(|text| Operator::parse(text, &names()).unwrap()).collect()
    }

    #[test]
    fn what_is_linear_becomes_one_operator() {
        assert_eq!(read("u_t + u*u_x - nu*u_xx").quantities(), operators(&["u_t - 0.5*u_xx", "u", "u_x"]));
        assert_eq!(read("laplacian(u, x, y) - 3*(u_t + sin(x))/4").quantities(), operators(&["u_xx + u_yy - 0.75*u_t"]));
        assert_eq!(read("u*u").quantities(), operators(&["u"]));
        assert_eq!(read("sin(pi*x)").quantities(), []);
        assert_eq!(read("u_t + x*u_xx").quantities(), operators(&["u_t", "u_xx"]));
        assert_eq!(read("-(u_x - v_y)").quantities(), operators(&["v_y - u_x"]));
    }

    #[test]
    fn values_follow_the_rules_of_arithmetic() {
        let value = |text: &str| read(text).evaluate(&[2.0, 3.0, 5.0, 7.0], &[]);
        for (text, expected) in [
            ("2^3^2", 512.0),
            ("-x^2", -4.0),
            ("2*-x", -4.0),
            ("x - y - t", -6.0),
            ("x/y/t", 2.0 / 3.0 / 5.0),
            ("1 - measured*(x + nu)", -16.5),
            ("x^-1", 0.5),
            ("4^0.5", 2.0),
            ("sqrt(x*8) + exp(0) + log(1) + abs(-3)", 8.0),
            ("2e-1*x", 0.4),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        let all = read("u_t + u*u_x - nu*u_xx + x*v");
        assert_eq!(all.evaluate(&[2.0, 0.0, 0.0, 0.0], &[1.0, 10.0, 3.0, 4.0]), 39.0);
    }

    #[test]
    fn errors_point_at_the_character() {
        for (text, expected, words) in [
            ("u_t + w", 6, "\"w\" is not known"),
            ("sin x", 4, "( behind sin"),
            ("u**2", 2, "write ^"),
            ("u_xxx", 2, "above the second order"),
            ("(u", 2, "closing bracket"),
            ("u u", 2, "found 'u'"),
            ("log(0)*u", 0, "not finite"),
            ("1/0", 2, "not finite"),
            ("", 0, "found the end"),
            ("x_t", 0, "\"x\" is an input, not an output; outputs are u, v"),
            ("u + measured_t", 4, "\"measured\" is data, not an output"),
            ("nu_x", 0, "\"nu\" is a constant, not an output"),
        ] {
            match Expression::parse(text, &names(), &["measured"], &[("nu", 0.5)]) {
                Err(OperatorError::Syntax { column, problem, .. }) => {
                    assert_eq!(column, expected, "{text}: {problem}");
                    assert!(problem.contains(words), "{text}: {problem}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(Expression::parse("u", &names(), &["u"], &[]).is_err());
        assert!(Expression::parse("u", &names(), &[], &[("sin", 1.0)]).is_err());
    }

    #[test]
    fn deep_texts_are_refused_and_not_run_into() {
        let long = vec!["x*y"; 100_000].join("+");
        for text in ["(".repeat(100_000), "-".repeat(100_000), "sin(".repeat(100_000), "2^".repeat(100_000), long] {
            assert!(Expression::parse(&text, &names(), &[], &[]).is_err());
        }
    }
}
