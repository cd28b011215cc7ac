//! The texts of kernels without any GPU: each is parsed and validated by naga, and its shared memory is counted.

use super::readout::Record;
use super::real::ShaderReal;
use super::shape::{Limits, Shape, Tile};
use super::{layered, peak, reduce, text};
use crate::evaluate::Derivatives;
use crate::network::{Activation, Layer, Network};
use crate::operator::{Names, Operator, Plan};

/// The smallest limits that an interface promises, those of most software and integrated adapters, and large ones.
const LIMITS: [Limits; 3] = [
    Limits { memory: 16 << 10, threads: 256 },
    Limits { memory: 32 << 10, threads: 1024 },
    Limits { memory: 64 << 10, threads: 1024 },
];

fn network<R: ShaderReal>(widths: &[usize], activations: &[&str]) -> Network<R> {
    let layers = widths.windows(2).enumerate().map(|(position, pair)| {
        let activation: Activation = activations[position % activations.len()].parse().unwrap();
        let weights = (0..pair[0] * pair[1]).map(|k| R::literal(k as f64)).collect();
        let bias = (0..pair[1]).map(|k| R::literal(k as f64)).collect();
        Layer::new(pair[0], pair[1], weights, bias, activation).unwrap()
    });
    Network::new(layers.collect()).unwrap()
}

struct Planned<R> {
    network: Network<R>,
    shape: Shape,
    record: Record,
}

fn planned<R: ShaderReal>(
    widths: &[usize],
    activations: &[&str],
    derivatives: Derivatives,
    operators: &[Operator],
) -> Planned<R> {
    let network = network::<R>(widths, activations);
    let (inputs, outputs) = (network.inputs(), network.outputs());
    let plan = if derivatives.gradient || derivatives.hessian {
        Plan::new(inputs, outputs, derivatives.gradient, derivatives.hessian, operators)
    } else {
        Plan::folded(inputs, outputs, operators)
    };
    let plan = plan.unwrap();
    let record = Record::new(inputs, outputs, derivatives, &plan);
    let shape = Shape::new(&network, &plan, record.width());
    Planned { network, shape, record }
}

/// The text for Metal and for DirectX, in which some of WGSL is missing.
fn written_for_metal_and_directx(text: &str) -> [String; 2] {
    let module = naga::front::wgsl::parse_str(text).unwrap();
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
        .validate(&module)
        .unwrap();
    let (metal, metal_info) =
        naga::back::msl::write_string(&module, &info, &Default::default(), &Default::default()).unwrap();
    assert!(metal_info.entry_point_names.iter().all(Result::is_ok));
    let (mut directx, options, pipeline) = (String::new(), Default::default(), Default::default());
    let mut writer = naga::back::hlsl::Writer::new(&mut directx, &options, &pipeline);
    let directx_info = writer.write(&module, &info, None).unwrap();
    assert!(directx_info.entry_point_names.iter().all(Result::is_ok));
    [metal, directx]
}

#[test]
fn kernels_can_be_written_for_metal_and_directx() {
    let heat = planned::<f32>(&HEAT, &["tanh"], Derivatives::ALL, &[]);
    let tile = Tile::choose(&heat.shape, 4, LIMITS[1]).unwrap();
    let texts = [
        text::text::<f32>(&heat.shape, &tile),
        layered::text_of(&heat.network, &heat.shape, &heat.record),
        reduce::text::<f32>(5, 2),
        peak::text::<f32>(),
    ];
    for text in texts {
        assert!(written_for_metal_and_directx(&text).iter().all(|written| !written.is_empty()));
    }
    for name in Activation::NAMES {
        let name = name.split('[').next().unwrap();
        let shape = planned::<f32>(&[2, 8, 1], &[name], Derivatives::ALL, &[]).shape;
        let tile = Tile::choose(&shape, 4, LIMITS[1]).unwrap();
        written_for_metal_and_directx(&text::text::<f32>(&shape, &tile));
    }
}

/// Asserts that naga takes the text, and gives the bytes of its shared memory.
fn validated(text: &str) -> u32 {
    let module =
        naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{}\n{text}", error.emit_to_string(text)));
    naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::FLOAT64)
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}\n{text}", error.emit_to_string(text)));
    let shared = module.global_variables.iter().filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup);
    shared.map(|(_, variable)| module.types[variable.ty].inner.size(module.to_ctx())).sum()
}

fn check<R: ShaderReal>(widths: &[usize], activations: &[&str], derivatives: Derivatives, operators: &[Operator]) {
    let Planned { network, shape, record } = planned::<R>(widths, activations, derivatives, operators);
    let bytes = size_of::<R>();
    let mut last = None;
    for limits in LIMITS {
        let Some(tile) = Tile::choose(&shape, bytes, limits) else { continue };
        if last == Some(tile) {
            continue;
        }
        last = Some(tile);
        assert!(tile.memory(&shape, bytes) <= limits.memory && tile.threads <= limits.threads, "{widths:?} {tile:?}");
        let text = text::text::<R>(&shape, &tile);
        assert_eq!(validated(&text) as usize, tile.memory(&shape, bytes), "{widths:?} {tile:?}");
        let parameters = text::parameters(&network, &shape, &tile, record.factors());
        assert!(parameters.len() >= network.parameters() && parameters.len().is_multiple_of(4));
    }
}

const HEAT: [usize; 6] = [3, 64, 64, 64, 64, 1];

#[test]
fn kernels_of_many_shapes_are_valid() {
    for width in [1, 7, 64, 100, 256] {
        for depth in [1, 4, 8] {
            let widths = [vec![3], vec![width; depth], vec![1]].concat();
            check::<f32>(&widths, &["tanh"], Derivatives::ALL, &[]);
        }
    }
    for inputs in 1..=6 {
        check::<f32>(&[inputs, 32, 32, 3], &["tanh"], Derivatives::ALL, &[Operator::laplacian(2, 0..inputs)]);
        check::<f64>(&[inputs, 32, 32, 3], &["tanh"], Derivatives::ALL, &[]);
        check::<f32>(&[inputs, 3], &["sigmoid"], Derivatives::ALL, &[]);
    }
    check::<f64>(&HEAT, &["tanh"], Derivatives::ALL, &[]);
    check::<f32>(&HEAT, &["tanh"], Derivatives::VALUE, &[]);
    check::<f32>(&HEAT, &["tanh"], Derivatives::GRADIENT, &[]);
    check::<f32>(&HEAT, &["tanh"], Derivatives::VALUE, &[Operator::first(0, 2) - 0.05 * Operator::laplacian(0, [0, 1])]);
    check::<f32>(&[2, 30, 20, 7, 300, 2], &["silu", "sin:30", "gelu", "softplus:3"], Derivatives::ALL, &[]);
}

#[test]
fn kernels_of_every_activation_are_valid() {
    for name in Activation::NAMES {
        let (name, parameter) = name.split_once('[').unwrap_or((name, ""));
        let text = if parameter.is_empty() { name.to_owned() } else { format!("{name}:0.3") };
        check::<f32>(&[2, 8, 8, 1], &[&text], Derivatives::ALL, &[]);
        check::<f64>(&[2, 8, 8, 1], &[&text], Derivatives::ALL, &[]);
    }
}

#[test]
fn coefficients_of_any_size_can_be_written() {
    let tiny = Operator::second(0, 0, 0) + 1e-40 * Operator::second(0, 1, 1) - 1e-300 * Operator::second(0, 0, 1);
    check::<f32>(&[2, 8, 1], &["tanh"], Derivatives::VALUE, std::slice::from_ref(&tiny));
    check::<f64>(&[2, 8, 1], &["tanh"], Derivatives::VALUE, &[tiny]);
}

#[test]
fn forms_of_one_first_partial_can_be_written() {
    let texts = ["u_xx + u_x", "u_xx - u_x", "2*u_xx + u_x", "u_xx + u_yy", "u_yy"];
    let names = Names::new(["x", "y"], ["u"]).unwrap();
    let operators: Vec<Operator> = texts.iter().map(|text| Operator::parse(text, &names).unwrap()).collect();
    let nothing = Derivatives { value: false, gradient: false, hessian: false };
    for count in 1..=operators.len() {
        check::<f32>(&[2, 8, 8, 1], &["tanh"], nothing, &operators[..count]);
    }
}

#[test]
fn kernels_layer_by_layer_are_valid() {
    for derivatives in [Derivatives::VALUE, Derivatives::GRADIENT, Derivatives::ALL] {
        let single = planned::<f32>(&[20, 9, 1], &["mish"], derivatives, &[Operator::laplacian(0, 0..20)]);
        let double = planned::<f64>(&[3, 1024, 2], &["elu:0.5"], derivatives, &[]);
        let texts = [
            layered::text_of(&single.network, &single.shape, &single.record),
            layered::text_of(&double.network, &double.shape, &double.record),
        ];
        for text in texts {
            assert!(validated(&text) <= 16 << 10);
        }
    }
}

#[test]
fn the_kernels_of_sums_and_of_the_peak_are_valid() {
    assert_eq!(validated(&peak::text::<f32>()) + validated(&peak::text::<f64>()), 0);
    assert_eq!(validated(&reduce::text::<f32>(5, 2)), 64 * 4);
    assert_eq!(validated(&reduce::text::<f64>(1, 1)), 64 * 8);
}

#[test]
fn the_tile_uses_the_memory_that_there_is() {
    let heat = planned::<f32>(&HEAT, &["tanh"], Derivatives::ALL, &[]).shape;
    let tiles = LIMITS.map(|limits| Tile::choose(&heat, 4, limits).unwrap());
    assert!(tiles[0].tile() < tiles[2].tile(), "{tiles:?}");
    // Far too wide for the memory of a workgroup, and too many channels for the registers of a thread.
    let wide = planned::<f32>(&[3, 4096, 4096, 1], &["tanh"], Derivatives::ALL, &[]).shape;
    let high = planned::<f32>(&[30, 8, 1], &["tanh"], Derivatives::ALL, &[]).shape;
    for shape in [wide, high] {
        assert!(LIMITS.iter().all(|&limits| Tile::choose(&shape, 4, limits).is_none()));
    }
}
