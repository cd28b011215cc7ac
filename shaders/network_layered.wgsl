// A network layer by layer through the device's memory, for shapes whose tiles do not fit a workgroup's. In front of this text
// stand the constants of the plan, the arithmetic and `activate`, the activation of the layer.
//
// A row is a neuron; in a row follows channel after channel; in a channel point after point.

struct Call {
    /// 0, which the compiler does not know.
    zero: u32,
    points: u32,
    /// Workgroups in a row of the dispatch, which has two dimensions since one alone is too short.
    groups_per_row: u32,
    /// Of the layer.
    inputs: u32,
    outputs: u32,
    /// Where its weights (by input and neuron) and biases start.
    weights: u32,
    biases: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
@group(0) @binding(3) var<storage, read> tables: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: array<real>;
@group(0) @binding(5) var<storage, read> front: array<real>;
@group(0) @binding(6) var<storage, read_write> back: array<real>;

fn opaque_zero() -> u32 {
    return call.zero;
}

const THREADS = 64u;

/// The inputs as rows: the value is the coordinate, the other channels are the same for all points.
@compute @workgroup_size(THREADS)
fn seed(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let index = (workgroup.y * call.groups_per_row + workgroup.x) * THREADS + thread;
    let input = index / call.points;
    let point = index % call.points;
    if (input < INPUTS) {
        let start = input * CHANNELS * call.points + point;
        back[start] = points[point * INPUTS + input];
        for (var channel = 1u; channel < CHANNELS; channel++) {
            back[start + channel * call.points] = parameters[SEEDS + input * CHANNELS + channel];
        }
    }
}

/// Rows and columns of the part of a product that a workgroup makes, and inputs that it takes at a time. A thread makes 8 rows by 8
/// columns, in two quads each, 32 apart.
const SIDE = 64u;
const SLAB = 16u;
const QUADS = SIDE / 4u;

var<workgroup> weight_slab: array<vec4<real>, SLAB * QUADS>;
var<workgroup> front_slab: array<vec4<real>, SLAB * QUADS>;

/// Weights of four neurons for an input; 0 where there are none.
fn weights_of(input: u32, row: u32) -> vec4<real> {
    var weights = vec4<real>();
    if (input < call.inputs) {
        let start = call.weights + input * call.outputs + row;
        if (row < call.outputs) {
            weights.x = parameters[start];
        }
        if (row + 1u < call.outputs) {
            weights.y = parameters[start + 1u];
        }
        if (row + 2u < call.outputs) {
            weights.z = parameters[start + 2u];
        }
        if (row + 3u < call.outputs) {
            weights.w = parameters[start + 3u];
        }
    }
    return weights;
}

/// Four columns of a row; 0 where there are none.
fn columns_of(row: u32, column: u32) -> vec4<real> {
    var numbers = vec4<real>();
    let columns = CHANNELS * call.points;
    if (row < call.inputs) {
        let start = row * columns + column;
        if (column < columns) {
            numbers.x = front[start];
        }
        if (column + 1u < columns) {
            numbers.y = front[start + 1u];
        }
        if (column + 2u < columns) {
            numbers.z = front[start + 2u];
        }
        if (column + 3u < columns) {
            numbers.w = front[start + 3u];
        }
    }
    return numbers;
}

/// back = weights * front, plus the biases in the values.
@compute @workgroup_size(THREADS)
fn product(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row_parts = (call.outputs + SIDE - 1u) / SIDE;
    let part = workgroup.y * call.groups_per_row + workgroup.x;
    let first_row = (part % row_parts) * SIDE;
    let first_column = (part / row_parts) * SIDE;
    let row = thread / 8u;
    let column = thread % 8u;
    var sum_0_0 = vec4<real>();
    var sum_0_1 = vec4<real>();
    var sum_1_0 = vec4<real>();
    var sum_1_1 = vec4<real>();
    var sum_2_0 = vec4<real>();
    var sum_2_1 = vec4<real>();
    var sum_3_0 = vec4<real>();
    var sum_3_1 = vec4<real>();
    var sum_4_0 = vec4<real>();
    var sum_4_1 = vec4<real>();
    var sum_5_0 = vec4<real>();
    var sum_5_1 = vec4<real>();
    var sum_6_0 = vec4<real>();
    var sum_6_1 = vec4<real>();
    var sum_7_0 = vec4<real>();
    var sum_7_1 = vec4<real>();
    for (var start = 0u; start < call.inputs; start += SLAB) {
        for (var index = thread; index < SLAB * QUADS; index += THREADS) {
            let input = start + index / QUADS;
            let quad = (index % QUADS) * 4u;
            weight_slab[index] = weights_of(input, first_row + quad);
            front_slab[index] = columns_of(input, first_column + quad);
        }
        workgroupBarrier();
        for (var k = 0u; k < SLAB; k++) {
            let weights_0 = weight_slab[k * QUADS + row];
            let weights_1 = weight_slab[k * QUADS + row + 8u];
            let front_0 = front_slab[k * QUADS + column];
            let front_1 = front_slab[k * QUADS + column + 8u];
            sum_0_0 = fma(vec4<real>(weights_0.x), front_0, sum_0_0);
            sum_0_1 = fma(vec4<real>(weights_0.x), front_1, sum_0_1);
            sum_1_0 = fma(vec4<real>(weights_0.y), front_0, sum_1_0);
            sum_1_1 = fma(vec4<real>(weights_0.y), front_1, sum_1_1);
            sum_2_0 = fma(vec4<real>(weights_0.z), front_0, sum_2_0);
            sum_2_1 = fma(vec4<real>(weights_0.z), front_1, sum_2_1);
            sum_3_0 = fma(vec4<real>(weights_0.w), front_0, sum_3_0);
            sum_3_1 = fma(vec4<real>(weights_0.w), front_1, sum_3_1);
            sum_4_0 = fma(vec4<real>(weights_1.x), front_0, sum_4_0);
            sum_4_1 = fma(vec4<real>(weights_1.x), front_1, sum_4_1);
            sum_5_0 = fma(vec4<real>(weights_1.y), front_0, sum_5_0);
            sum_5_1 = fma(vec4<real>(weights_1.y), front_1, sum_5_1);
            sum_6_0 = fma(vec4<real>(weights_1.z), front_0, sum_6_0);
            sum_6_1 = fma(vec4<real>(weights_1.z), front_1, sum_6_1);
            sum_7_0 = fma(vec4<real>(weights_1.w), front_0, sum_7_0);
            sum_7_1 = fma(vec4<real>(weights_1.w), front_1, sum_7_1);
        }
        workgroupBarrier();
    }
    write(first_row + row * 4u + 0u, first_column + column * 4u, sum_0_0);
    write(first_row + row * 4u + 0u, first_column + column * 4u + 32u, sum_0_1);
    write(first_row + row * 4u + 1u, first_column + column * 4u, sum_1_0);
    write(first_row + row * 4u + 1u, first_column + column * 4u + 32u, sum_1_1);
    write(first_row + row * 4u + 2u, first_column + column * 4u, sum_2_0);
    write(first_row + row * 4u + 2u, first_column + column * 4u + 32u, sum_2_1);
    write(first_row + row * 4u + 3u, first_column + column * 4u, sum_3_0);
    write(first_row + row * 4u + 3u, first_column + column * 4u + 32u, sum_3_1);
    write(first_row + row * 4u + 32u, first_column + column * 4u, sum_4_0);
    write(first_row + row * 4u + 32u, first_column + column * 4u + 32u, sum_4_1);
    write(first_row + row * 4u + 33u, first_column + column * 4u, sum_5_0);
    write(first_row + row * 4u + 33u, first_column + column * 4u + 32u, sum_5_1);
    write(first_row + row * 4u + 34u, first_column + column * 4u, sum_6_0);
    write(first_row + row * 4u + 34u, first_column + column * 4u + 32u, sum_6_1);
    write(first_row + row * 4u + 35u, first_column + column * 4u, sum_7_0);
    write(first_row + row * 4u + 35u, first_column + column * 4u + 32u, sum_7_1);
}

/// Four columns of a product, as far as they are there.
fn write(row: u32, column: u32, sum: vec4<real>) {
    let columns = CHANNELS * call.points;
    if (row < call.outputs) {
        for (var k = 0u; k < 4u; k++) {
            if (column + k < columns) {
                var number = sum[k];
                if (column + k < call.points) {
                    number += parameters[call.biases + row];
                }
                back[row * columns + column + k] = number;
            }
        }
    }
}

/// Pushes the channels of each neuron on through the activation, in place: forms first, since they need the first partials as they
/// were.
@compute @workgroup_size(THREADS)
fn push(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let index = (workgroup.y * call.groups_per_row + workgroup.x) * THREADS + thread;
    let neuron = index / call.points;
    if (neuron < call.outputs) {
        let start = neuron * CHANNELS * call.points + index % call.points;
        let jet = activate(back[start]);
        for (var form = 0u; form < FORMS; form++) {
            var curvature = real(0);
            for (var term = tables[FORM_TABLE + form]; term < tables[FORM_TABLE + form + 1u]; term++) {
                let i = tables[TERM_TABLE + 2u * term];
                let j = tables[TERM_TABLE + 2u * term + 1u];
                let product = back[start + (1u + i) * call.points] * back[start + (1u + j) * call.points];
                curvature = fma(parameters[FORM_WEIGHTS + term], product, curvature);
            }
            let place = start + (1u + FIRSTS + form) * call.points;
            back[place] = fma(jet.first, back[place], jet.second * curvature);
        }
        for (var i = 0u; i < FIRSTS; i++) {
            back[start + (1u + i) * call.points] *= jet.first;
        }
        back[start] = jet.value;
    }
}

/// The numbers of each point from the channels of the outputs.
@compute @workgroup_size(THREADS)
fn read_off(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let index = (workgroup.y * call.groups_per_row + workgroup.x) * THREADS + thread;
    let point = index / RESULTS;
    if (point < call.points) {
        let result = READOUT_TABLE + index % RESULTS;
        var sum = real(0);
        for (var term = tables[result]; term < tables[result + 1u]; term++) {
            let channel = tables[READOUT_TABLE + term];
            let factor = parameters[FACTORS + term - (RESULTS + 1u)];
            sum = fma(factor, front[channel * call.points + point], sum);
        }
        results[index] = sum;
    }
}
