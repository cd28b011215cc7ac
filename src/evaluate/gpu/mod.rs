//! Networks over batches on a GPU, through Vulkan, Metal or DirectX 12.
//!
//! ```no_run
//! use tapeless::evaluate::gpu::{DeviceChoice, GpuEvaluator};
//! use tapeless::evaluate::{Batch, CpuEvaluator, Derivatives, EvaluateError, Evaluator};
//! use tapeless::network::Network;
//!
//! fn evaluate(network: &Network<f32>, points: &[f32]) -> Result<Batch<f32>, EvaluateError> {
//!     match DeviceChoice::Auto.open()? {
//!         Some(device) => GpuEvaluator::new(&device, network, Derivatives::ALL, &[])?.evaluate(points),
//!         None => CpuEvaluator::new(network, Derivatives::ALL, &[])?.evaluate(points),
//!     }
//! }
//! ```

mod adapter;
mod batch;
mod binding;
mod device;
#[cfg(test)]
mod device_tests;
mod error;
mod flight;
mod fused;
mod kernel;
mod layered;
mod peak;
mod readout;
mod real;
mod reduce;
mod shape;
#[cfg(test)]
mod tests;
mod text;

use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

pub use adapter::{AdapterInfo, AdapterKind, DeviceChoice, adapters};
pub use batch::GpuBatch;
pub use device::GpuDevice;
use device::locked;
pub use error::GpuError;
pub use flight::GpuTimes;
use flight::{Flight, Sink};
use kernel::Kernel;
use readout::Record;
pub use real::GpuReal;
use reduce::Reducer;
use shape::Shape;

use super::{Derivatives, EvaluateError, Evaluator, Rows};
use crate::network::Network;
use crate::operator::{Operator, Plan};

/// Evaluates a network and its derivatives on a GPU.
///
/// It agrees with the [`ScalarEvaluator`](super::ScalarEvaluator) to rounding. Batches are cut into chunks that fit the device;
/// points go up, are evaluated and results come down at the same time. A point's results do not depend on the chunks.
pub struct GpuEvaluator<R: GpuReal> {
    device: GpuDevice,
    plan: Plan,
    record: Arc<Record>,
    /// `None` where nothing is asked for.
    kernel: Option<Kernel>,
    /// `None` without operators.
    reducer: Option<Arc<Reducer>>,
    /// Buffers that no call is using. No lock is held while a call runs: a thread that waits in it for others of its pool may be
    /// given another call meanwhile.
    idle: Mutex<Vec<Flight>>,
    times: Mutex<GpuTimes>,
    inputs: usize,
    outputs: usize,
    operators: usize,
    operations: usize,
    number: PhantomData<R>,
}

impl<R: GpuReal> GpuEvaluator<R> {
    /// An evaluator with its kernels on a device. The driver may put off a part of their compilation to the first call.
    ///
    /// # Errors
    ///
    /// [`EvaluateError::Operator`] where an operator names an input or output that the network does not have;
    /// [`EvaluateError::Coefficient`] where a coefficient is too large for the float type; [`EvaluateError::Gpu`] where the
    /// device has no double precision and `R` is `f64`, does not have the memory or the limits, or is lost.
    pub fn new(
        device: &GpuDevice,
        network: &Network<R>,
        derivatives: Derivatives,
        operators: &[Operator],
    ) -> Result<Self, EvaluateError> {
        Self::on_path(device, network, derivatives, operators, false)
    }

    /// As [`new`](GpuEvaluator::new), but always layer by layer through the device's memory: the path of networks whose layers do
    /// not fit into the memory of a workgroup, open to others for comparison.
    ///
    /// # Errors
    ///
    /// As [`new`](GpuEvaluator::new).
    pub fn layer_by_layer(
        device: &GpuDevice,
        network: &Network<R>,
        derivatives: Derivatives,
        operators: &[Operator],
    ) -> Result<Self, EvaluateError> {
        Self::on_path(device, network, derivatives, operators, true)
    }

    fn on_path(
        device: &GpuDevice,
        network: &Network<R>,
        derivatives: Derivatives,
        operators: &[Operator],
        layered: bool,
    ) -> Result<Self, EvaluateError> {
        if R::DOUBLE && !device.info().f64 {
            return Err(GpuError::MissingF64 { adapter: device.name() }.into());
        }
        let (inputs, outputs) = (network.inputs(), network.outputs());
        let plan = if derivatives.gradient || derivatives.hessian {
            Plan::new(inputs, outputs, derivatives.gradient, derivatives.hessian, operators)?
        } else {
            Plan::folded(inputs, outputs, operators)?
        };
        let mut coefficients = operators.iter().flat_map(Operator::terms).map(|term| term.coefficient);
        if let Some(coefficient) = coefficients.find(|coefficient| R::literal(*coefficient).is_infinite()) {
            return Err(EvaluateError::Coefficient { coefficient });
        }
        let record = Record::new(inputs, outputs, derivatives, &plan);
        let shape = Shape::new(network, &plan, record.width());
        let asked = record.width() > 0;
        let kernel = asked.then(|| Kernel::new(device, network, &shape, &record, layered)).transpose()?;
        let operators = operators.len();
        let reducer = (operators > 0).then(|| Reducer::new::<R>(device, &record, operators)).transpose()?;
        Ok(Self {
            device: device.clone(),
            plan,
            record: Arc::new(record),
            kernel,
            reducer: reducer.map(Arc::new),
            idle: Mutex::default(),
            times: Mutex::default(),
            inputs,
            outputs,
            operators,
            operations: shape.operations(),
            number: PhantomData,
        })
    }

    /// The device.
    pub fn device(&self) -> &GpuDevice {
        &self.device
    }

    /// The channels: what is computed for every neuron.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Multiplications and additions of the matrix products for one point, each counted as one operation.
    pub fn operations_per_point(&self) -> usize {
        self.operations
    }

    /// How the work is cut, in words.
    pub fn explain(&self) -> String {
        match self.kernel.as_ref().map(Kernel::tile) {
            None => "nothing is computed".to_owned(),
            Some(None) => "layer by layer through the device's memory".to_owned(),
            Some(Some(tile)) => format!(
                "one dispatch, workgroups of {} threads for {} points, {} neurons by {} points for each thread",
                tile.threads,
                tile.tile(),
                tile.neurons,
                tile.points
            ),
        }
    }

    /// The mean over the points of the square of each operator, such as the mean square residual of a differential equation. The
    /// numbers of the points stay on the device; only sums come back, so that this takes hardly longer than the kernel.
    ///
    /// Squares are added in blocks of 256 points, on the device in the precision of the kernels, and the blocks in f64. NaN where
    /// there are no points.
    ///
    /// # Errors
    ///
    /// As [`evaluate_rows`](Evaluator::evaluate_rows).
    pub fn mean_square(&self, points: &[R]) -> Result<Vec<f64>, EvaluateError> {
        let count = self.count(points)?;
        let mut sums = vec![0.0; self.operators];
        if let (Some(kernel), Some(reducer)) = (&self.kernel, &self.reducer)
            && count > 0
        {
            self.fly(kernel, points, Sink::SquareSums(reducer, &mut sums))?;
        }
        Ok(sums.into_iter().map(|sum| sum / count as f64).collect())
    }

    /// Evaluates at `points`, row-major of shape (points, inputs), and leaves the results on the device.
    ///
    /// ```no_run
    /// # use tapeless::evaluate::gpu::GpuEvaluator;
    /// # fn look(evaluator: &GpuEvaluator<f32>, points: &[f32]) -> Result<(), tapeless::evaluate::EvaluateError> {
    /// let on_device = evaluator.evaluate_on_device(points)?;
    /// println!("mean square of each operator: {:?}", on_device.mean_square()?);
    /// println!("the first ten values: {:?}", on_device.read(0..10)?.value);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`evaluate_rows`](Evaluator::evaluate_rows), and [`GpuError::OutOfMemory`] where the device does not have the memory.
    pub fn evaluate_on_device(&self, points: &[R]) -> Result<GpuBatch<R>, EvaluateError> {
        let count = self.count(points)?;
        let reducer = self.reducer.clone();
        let (record, operators) = (Arc::clone(&self.record), self.operators);
        let batch = GpuBatch::new(&self.device, record, reducer, [count, self.inputs, self.outputs, operators])?;
        if let Some(kernel) = &self.kernel
            && count > 0
        {
            self.fly(kernel, points, Sink::Keep(batch.parts(), batch.points_of_a_part()))?;
        }
        Ok(batch)
    }

    fn fly(&self, kernel: &Kernel, points: &[R], sink: Sink<'_, R>) -> Result<(), GpuError> {
        let mut flight = locked(&self.idle).pop().unwrap_or_default();
        let times = flight.run(&self.device, kernel, points, sink);
        locked(&self.idle).push(flight);
        *locked(&self.times) = times?;
        Ok(())
    }

    /// The most floating-point operations per second that the device does in this float type: multiply-adds from registers to
    /// registers, measured in less than a second.
    ///
    /// # Errors
    ///
    /// [`GpuError`] where the device fails.
    pub fn fma_peak(&self) -> Result<f64, GpuError> {
        peak::fma_peak::<R>(&self.device)
    }

    /// What the last evaluation took.
    pub fn times(&self) -> GpuTimes {
        *locked(&self.times)
    }
}

impl<R: GpuReal> Evaluator<R> for GpuEvaluator<R> {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn outputs(&self) -> usize {
        self.outputs
    }

    fn derivatives(&self) -> Derivatives {
        self.record.derivatives()
    }

    fn operators(&self) -> usize {
        self.operators
    }

    /// Bytes of buffers for points, results and intermediate numbers, on the device and within reach of both. Calls at the same
    /// time have buffers of their own.
    fn workspace_bytes(&self) -> usize {
        locked(&self.idle).iter().map(Flight::bytes).sum::<u64>() as usize
    }

    fn evaluate_rows(&self, points: &[R], results: Rows<'_, R>) -> Result<(), EvaluateError> {
        self.check(points, &results)?;
        let Some(kernel) = &self.kernel else { return Ok(()) };
        let mut remaining = points.len() / self.inputs;
        if remaining == 0 {
            return Ok(());
        }
        let mut rows = Some(results);
        let mut take = |numbers: &[R]| {
            let count = numbers.len() / self.record.width();
            if let Some(all) = rows.take() {
                let (now, rest) = all.split(count, remaining);
                self.record.unpack(numbers, now);
                rows = Some(rest);
                remaining -= count;
            }
        };
        Ok(self.fly(kernel, points, Sink::Rows(&mut take))?)
    }
}
