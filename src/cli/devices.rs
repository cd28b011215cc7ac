//! `tapeless devices`: the adapters of this machine.

use tapeless::evaluate::gpu::{AdapterInfo, adapters};

use super::error::CommandError;
use super::report;

/// Prints every adapter and the CPU engine.
pub fn run() -> Result<(), CommandError> {
    report::line("cpu    the CPU engine, always there (--device cpu, the default)");
    let adapters = adapters();
    for AdapterInfo {
        index,
        name,
        kind,
        driver,
        backend,
        largest_buffer,
        largest_binding,
        workgroup_memory,
        workgroup_threads,
        f64,
        timestamps,
        ..
    } in &adapters
    {
        let [f64, timestamps] = [f64, timestamps].map(|has| if *has { "yes" } else { "no" });
        report::line(format_args!("gpu:{index}  {name}"));
        report::line(format_args!("       kind      {kind}"));
        report::line(format_args!("       driver    {driver}, through {backend}"));
        report::line(format_args!(
            "       memory    buffers up to {}, bindings up to {}",
            report::bytes(*largest_buffer),
            report::bytes(*largest_binding),
        ));
        report::line(format_args!(
            "       workgroup {} of memory, {} threads",
            report::bytes(u64::from(*workgroup_memory)),
            report::count(*workgroup_threads as usize),
        ));
        report::line(format_args!("       f64       {f64}"));
        report::line(format_args!("       clock     {timestamps}"));
    }
    if adapters.is_empty() {
        report::line(
            "no GPU adapter was found: install the driver of the GPU, on Linux with its Vulkan part and libvulkan1",
        );
    }
    Ok(())
}
