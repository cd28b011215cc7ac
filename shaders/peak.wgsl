// Multiply-adds from registers to registers, to measure the most that a device can do. In front of this text stands the type
// `real`.

struct Call {
    /// 0, which the compiler does not know.
    zero: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read_write> results: array<real>;

@compute @workgroup_size(THREADS)
fn peak(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    // Chains that are independent of each other and go towards 1.
    let factor = vec4<real>(real(0.5) + real(call.zero));
    let start = vec4<real>(real(thread));
    var a = start;
    var b = start + real(1);
    var c = start + real(2);
    var d = start + real(3);
    var e = start + real(4);
    var f = start + real(5);
    var g = start + real(6);
    var h = start + real(7);
    for (var round = 0u; round < ROUNDS; round++) {
        a = fma(a, factor, factor);
        b = fma(b, factor, factor);
        c = fma(c, factor, factor);
        d = fma(d, factor, factor);
        e = fma(e, factor, factor);
        f = fma(f, factor, factor);
        g = fma(g, factor, factor);
        h = fma(h, factor, factor);
    }
    let sum = a + b + c + d + e + f + g + h;
    results[workgroup.x * THREADS + thread] = sum.x + sum.y + sum.z + sum.w;
}
