//! Nonlinear expressions of coordinates and derivatives, such as `u_t + u*u_x - nu*u_xx`.

mod linear;
mod parse;

use super::{Derivative, Names, Operator, OperatorError};
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
        let (root, derivatives) = parse::parse(text, names, data, constants)?;
        Ok(Self::collect(root, &derivatives))
    }

    /// Splits what is linear off, and numbers the derivatives in the rest.
    fn collect(root: Node, atoms: &[(usize, Derivative)]) -> Self {
        let (linear, rest) = linear::split(root, atoms);
        let mut quantities = Vec::new();
        if !linear.terms().is_empty() {
            quantities.push(linear);
        }
        let linear = quantities.first().map(|_| Node::Quantity(0));
        let rest = rest.map(|rest| linear::renumber(rest, atoms, &mut quantities));
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
