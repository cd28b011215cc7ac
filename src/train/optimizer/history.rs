//! What L-BFGS remembers, and the direction that follows from it.

use super::vectors::{add_scaled, dot};
use crate::number::Real;

/// The last steps: how the parameters moved and how the gradient changed, in two rings of rows that are filled from the
/// first row on.
#[derive(Clone, Debug)]
pub(super) struct History<R> {
    moves: Vec<R>,
    changes: Vec<R>,
    /// Of each pair of rows the scalar product, which is above 0.
    products: Vec<f64>,
    /// How many pairs there are.
    pairs: usize,
    /// Where the next pair goes.
    next: usize,
}

impl<R: Real> History<R> {
    /// `moves` and `changes` have room for as many rows as `products` has numbers.
    pub fn new(products: Vec<f64>, moves: Vec<R>, changes: Vec<R>) -> Self {
        Self { moves, changes, products, pairs: 0, next: 0 }
    }

    pub fn clear(&mut self) {
        (self.pairs, self.next) = (0, 0);
    }

    pub fn is_empty(&self) -> bool {
        self.pairs == 0
    }

    pub fn pairs(&self) -> usize {
        self.pairs
    }

    pub fn next(&self) -> usize {
        self.next
    }

    /// The rows that are filled.
    pub fn filled(&self, parameters: usize) -> (&[R], &[R]) {
        let end = self.pairs * parameters;
        (&self.moves[..end], &self.changes[..end])
    }

    /// Fills the first `pairs` rows; the next pair goes to `next`.
    pub fn fill(&mut self, pairs: usize, next: usize, moves: &[R], changes: &[R]) {
        self.moves[..moves.len()].copy_from_slice(moves);
        self.changes[..changes.len()].copy_from_slice(changes);
        (self.pairs, self.next) = (pairs, next);
        for pair in 0..pairs {
            let (moved, changed) = self.rows(pair, moves.len() / pairs);
            self.products[pair] = dot(moved, changed);
        }
    }

    /// Remembers a pair in the place of the oldest, unless the curvature along it is lost in rounding.
    pub fn add(&mut self, moved: &[R], changed: &[R]) {
        let product = dot(moved, changed);
        let lengths = dot(moved, moved).sqrt() * dot(changed, changed).sqrt();
        let rounding: f64 = R::epsilon().as_();
        if product > rounding * lengths && lengths.is_finite() {
            let row = self.next * moved.len()..(self.next + 1) * moved.len();
            self.moves[row.clone()].copy_from_slice(moved);
            self.changes[row].copy_from_slice(changed);
            self.products[self.next] = product;
            self.next = (self.next + 1) % self.products.len();
            self.pairs = (self.pairs + 1).min(self.products.len());
        }
    }

    fn rows(&self, pair: usize, parameters: usize) -> (&[R], &[R]) {
        let row = pair * parameters..(pair + 1) * parameters;
        (&self.moves[row.clone()], &self.changes[row])
    }

    /// Writes -H g, where H is the inverse Hessian as the history has it: the two loops of Nocedal, Updating quasi-Newton
    /// matrices with limited storage, 1980. `weights` has room for a number for each pair.
    pub fn direction(&self, gradient: &[R], direction: &mut [R], weights: &mut [f64]) {
        for (direction, derivative) in direction.iter_mut().zip(gradient) {
            *direction = -*derivative;
        }
        let capacity = self.products.len();
        let newest_first = (1..=self.pairs).map(|back| (self.next + capacity - back) % capacity);
        for pair in newest_first.clone() {
            let (moved, changed) = self.rows(pair, gradient.len());
            weights[pair] = dot(moved, direction) / self.products[pair];
            add_scaled(direction, -weights[pair], changed);
        }
        if let Some(newest) = newest_first.clone().next() {
            let (_, changed) = self.rows(newest, gradient.len());
            let scale = R::literal(self.products[newest] / dot(changed, changed));
            direction.iter_mut().for_each(|component| *component *= scale);
        }
        for pair in newest_first.rev() {
            let (moved, changed) = self.rows(pair, gradient.len());
            let weight = weights[pair] - dot(changed, direction) / self.products[pair];
            add_scaled(direction, weight, moved);
        }
    }
}
