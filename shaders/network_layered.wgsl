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

/// Rows and columns of the part of a product that a workgroup makes, and inputs that it takes at a time.
const SIDE = 64u;
const SLAB = 16u;

var<workgroup> weight_slab: array<real, SLAB * SIDE>;
var<workgroup> front_slab: array<vec4<real>, SLAB * SIDE / 4u>;

/// back = weights * front, plus the biases in the values.
@compute @workgroup_size(256)
fn product(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let columns = CHANNELS * call.points;
    let row_parts = (call.outputs + SIDE - 1u) / SIDE;
    let part = workgroup.y * call.groups_per_row + workgroup.x;
    let first_row = (part % row_parts) * SIDE;
    let first_column = (part / row_parts) * SIDE;
    let row = (thread / 16u) * 4u;
    let quad = thread % 16u;
    var sum_0 = vec4<real>();
    var sum_1 = vec4<real>();
    var sum_2 = vec4<real>();
    var sum_3 = vec4<real>();
    for (var start = 0u; start < call.inputs; start += SLAB) {
        for (var index = thread; index < SLAB * SIDE; index += 256u) {
            let input = start + index / SIDE;
            let place = index % SIDE;
            var weight = real(0);
            if (input < call.inputs && first_row + place < call.outputs) {
                weight = parameters[call.weights + input * call.outputs + first_row + place];
            }
            weight_slab[index] = weight;
        }
        {
            let input = start + thread / 16u;
            var numbers = vec4<real>();
            if (input < call.inputs) {
                for (var k = 0u; k < 4u; k++) {
                    let column = first_column + quad * 4u + k;
                    if (column < columns) {
                        numbers[k] = front[input * columns + column];
                    }
                }
            }
            front_slab[thread] = numbers;
        }
        workgroupBarrier();
        for (var k = 0u; k < SLAB; k++) {
            let numbers = front_slab[k * 16u + quad];
            sum_0 = fma(vec4<real>(weight_slab[k * SIDE + row]), numbers, sum_0);
            sum_1 = fma(vec4<real>(weight_slab[k * SIDE + row + 1u]), numbers, sum_1);
            sum_2 = fma(vec4<real>(weight_slab[k * SIDE + row + 2u]), numbers, sum_2);
            sum_3 = fma(vec4<real>(weight_slab[k * SIDE + row + 3u]), numbers, sum_3);
        }
        workgroupBarrier();
    }
    write(first_row + row, first_column + quad * 4u, sum_0);
    write(first_row + row + 1u, first_column + quad * 4u, sum_1);
    write(first_row + row + 2u, first_column + quad * 4u, sum_2);
    write(first_row + row + 3u, first_column + quad * 4u, sum_3);
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
