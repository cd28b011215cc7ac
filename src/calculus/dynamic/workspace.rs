//! The memory that drivers work in.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt::{self, Debug, Formatter};
#[cfg(feature = "rayon")]
use std::sync::{Mutex, PoisonError};

use crate::number::Scalar;

/// The numbers that a driver runs the function on. Any driver can use it, for any function; it grows where it has to, and
/// after that nothing is allocated.
///
/// ```
/// use tapeless::{dynamic::{self, Hessian, Workspace}, function};
///
/// let f = function!(|x: &[S]| x[0] * x[0] * x[1]);
/// let (mut at, mut workspace) = (Hessian::default(), Workspace::new());
/// for x in [1.0, 2.0, 3.0] {
///     dynamic::hessian_into(&f, &[x, 2.0], &mut at, &mut workspace);
///     assert_eq!(at.hessian, [4.0, 2.0 * x, 2.0 * x, 0.0]);
/// }
/// ```
#[derive(Default)]
pub struct Workspace {
    /// One [`Numbers`] for each type of number so far.
    numbers: Vec<Box<dyn Any + Send>>,
    #[cfg(feature = "rayon")]
    threads: Option<Mutex<Vec<Workspace>>>,
}

/// Variables and outputs of a function.
struct Numbers<S> {
    variables: Vec<S>,
    outputs: Vec<S>,
}

impl Workspace {
    /// A workspace that has no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A workspace whose drivers share their passes out to the threads of the current rayon pool, where these are independent:
    /// [`gradient`](super::gradient()), [`hessian`](super::hessian()) and [`partial_hessian`](super::partial_hessian). Results
    /// are bit for bit those of one thread. Calls from inside the pool (`ThreadPool::install`) allocate nothing once memory has
    /// grown; from outside, rayon's own queue does now and then.
    ///
    /// ```
    /// use tapeless::{dynamic::{self, Hessian, Workspace}, function};
    ///
    /// let f = function!(|x: &[S]| x.windows(2).map(|x| x[0] * x[1].sin()).sum::<S>());
    /// let (x, mut at) = ([0.5; 50], Hessian::default());
    /// dynamic::hessian_into(&f, &x, &mut at, &mut Workspace::on_all_threads());
    /// assert_eq!(at, dynamic::hessian(&f, &x));
    /// ```
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn on_all_threads() -> Self {
        Self { threads: Some(Mutex::default()), ..Self::default() }
    }

    fn numbers<S: Scalar>(&mut self) -> &mut Numbers<S> {
        let known = self.numbers.iter().position(|numbers| numbers.is::<Numbers<S>>());
        let index = known.unwrap_or(self.numbers.len());
        if known.is_none() {
            self.numbers.push(Box::new(Numbers::<S> { variables: Vec::new(), outputs: Vec::new() }));
        }
        self.numbers[index].downcast_mut().expect("the type was looked up")
    }

    /// The variables that are given.
    pub(super) fn variables<S: Scalar>(&mut self, variables: impl Iterator<Item = S>) -> &mut Vec<S> {
        let memory = &mut self.numbers().variables;
        memory.clear();
        memory.extend(variables);
        memory
    }

    /// The point as the numbers `number(i, x_i)`.
    pub(super) fn filled<T: Scalar, S: Scalar>(&mut self, point: &[T], number: impl Fn(usize, T) -> S) -> &mut Vec<S> {
        self.variables(point.iter().enumerate().map(|(i, &x)| number(i, x)))
    }

    /// The point as constants.
    pub(super) fn constants<T: Scalar, S: Scalar + From<T>>(&mut self, point: &[T]) -> &mut Vec<S> {
        self.filled(point, |_, x| x.into())
    }

    /// Room for so many variables, so that no pass has to get it.
    pub(super) fn reserve<S: Scalar>(&mut self, length: usize) {
        let memory = &mut self.numbers::<S>().variables;
        memory.reserve_exact(length.saturating_sub(memory.len()));
    }

    /// The variables that are given, and as many zeros as there are outputs.
    pub(super) fn with_outputs<S: Scalar>(
        &mut self,
        variables: impl Iterator<Item = S>,
        outputs: usize,
    ) -> (&mut Vec<S>, &mut Vec<S>) {
        self.variables(variables);
        let numbers = self.numbers::<S>();
        reset(&mut numbers.outputs, outputs);
        (&mut numbers.variables, &mut numbers.outputs)
    }

    /// Takes back memory that was taken away.
    pub(super) fn keep<S: Scalar>(&mut self, variables: Vec<S>, outputs: Vec<S>) {
        *self.numbers() = Numbers { variables, outputs };
    }

    /// Runs `task(i, rows, entries, workspace)` for every i below `count`, with its pieces of `row_size` and `entry_size` numbers
    /// of two arrays, maybe on several threads. What the last task gives is given back, or the first error. Every workspace that a
    /// task may be given went through `reserve`: which of them work depends on chance, and chance is to allocate nothing.
    pub(super) fn for_each_piece<T: Scalar, E: Send>(
        &mut self,
        count: usize,
        (rows, row_size): (&mut [T], usize),
        (entries, entry_size): (&mut [T], usize),
        reserve: impl Fn(&mut Self),
        task: impl Fn(usize, &mut [T], &mut [T], &mut Self) -> Result<T, E> + Sync,
    ) -> Result<Option<T>, E> {
        if count == 0 {
            return Ok(None);
        }
        #[cfg(feature = "rayon")]
        if let Some(idle) = &mut self.threads {
            let workspaces = idle.get_mut().unwrap_or_else(PoisonError::into_inner);
            workspaces.resize_with(workspaces.len().max(rayon::current_num_threads()), Self::new);
            workspaces.iter_mut().for_each(reserve);
            let idle = &*idle;
            let task = |i, rows: &mut [T], entries: &mut [T]| {
                let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
                let taken = lock().pop();
                let mut workspace = taken.unwrap_or_default();
                let result = task(i, rows, entries, &mut workspace);
                lock().push(workspace);
                result
            };
            return shared(0, count, (rows, row_size), (entries, entry_size), &task);
        }
        reserve(self);
        let (mut rows, mut entries) = (rows.chunks_mut(row_size), entries.chunks_mut(entry_size));
        let mut last = None;
        for i in 0..count {
            last = Some(task(i, rows.next().unwrap_or_default(), entries.next().unwrap_or_default(), self)?);
        }
        Ok(last)
    }
}

/// The tasks `start` to `start + count`, halved until there is one.
#[cfg(feature = "rayon")]
fn shared<T: Scalar, E: Send>(
    start: usize,
    count: usize,
    (rows, row_size): (&mut [T], usize),
    (entries, entry_size): (&mut [T], usize),
    task: &(impl Fn(usize, &mut [T], &mut [T]) -> Result<T, E> + Sync),
) -> Result<Option<T>, E> {
    if count <= 1 {
        return (count == 1).then(|| task(start, rows, entries)).transpose();
    }
    let half = count / 2;
    let (first_rows, rows) = rows.split_at_mut(rows.len().min(half * row_size));
    let (first_entries, entries) = entries.split_at_mut(entries.len().min(half * entry_size));
    let (first, second) = rayon::join(
        || shared(start, half, (first_rows, row_size), (first_entries, entry_size), task),
        || shared(start + half, count - half, (rows, row_size), (entries, entry_size), task),
    );
    first.and(second)
}

impl Debug for Workspace {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").finish_non_exhaustive()
    }
}

/// Makes it `length` zeros.
pub(super) fn reset<T: Scalar>(numbers: &mut Vec<T>, length: usize) {
    numbers.clear();
    numbers.resize(length, T::zero());
}
