// The activations of networks with their first and second derivatives: the rules of src/number/rule/ over elementary.wgsl.
// Why each formula stands as it does is told there. `parameter` is that of the activation, unused where there is none.

/// Value and derivatives of a function at a point.
struct Jet {
    value: real,
    first: real,
    second: real,
}

/// The jet, or NaN where x is NaN.
fn keep_nan_in_jet(x: real, jet: Jet) -> Jet {
    return Jet(keep_nan(x, jet.value), keep_nan(x, jet.first), keep_nan(x, jet.second));
}

/// The jet of x times a function that has the jet g at x.
fn times_argument(x: real, g: Jet) -> Jet {
    return Jet(x * g.value, x * g.first + g.value, x * g.second + 2.0 * g.first);
}

fn select_jet(no: Jet, yes: Jet, condition: bool) -> Jet {
    return Jet(
        select(no.value, yes.value, condition),
        select(no.first, yes.first, condition),
        select(no.second, yes.second, condition),
    );
}

/// The jet of a function that is x for x > 0 and else has the jet `left`.
fn linear_on_the_right(x: real, left: Jet) -> Jet {
    return keep_nan_in_jet(x, select_jet(left, Jet(x, 1.0, 0.0), x > 0.0));
}

/// The jet, or beyond |x| = limit, where an activation has become max(x, 0), that of max(x, 0).
fn saturate_jet(x: real, limit: real, jet: Jet) -> Jet {
    let far = select_jet(Jet(0.0, 0.0, 0.0), Jet(x, 1.0, 0.0), x > 0.0);
    return keep_nan_in_jet(x, select_jet(jet, far, abs(x) > limit));
}

/// a * b rounded, and its rounding error.
fn exact_product(a: real, b: real) -> Pair {
    let rounded = opaque(a * b);
    let a_high = upper_half(a);
    let b_high = upper_half(b);
    let a_low = a - a_high;
    let b_low = b - b_high;
    return Pair(rounded, opaque(a_high * b_high - rounded) + a_high * b_low + a_low * b_high + a_low * b_low);
}

/// a + b rounded, and its rounding error.
fn exact_sum(a: real, b: real) -> Pair {
    let rounded = opaque(a + b);
    let b_part = opaque(rounded - a);
    let a_part = opaque(rounded - b_part);
    return Pair(rounded, (a - a_part) + (b - b_part));
}

/// scale exp(-x^2).
fn bell(x: real, scale: real) -> Jet {
    // Beyond this it has underflowed, and a power of x could make NaN of it.
    let inside = clamp(x, -100.0, 100.0);
    let value = scale * exponential_of_minus_square(inside, 1.0);
    let square = exact_square(inside);
    let curvature = (4.0 * square.high - 2.0) + 4.0 * square.low;
    return keep_nan_in_jet(x, Jet(value, -2.0 * inside * value, curvature * value));
}

fn activation_identity(x: real, parameter: real) -> Jet {
    return Jet(x, 1.0, 0.0);
}

fn activation_tanh(x: real, parameter: real) -> Jet {
    let t = hyperbolic_tangent(x);
    return Jet(t.value, t.slope, -2.0 * t.value * t.slope);
}

fn activation_sigmoid(x: real, parameter: real) -> Jet {
    let e = decay(abs(x));
    let inverse = 1.0 / (1.0 + e.value);
    let value = select(inverse, e.value * inverse, x < 0.0);
    let first = e.value * inverse * inverse;
    let t = with_sign_of(e.complement * inverse, x);
    return Jet(value, first, -(first * t));
}

fn activation_sin(x: real, parameter: real) -> Jet {
    let at = sine_and_cosine(parameter * x);
    return Jet(at.sine, parameter * at.cosine, -(parameter * parameter) * at.sine);
}

fn activation_cos(x: real, parameter: real) -> Jet {
    let at = sine_and_cosine(x);
    return Jet(at.cosine, -at.sine, -at.cosine);
}

/// ln(1 + exp(x))
fn softplus(x: real) -> Jet {
    let e = decay(abs(x));
    let slope = activation_sigmoid(x, 1.0);
    return Jet(max(x, 0.0) + logarithm_of_one_plus(e.value), slope.value, slope.first);
}

fn activation_softplus(x: real, parameter: real) -> Jet {
    let at = softplus(parameter * x);
    return Jet(at.value / parameter, at.first, parameter * at.second);
}

fn activation_silu(x: real, parameter: real) -> Jet {
    return saturate_jet(x, 1e4, times_argument(x, activation_sigmoid(x, 1.0)));
}

fn activation_gelu(x: real, parameter: real) -> Jet {
    let density = 0.3989422804014327 * exponential_of_minus_square(x, 0.5);
    let y = exact_product(-x, FRAC_1_SQRT_2);
    let y_rest = y.low - x * FRAC_1_SQRT_2_REST;
    let distribution = 0.5 * complementary_error_function(y.high) - SQRT_2 * density * y_rest;
    let square = exact_square(x);
    let jet = Jet(x * distribution, distribution + x * density, density * ((2.0 - square.high) - square.low));
    return saturate_jet(x, 100.0, jet);
}

fn activation_gelu_tanh(x: real, parameter: real) -> Jet {
    // The rounding error of v is worth |v| units in the last place on the left, so v is kept as v + rest.
    let square = exact_square(x);
    let bend = exact_product(CUBIC, square.high);
    let stretch = exact_sum(1.0, bend.high);
    let stretch_rest = stretch.low + (bend.low + CUBIC_REST * square.high + CUBIC * square.low);
    let product = exact_product(x, stretch.high);
    let product_rest = product.low + x * stretch_rest;
    let rough = exact_product(SQRT_8_OVER_PI, product.high);
    let v = exact_sum(rough.high, rough.low + SQRT_8_OVER_PI * product_rest + SQRT_8_OVER_PI_REST * product.high);

    let at_v = activation_sigmoid(v.high, 1.0);
    let t = 1.0 - 2.0 * at_v.value;
    let third = at_v.second * t - 2.0 * at_v.first * at_v.first;
    let s = Jet(at_v.value + v.low * at_v.first, at_v.first + v.low * at_v.second, at_v.second + v.low * third);
    let v_first = SQRT_8_OVER_PI * (1.0 + 3.0 * CUBIC * (square.high + square.low));
    let v_second = 6.0 * SQRT_8_OVER_PI * CUBIC * x;
    let g = Jet(s.value, s.first * v_first, s.second * v_first * v_first + s.first * v_second);
    return saturate_jet(x, 50.0, times_argument(x, g));
}

fn activation_elu(x: real, parameter: real) -> Jet {
    let e = decay(max(-x, 0.0));
    let slope = parameter * e.value;
    return linear_on_the_right(x, Jet(-(parameter * e.complement), slope, slope));
}

fn activation_relu(x: real, parameter: real) -> Jet {
    return linear_on_the_right(x, Jet(0.0, 0.0, 0.0));
}

fn activation_leaky_relu(x: real, parameter: real) -> Jet {
    return linear_on_the_right(x, Jet(parameter * x, parameter, 0.0));
}

fn activation_exp(x: real, parameter: real) -> Jet {
    let e = exponential(x);
    return Jet(e, e, e);
}

fn activation_gaussian(x: real, parameter: real) -> Jet {
    return bell(x, 1.0);
}

fn activation_erf(x: real, parameter: real) -> Jet {
    let slope = bell(x, 1.1283791670955126);
    return Jet(error_function(x), slope.value, slope.first);
}

fn activation_mish(x: real, parameter: real) -> Jet {
    let e = decay(abs(x)).value;
    let rising = x > 0.0;
    let d = 1.0 / select(e * (e + 2.0) + 2.0, 1.0 + 2.0 * e * (1.0 + e), rising);
    let slope = 4.0 * e * d * d * select(1.0, e, rising);
    let value = select(e * (e + 2.0), 1.0 + 2.0 * e, rising) * d;
    let bend = select(
        2.0 + e * (2.0 - e * (3.0 + 2.0 * e)),
        -2.0 + e * (-3.0 + e * (2.0 + 2.0 * e)),
        rising,
    );
    return saturate_jet(x, 1e4, times_argument(x, Jet(value, slope * (1.0 + e), slope * bend * d)));
}
