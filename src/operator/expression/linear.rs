//! What of an expression is linear with constant coefficients, and what is not.

use super::{Node, Operation};
use crate::operator::{Derivative, Operator};

/// An operation on two parts; done at once for numbers.
pub(super) fn operation(operation: Operation, a: Node, b: Node) -> Node {
    match (a, b) {
        (Node::Number(a), Node::Number(b)) => Node::Number(operation.apply(a, b)),
        pair => Node::Operation(operation, Box::new(pair)),
    }
}

/// The linear part with constant coefficients, and the rest.
pub(super) fn split(node: Node, atoms: &[(usize, Derivative)]) -> (Operator, Option<Node>) {
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
pub(super) fn renumber(node: Node, atoms: &[(usize, Derivative)], quantities: &mut Vec<Operator>) -> Node {
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
