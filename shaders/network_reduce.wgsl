// The squares of some results, summed over blocks of points in an order that does not depend on the device or the chunks. In front
// of this text stand the type `real` and the constants of the results.

struct Call {
    points: u32,
    groups_per_row: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> results: array<real>;
@group(0) @binding(2) var<storage, read_write> sums: array<real>;

const THREADS = 64u;

var<workgroup> parts: array<real, THREADS>;

/// A workgroup takes a block of points; a thread every 64th of them.
@compute @workgroup_size(THREADS)
fn square_sums(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let block = workgroup.y * call.groups_per_row + workgroup.x;
    for (var column = 0u; column < COLUMNS; column++) {
        var sum = real(0);
        for (var step = 0u; step < BLOCK / THREADS; step++) {
            let point = block * BLOCK + step * THREADS + thread;
            if (point < call.points) {
                let number = results[point * RESULTS + FIRST + column];
                sum = fma(number, number, sum);
            }
        }
        parts[thread] = sum;
        workgroupBarrier();
        for (var half = THREADS / 2u; half > 0u; half /= 2u) {
            if (thread < half) {
                parts[thread] += parts[thread + half];
            }
            workgroupBarrier();
        }
        if (thread == 0u && block * BLOCK < call.points) {
            sums[block * COLUMNS + column] = parts[0];
        }
        workgroupBarrier();
    }
}
