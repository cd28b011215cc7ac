//! One device for all tests, and a kernel that maps a WGSL function over numbers.

use std::io::{Write, stderr};
use std::sync::OnceLock;

use bytemuck::Pod;

/// A device that is ready.
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    is_software: bool,
}

/// A float type in WGSL.
pub trait Element: Pod {
    /// Whether it is f64.
    const DOUBLE: bool;
}

impl Element for f32 {
    const DOUBLE: bool = false;
}

impl Element for f64 {
    const DOUBLE: bool = true;
}

/// The software adapter of this machine, or else its first one. Without any, the test is skipped, or fails where `TAPELESS_REQUIRE_GPU`
/// is 1.
pub fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let gpu = GPU.get_or_init(|| pollster::block_on(open())).as_ref();
    if gpu.is_none() {
        let required = std::env::var("TAPELESS_REQUIRE_GPU").is_ok_and(|value| value == "1");
        assert!(!required, "no GPU adapter, not even a software one, though TAPELESS_REQUIRE_GPU=1");
        say("SKIPPED: no GPU adapter, not even a software one; nothing of the GPU's arithmetic was tested");
    }
    gpu
}

async fn open() -> Option<Gpu> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
    let is_software = |adapter: &wgpu::Adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu;
    let adapter = adapters.into_iter().max_by_key(is_software)?;
    let is_software = is_software(&adapter);
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor {
            required_features: adapter.features() & wgpu::Features::SHADER_F64,
            required_limits: adapter.limits(),
            ..Default::default()
        })
        .await
        .unwrap();
    Some(Gpu { device, queue, is_software })
}

/// Past the test program's capture, which hides what passing tests print.
fn say(message: &str) {
    stderr().write_all(format!("{message}\n").as_bytes()).unwrap();
}

impl Gpu {
    /// By which factor bounds on errors are wider than those in the documents, which are for software adapters.
    pub fn slack(&self) -> f64 {
        if self.is_software { 1.0 } else { 2.0 }
    }

    /// Whether it computes with this type.
    pub fn has<R: Element>(&self) -> bool {
        let has = !R::DOUBLE || self.device.features().contains(wgpu::Features::SHADER_F64);
        if !has {
            say("SKIPPED: f64, which the adapter lacks");
        }
        has
    }

    /// The results of `fn evaluate(x: array<real, K>) -> array<real, M>` of this text for all inputs.
    pub fn map<R: Element, const K: usize, const M: usize>(&self, text: &str, inputs: &[[R; K]]) -> Vec<[R; M]> {
        let text = format!(
            "@group(0) @binding(0) var<uniform> zero: vec4<u32>;
            @group(0) @binding(1) var<storage, read> inputs: array<array<real, {K}>>;
            @group(0) @binding(2) var<storage, read_write> outputs: array<array<real, {M}>>;
            fn opaque_zero() -> u32 {{ return zero.x; }}
            @compute @workgroup_size(64) fn map(@builtin(global_invocation_id) id: vec3<u32>) {{
                if id.x + opaque_zero() < arrayLength(&inputs) {{ outputs[id.x] = evaluate(inputs[id.x]); }}
            }}
            {text}"
        );
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            cache: None,
        });
        let buffer = |size: usize, usage| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: size as u64,
                usage,
                mapped_at_creation: false,
            })
        };
        let size = inputs.len() * size_of::<[R; M]>();
        let zero = buffer(16, wgpu::BufferUsages::UNIFORM);
        let input = buffer(size_of_val(inputs), wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
        let output = buffer(size, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let back = buffer(size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let numbers: Vec<R> = inputs.as_flattened().to_vec();
        self.queue.write_buffer(&input, 0, bytemuck::cast_slice(&numbers));
        let entries = [&zero, &input, &output];
        let entries: Vec<_> = (0..)
            .zip(entries)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(inputs.len().div_ceil(64) as u32, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&output, 0, &back, 0, size as u64);
        encoder.map_buffer_on_submit(&back, wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
        self.queue.submit([encoder.finish()]);
        self.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let mapped = back.get_mapped_range(..).unwrap();
        let numbers: Vec<R> = bytemuck::pod_collect_to_vec(&mapped);
        numbers.as_chunks().0.to_vec()
    }
}
