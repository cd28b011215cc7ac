// Elementary functions, part 2: the functions, for either type of part 1. Accurate relative to their result for every finite
// argument; infinities give the limits; NaN stays.
//
// Compilers of drivers may reassociate sums, so every difference that has to be rounded where it stands goes through `opaque`.
// The includer defines `fn opaque_zero() -> u32`, which returns a 0 that it reads from a uniform.

const LOG2_E: real = 1.4426950408889634;
const FRAC_2_PI: real = 0.6366197723675814;
const FRAC_PI_2: real = 1.5707963267948966;
const SQRT_2: real = 1.4142135623730951;

fn infinity() -> real {
    return real(bitcast<f32>(0x7f800000u ^ opaque_zero()));
}

fn not_a_number() -> real {
    return real(bitcast<f32>(0x7fc00000u ^ opaque_zero()));
}

/// The result, or x where that is NaN: `min`, `max` and `clamp` drop it.
fn keep_nan(x: real, result: real) -> real {
    return select(result, x, is_nan(x));
}

struct ExponentialParts {
    n: i32,
    rest: real,
}

/// With x = n ln 2 + r: n, and exp(r) - 1.
fn exponential_parts(x: real) -> ExponentialParts {
    let n = round(x * LOG2_E);
    let r = fma(n, -LN_2_REST, opaque(x - n * LN_2));
    return ExponentialParts(i32(n), fma(r * r, exponential_tail(r), r));
}

/// e^x.
fn exponential(x: real) -> real {
    let parts = exponential_parts(clamp(x, EXPONENTIAL_LOW, EXPONENTIAL_HIGH));
    // In two steps, so that results below the normal numbers and at the end of the range come out.
    let half = parts.n / 2;
    let scale = power_of_two(half);
    return keep_nan(x, fma(scale, parts.rest, scale) * power_of_two(parts.n - half));
}

struct Decay {
    /// exp(-x)
    value: real,
    /// 1 - exp(-x)
    complement: real,
}

/// exp(-x) and 1 - exp(-x) for x >= 0.
fn decay(x: real) -> Decay {
    let parts = exponential_parts(max(-x, EXPONENTIAL_LOW));
    // 2^n as a normal number, and what is missing below them.
    let normal = max(parts.n, LOWEST_EXPONENT);
    let scale = power_of_two(normal);
    let value = fma(scale, parts.rest, scale) * power_of_two(parts.n - normal);
    let complement = fma(-scale, parts.rest, opaque(1.0 - scale));
    return Decay(keep_nan(x, value), keep_nan(x, complement));
}

struct HyperbolicTangent {
    value: real,
    slope: real,
}

/// tanh(x) and its slope, which goes through e = exp(-2|x|), since 1 - tanh^2 has no digits left at x = 20.
fn hyperbolic_tangent(x: real) -> HyperbolicTangent {
    let e = decay(2.0 * abs(x));
    let inverse = 1.0 / (1.0 + e.value);
    let slope = (2.0 * e.value) * (2.0 * inverse) * inverse;
    return HyperbolicTangent(with_sign_of(e.complement * inverse, x), slope);
}

/// ln(1 + x) for 0 <= x <= 1.
fn logarithm_of_one_plus(x: real) -> real {
    // ln(1 + x) = 2 atanh(s) with s = x / (2 + x), at most 1/3.
    let s = x / (x + 2.0);
    return s * inverse_hyperbolic_tangent_series(s * s);
}

/// ln(x).
fn logarithm(x: real) -> real {
    let subnormal = x < power_of_two(LOWEST_EXPONENT);
    let normal = select(x, x * power_of_two(SIGNIFICAND), subnormal);
    var k = exponent_of(normal);
    // In two steps, since 2^-k may not be a normal number.
    let half = k / 2;
    var m = normal * power_of_two(-half) * power_of_two(half - k);
    if m > SQRT_2 {
        m *= 0.5;
        k += 1;
    }
    k -= select(0, SIGNIFICAND, subnormal);
    let s = (m - 1.0) / (m + 1.0);
    var result = fma(real(k), LN_2, fma(real(k), LN_2_REST, s * inverse_hyperbolic_tangent_series(s * s)));
    if normal == 0.0 {
        result = -infinity();
    }
    if x < 0.0 {
        result = not_a_number();
    }
    if x == infinity() {
        result = x;
    }
    return keep_nan(x, result);
}

struct SineAndCosine {
    sine: real,
    cosine: real,
}

/// Sine and cosine.
fn sine_and_cosine(x: real) -> SineAndCosine {
    var reduced: ReducedAngle;
    if abs(x) <= TRIGONOMETRIC_LIMIT {
        let n = round(x * FRAC_2_PI);
        reduced.rest = opaque(x - n * HALF_PI_1);
        reduced.rest = opaque(reduced.rest - n * HALF_PI_2);
        reduced.rest = opaque(reduced.rest - n * HALF_PI_3);
        reduced.rest = fma(n, -HALF_PI_4, reduced.rest);
        reduced.quadrant = u32(i32(n));
    } else {
        reduced = reduce_large_angle(x);
    }
    let r = reduced.rest;
    let square = r * r;
    let sine = fma(square * r, sine_series(square), r);
    let cosine = fma(square, cosine_series(square), 1.0);
    let odd = (reduced.quadrant & 1u) != 0u;
    let upper = (reduced.quadrant & 2u) != 0u;
    let s = select(sine, cosine, odd);
    let c = select(cosine, sine, odd);
    // sin changes its sign in quadrants 2 and 3, cos in 1 and 2.
    return SineAndCosine(keep_nan(x, select(s, -s, upper)), keep_nan(x, select(c, -c, upper != odd)));
}

/// An angle as `quadrant` * pi/2 + `rest`, |rest| <= pi/4. Of the quadrant, the last two bits count.
struct ReducedAngle {
    quadrant: u32,
    rest: real,
}

/// The bits of 2/pi after the point.
const TWO_OVER_PI = array<u32, 37>(
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
    0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u,
    0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu,
    0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu,
    0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u,
);

/// 32 bits of 2/pi from bit `start` after the point on; before the point there are zeros.
fn bits_of_two_over_pi(start: i32) -> u32 {
    var words = TWO_OVER_PI;
    let first = start >> 5u;
    let shift = u32(start & 31);
    var high = 0u;
    var low = 0u;
    if first >= 0 {
        high = words[first];
    }
    if first >= -1 {
        low = words[first + 1];
    }
    // A shift by 32 would be one by 0.
    return (high << shift) | ((low >> 1u) >> (31u - shift));
}

/// a * b + c + d in 64 bits: the lower half, then the upper one.
fn wide_multiply_add(a: u32, b: u32, c: u32, d: u32) -> vec2<u32> {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low_low = a_low * b_low;
    let low_high = a_low * b_high;
    let high_low = a_high * b_low;
    let middle = (low_low >> 16u) + (low_high & 0xffffu) + (high_low & 0xffffu);
    let low = (low_low & 0xffffu) | (middle << 16u);
    let high = a_high * b_high + (low_high >> 16u) + (high_low >> 16u) + (middle >> 16u);
    let with_c = low + c;
    let with_d = with_c + d;
    return vec2(with_d, high + u32(with_c < c) + u32(with_d < d));
}

/// The quadrant and the rest of an angle above 2^12, by as many bits of 2/pi as matter (Payne and Hanek 1983).
fn reduce_large_angle(x: real) -> ReducedAngle {
    // |x| = (high 2^32 + low) 2^(exponent - 63)
    let exponent = exponent_of(abs(x));
    let scaled = abs(x) * power_of_two(31 - exponent);
    let high = u32(scaled);
    let low = u32((scaled - real(high)) * 4294967296.0);

    // |x| / (2 pi) modulo 1 in units of 2^-192: bits of 2/pi that make whole turns are left out.
    var bits: array<u32, 6>;
    for (var i = 0; i < 6; i++) {
        bits[i] = bits_of_two_over_pi(exponent - 65 + 32 * (5 - i));
    }
    var turns: array<u32, 6>;
    var carry = 0u;
    for (var i = 0; i < 6; i++) {
        let sum = wide_multiply_add(bits[i], low, carry, 0u);
        turns[i] = sum.x;
        carry = sum.y;
    }
    carry = 0u;
    for (var i = 0; i < 5; i++) {
        let sum = wide_multiply_add(bits[i], high, turns[i + 1], carry);
        turns[i + 1] = sum.x;
        carry = sum.y;
    }

    var quadrant = turns[5] >> 30u;
    // What is left of the quadrant, -1/2 to 1/2 of it.
    let above_half = (turns[5] & 0x20000000u) != 0u;
    let flip = select(0u, 0xffffffffu, above_half);
    quadrant += u32(above_half);
    var rest: real = 0.0;
    for (var i = 2; i < 6; i++) {
        rest = (rest + real(((turns[i] << 2u) | (turns[i - 1] >> 30u)) ^ flip)) * (1.0 / 4294967296.0);
    }
    rest *= FRAC_PI_2;
    rest = select(rest, -rest, above_half != (x < 0.0));
    // NaN for infinity.
    return ReducedAngle(select(quadrant, 0u - quadrant, x < 0.0), rest + (opaque(x) - x));
}

/// A sum of two floats, the second of which holds what the first can't.
struct Pair {
    high: real,
    low: real,
}

/// x * x as an exact leading part and the rest.
fn exact_square(x: real) -> Pair {
    let high = upper_half(x);
    return Pair(high * high, (x - high) * (x + high));
}

/// exp(-factor x^2) for a factor of 1 or 1/2, by a square that is not rounded. Zero from |x| = 100 on.
fn exponential_of_minus_square(x: real, factor: real) -> real {
    let square = exact_square(clamp(x, -100.0, 100.0));
    let scale = exponential(-factor * square.high);
    // Wherever the exponential of the leading part is not 0, this is small enough for the series.
    let low = -factor * square.low;
    return keep_nan(x, fma(scale, fma(low * low, exponential_tail(low), low), scale));
}

/// erfc(|x|).
fn complementary_error_function_of_magnitude(x: real) -> real {
    let a = min(abs(x), 100.0);
    let t = (a - COMPLEMENTARY_ERROR_CENTER) / (a + COMPLEMENTARY_ERROR_CENTER);
    return exponential_of_minus_square(a, 1.0) * scaled_complementary_error_function(t) / (2.0 * a + 1.0);
}

/// The error function.
fn error_function(x: real) -> real {
    let small = min(abs(x), 0.9);
    let near = small * error_function_series(small * small);
    let far = 1.0 - complementary_error_function_of_magnitude(x);
    return keep_nan(x, with_sign_of(select(near, far, abs(x) > 0.9), x));
}

/// The complementary error function 1 - erf(x).
fn complementary_error_function(x: real) -> real {
    let right = complementary_error_function_of_magnitude(x);
    return keep_nan(x, select(right, 2.0 - right, x < 0.0));
}
