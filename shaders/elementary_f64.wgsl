// Elementary functions, part 1 for f64: the type, what stands for its bits, and the numbers that depend on it. Part 2 is
// elementary.wgsl. There are no bits of an f64 in WGSL, and the built-in exp, log, sin, .. silently return garbage.

alias real = f64;

/// x, in a way that a compiler can't look through: it may not take the rounding of x into account anew.
fn opaque(x: real) -> real {
    return select(x, 0.0, opaque_zero() != 0u);
}

/// Whether x is NaN. Compilers fold x == x.
fn is_nan(x: real) -> bool {
    return !(x == opaque(x));
}

/// The magnitude of the first with the sign of the second.
fn with_sign_of(magnitude: real, sign: real) -> real {
    return select(abs(magnitude), -abs(magnitude), sign < 0.0);
}

/// x with so few digits that its square is exact.
fn upper_half(x: real) -> real {
    return real(f32(x));
}

/// 2^n for n within the exponents of normal floats.
fn power_of_two(n: i32) -> real {
    return ldexp(real(1.0), n);
}

/// The whole number k with 2^k <= x < 2^(k+1), for a normal x > 0.
fn exponent_of(x: real) -> i32 {
    var exponent = 0;
    var rest = x;
    if rest < 1.0 {
        exponent = -1023;
        rest = rest * power_of_two(511) * power_of_two(512);
    }
    for (var step = 512; step > 0; step /= 2) {
        if rest >= power_of_two(step) {
            exponent += step;
            rest *= power_of_two(-step);
        }
    }
    return exponent;
}

/// The exponent of the smallest normal float.
const LOWEST_EXPONENT: i32 = -1022;
/// The digits of the significand.
const SIGNIFICAND: i32 = 53;
/// Arguments of exp below and above which it is 0 and infinite.
const EXPONENTIAL_LOW: real = -746.0;
const EXPONENTIAL_HIGH: real = 710.0;
/// ln 2 with trailing zeros, so that products with exponents are exact, and the rest.
const LN_2: real = 0.6931471805598903;
const LN_2_REST: real = 5.497923018708371e-14;
/// pi/2 in parts with trailing zeros, so that products with quadrants are exact, and the rest.
const HALF_PI_1: real = 1.5707963267341256;
const HALF_PI_2: real = 6.077100506303966e-11;
const HALF_PI_3: real = 2.0222662487959506e-21;
const HALF_PI_4: real = 0.0;
/// Arguments of sin and cos above which these parts don't suffice.
const TRIGONOMETRIC_LIMIT: real = 1000000.0;
/// Next to it lie the arguments at which the polynomial for erfc has most of its digits.
const COMPLEMENTARY_ERROR_CENTER: real = 3.75;
/// Constants as a float and what is missing from it.
const SQRT_8_OVER_PI: real = 1.5957691216057308;
const SQRT_8_OVER_PI_REST: real = -9.96930880911092e-17;
const CUBIC: real = 0.044715;
const CUBIC_REST: real = 2.1960211427085595e-18;
const FRAC_1_SQRT_2: real = 0.7071067811865476;
const FRAC_1_SQRT_2_REST: real = -4.833646656726457e-17;

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2.
fn exponential_tail(r: real) -> real {
    var sum: real = 1.6059043836821613e-10;
    sum = fma(sum, r, 2.08767569878681e-09);
    sum = fma(sum, r, 2.505210838544172e-08);
    sum = fma(sum, r, 2.755731922398589e-07);
    sum = fma(sum, r, 2.7557319223985893e-06);
    sum = fma(sum, r, 2.48015873015873e-05);
    sum = fma(sum, r, 0.0001984126984126984);
    sum = fma(sum, r, 0.001388888888888889);
    sum = fma(sum, r, 0.008333333333333333);
    sum = fma(sum, r, 0.041666666666666664);
    sum = fma(sum, r, 0.16666666666666666);
    sum = fma(sum, r, 0.5);
    return sum;
}

/// 2 atanh(s) / s by the square of s, for |s| <= 1/3.
fn inverse_hyperbolic_tangent_series(square: real) -> real {
    var sum: real = 0.05714285714285714;
    sum = fma(sum, square, 0.06060606060606061);
    sum = fma(sum, square, 0.06451612903225806);
    sum = fma(sum, square, 0.06896551724137931);
    sum = fma(sum, square, 0.07407407407407407);
    sum = fma(sum, square, 0.08);
    sum = fma(sum, square, 0.08695652173913043);
    sum = fma(sum, square, 0.09523809523809523);
    sum = fma(sum, square, 0.10526315789473684);
    sum = fma(sum, square, 0.11764705882352941);
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
    var sum: real = 2.8114572543455206e-15;
    sum = fma(sum, square, -7.647163731819816e-13);
    sum = fma(sum, square, 1.6059043836821613e-10);
    sum = fma(sum, square, -2.505210838544172e-08);
    sum = fma(sum, square, 2.7557319223985893e-06);
    sum = fma(sum, square, -0.0001984126984126984);
    sum = fma(sum, square, 0.008333333333333333);
    sum = fma(sum, square, -0.16666666666666666);
    return sum;
}

/// (cos(r) - 1) / r^2 by the square of r, for |r| <= pi/4.
fn cosine_series(square: real) -> real {
    var sum: real = -1.5619206968586225e-16;
    sum = fma(sum, square, 4.779477332387385e-14);
    sum = fma(sum, square, -1.1470745597729725e-11);
    sum = fma(sum, square, 2.08767569878681e-09);
    sum = fma(sum, square, -2.755731922398589e-07);
    sum = fma(sum, square, 2.48015873015873e-05);
    sum = fma(sum, square, -0.001388888888888889);
    sum = fma(sum, square, 0.041666666666666664);
    sum = fma(sum, square, -0.5);
    return sum;
}

/// erf(x) / x by the square of x, for |x| <= 0.9.
fn error_function_series(square: real) -> real {
    var sum: real = 4.763348040515068e-18;
    sum = fma(sum, square, -9.063970842808673e-17);
    sum = fma(sum, square, 1.6342614095367152e-15);
    sum = fma(sum, square, -2.7835162072109215e-14);
    sum = fma(sum, square, 4.4632242632864775e-13);
    sum = fma(sum, square, -6.7113668551641105e-12);
    sum = fma(sum, square, 9.422759064650411e-11);
    sum = fma(sum, square, -1.2290555301717928e-09);
    sum = fma(sum, square, 1.4807192815879218e-08);
    sum = fma(sum, square, -1.6365844691234924e-07);
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
    var sum: real = 4.434959070009628e-10;
    sum = fma(sum, t, 3.110310719839165e-10);
    sum = fma(sum, t, -5.28428698963143e-09);
    sum = fma(sum, t, -3.743568033634583e-09);
    sum = fma(sum, t, 3.8965452548985966e-08);
    sum = fma(sum, t, 2.3261913276696566e-08);
    sum = fma(sum, t, -2.591069687796658e-07);
    sum = fma(sum, t, -5.721597255990987e-08);
    sum = fma(sum, t, 1.752057970166318e-06);
    sum = fma(sum, t, -9.735619015182663e-07);
    sum = fma(sum, t, -1.1444412439172171e-05);
    sum = fma(sum, t, 2.2384240314224437e-05);
    sum = fma(sum, t, 5.1649211390702855e-05);
    sum = fma(sum, t, -0.0002901540809795271);
    sum = fma(sum, t, 0.0002937136342850081);
    sum = fma(sum, t, 0.0017556258530017257);
    sum = fma(sum, t, -0.009746579552504244);
    sum = fma(sum, t, 0.028362277418940665);
    sum = fma(sum, t, -0.058693398590212366);
    sum = fma(sum, t, 0.09230432116037876);
    sum = fma(sum, t, -0.10880393014171785);
    sum = fma(sum, t, 0.08227673849014516);
    sum = fma(sum, t, 0.003585415485463775);
    sum = fma(sum, t, -0.14024059858554697);
    sum = fma(sum, t, 1.2375126308378275);
    return sum;
}
