// Elementary functions, part 1 for f32: the type, its bits, and the numbers that depend on it. Part 2 is elementary.wgsl.

alias real = f32;

/// x, in a way that a compiler can't look through: it may not take the rounding of x into account anew.
fn opaque(x: real) -> real {
    return bitcast<real>(bitcast<u32>(x) ^ opaque_zero());
}

/// Whether x is NaN; by its bits, because compilers may assume that a comparison meets none.
fn is_nan(x: real) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

/// The magnitude of the first with the sign of the second.
fn with_sign_of(magnitude: real, sign: real) -> real {
    return bitcast<real>((bitcast<u32>(magnitude) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

/// x with the lower half of its significand cleared, so that its square is exact.
fn upper_half(x: real) -> real {
    return bitcast<real>(bitcast<u32>(x) & 0xfffff000u);
}

/// 2^n for n within the exponents of normal floats.
fn power_of_two(n: i32) -> real {
    return bitcast<real>(u32(n + 127) << 23u);
}

/// The whole number k with 2^k <= x < 2^(k+1), for a normal x > 0.
fn exponent_of(x: real) -> i32 {
    return i32(bitcast<u32>(x) >> 23u) - 127;
}

/// The exponent of the smallest normal float.
const LOWEST_EXPONENT: i32 = -126;
/// The digits of the significand.
const SIGNIFICAND: i32 = 24;
/// Arguments of exp below and above which it is 0 and infinite.
const EXPONENTIAL_LOW: real = -104.0;
const EXPONENTIAL_HIGH: real = 89.0;
/// ln 2 with trailing zeros, so that products with exponents are exact, and the rest.
const LN_2: real = 0.693145751953125;
const LN_2_REST: real = 1.4286068203094173e-6;
/// pi/2 in parts with trailing zeros, so that products with quadrants are exact, and the rest.
const HALF_PI_1: real = 1.5703125;
const HALF_PI_2: real = 0.0004837512969970703;
const HALF_PI_3: real = 7.549533620476723e-8;
const HALF_PI_4: real = 2.5633440682570896e-12;
/// Arguments of sin and cos above which these parts don't suffice.
const TRIGONOMETRIC_LIMIT: real = 6000.0;
/// Next to it lie the arguments at which the polynomial for erfc has most of its digits.
const COMPLEMENTARY_ERROR_CENTER: real = 2.0;
/// Constants as a float and what is missing from it.
const SQRT_8_OVER_PI: real = 1.5957691669464111;
const SQRT_8_OVER_PI_REST: real = -4.534068054340423e-08;
const CUBIC: real = 0.044714998453855515;
const CUBIC_REST: real = 1.5461444347053543e-09;
const FRAC_1_SQRT_2: real = 0.7071067690849304;
const FRAC_1_SQRT_2_REST: real = 1.2101617485882343e-08;

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2.
fn exponential_tail(r: real) -> real {
    var sum: real = 0.0001984126984126984;
    sum = fma(sum, r, 0.001388888888888889);
    sum = fma(sum, r, 0.008333333333333333);
    sum = fma(sum, r, 0.041666666666666664);
    sum = fma(sum, r, 0.16666666666666666);
    sum = fma(sum, r, 0.5);
    return sum;
}

/// 2 atanh(s) / s by the square of s, for |s| <= 1/3.
fn inverse_hyperbolic_tangent_series(square: real) -> real {
    var sum: real = 0.11764705882352941;
    sum = fma(sum, square, 0.13333333333333333);
    sum = fma(sum, square, 0.15384615384615385);
    sum = fma(sum, square, 0.18181818181818182);
    sum = fma(sum, square, 0.2222222222222222);
    sum = fma(sum, square, 0.2857142857142857);
    sum = fma(sum, square, 0.4);
    sum = fma(sum, square, 0.6666666666666666);
    sum = fma(sum, square, 2.0);
    return sum;
}

/// (sin(r) - r) / r^3 by the square of r, for |r| <= pi/4.
fn sine_series(square: real) -> real {
    var sum: real = 2.7557319223985893e-06;
    sum = fma(sum, square, -0.0001984126984126984);
    sum = fma(sum, square, 0.008333333333333333);
    sum = fma(sum, square, -0.16666666666666666);
    return sum;
}

/// (cos(r) - 1) / r^2 by the square of r, for |r| <= pi/4.
fn cosine_series(square: real) -> real {
    var sum: real = -2.755731922398589e-07;
    sum = fma(sum, square, 2.48015873015873e-05);
    sum = fma(sum, square, -0.001388888888888889);
    sum = fma(sum, square, 0.041666666666666664);
    sum = fma(sum, square, -0.5);
    return sum;
}

/// erf(x) / x by the square of x, for |x| <= 0.9.
fn error_function_series(square: real) -> real {
    var sum: real = -1.6365844691234924e-07;
    sum = fma(sum, square, 1.6462114365889248e-06);
    sum = fma(sum, square, -1.492565035840625e-05);
    sum = fma(sum, square, 0.00012055332981789664);
    sum = fma(sum, square, -0.0008548327023450853);
    sum = fma(sum, square, 0.005223977625442188);
    sum = fma(sum, square, -0.026866170645131252);
    sum = fma(sum, square, 0.11283791670955126);
    sum = fma(sum, square, -0.37612638903183754);
    sum = fma(sum, square, 1.1283791670955126);
    return sum;
}

/// erfc(a) exp(a^2) (1 + 2a) at t = (a - c) / (a + c) with c = COMPLEMENTARY_ERROR_CENTER, for a >= 0; as in the CPU kernels.
fn scaled_complementary_error_function(t: real) -> real {
    var sum: real = -2.010893118916709e-05;
    sum = fma(sum, t, 6.310018545878825e-05);
    sum = fma(sum, t, 0.00022110545249492226);
    sum = fma(sum, t, -0.0003571778924625534);
    sum = fma(sum, t, -0.0014635116701689403);
    sum = fma(sum, t, 0.0012166654960141198);
    sum = fma(sum, t, 0.008724294537976395);
    sum = fma(sum, t, -0.008018635692177228);
    sum = fma(sum, t, -0.05422018605110092);
    sum = fma(sum, t, 0.16404939535070093);
    sum = fma(sum, t, -0.1660303912874539);
    sum = fma(sum, t, -0.09276375981353938);
    sum = fma(sum, t, 1.2769783815525286);
    return sum;
}
