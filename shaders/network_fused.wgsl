// A network in one dispatch: a workgroup carries a tile of points through all layers in its own memory. In front of this text
// stand the constants of the shape and the arithmetic; the generator puts the layers in the place of LAYERS.
//
// A row of `activations` is a neuron; in a row follows a group of points after the other; in a group there is for each of its
// POINTS points each of the CHANNELS channels, in VECTORS vectors of four. `outputs` is laid out alike.

struct Call {
    /// 0, which the compiler does not know.
    zero: u32,
    points: u32,
    /// Tiles in a row of the dispatch, which has two dimensions since one alone is too short.
    tiles_per_row: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<Weights>;
@group(0) @binding(3) var<storage, read> readout: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: array<real>;

var<workgroup> activations: array<vec4<real>, ACTIVATIONS>;
var<workgroup> outputs: array<vec4<real>, OUTPUTS * GROUPS * VECTORS>;

fn opaque_zero() -> u32 {
    return call.zero;
}

/// A coordinate of a point of the dispatch; of the last point where there are no more.
fn coordinate(point: u32, input: u32) -> real {
    return points[min(point, call.points - 1u) * INPUTS + input];
}

@compute @workgroup_size(THREADS)
fn fused(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let tile = (workgroup.y * call.tiles_per_row + workgroup.x) * GROUPS * POINTS;

    // LAYERS

    workgroupBarrier();
    for (var index = thread; index < GROUPS * POINTS * RESULTS; index += THREADS) {
        let point = index / RESULTS;
        if (tile + point < call.points) {
            let result = index % RESULTS;
            var sum = real(0);
            for (var term = readout[result]; term < readout[result + 1u]; term++) {
                let output = readout[term] / CHANNELS;
                let column = (point % POINTS) * CHANNELS + readout[term] % CHANNELS;
                let vector = (output * GROUPS + point / POINTS) * VECTORS + column / 4u;
                sum = fma(factor(term - (RESULTS + 1u)), outputs[vector][column % 4u], sum);
            }
            results[tile * RESULTS + index] = sum;
        }
    }
}
