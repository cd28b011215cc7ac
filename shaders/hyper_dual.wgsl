// Hyper-dual numbers over elementary.wgsl and activation.wgsl. A template: {n} is the number of variables and {entries} that of
// entries of the triangle; a line with {i} stands for one per variable, and one with {ij} for one per entry (i, j).

/// A value, its gradient, and the upper triangle of its Hessian, row by row; in memory as `HyperDual` in Rust.
struct HyperDual {
    value: real,
    gradient: array<real, {n}>,
    triangle: array<real, {entries}>,
}

/// A number whose derivatives are zero.
fn hyper_dual_constant(value: real) -> HyperDual {
    var result: HyperDual;
    result.value = value;
    return result;
}

/// Independent variable number `index`.
fn hyper_dual_variable(value: real, index: u32) -> HyperDual {
    var result = hyper_dual_constant(value);
    result.gradient[{i}] = select(real(0.0), real(1.0), index == {i}u);
    return result;
}

/// A tangent that is zero stays zero, whatever the factor: a constant is never turned into NaN by a singular function.
fn times_tangent(factor: real, tangent: real) -> real {
    return select(factor * tangent, 0.0, tangent == 0.0);
}

/// The product of two tangents, either of which stays zero where it is.
fn tangent_product(a: real, b: real) -> real {
    return select(a * b, 0.0, a == 0.0 || b == 0.0);
}

/// A quotient that is zero with its numerator.
fn divided(numerator: real, denominator: real) -> real {
    return select(numerator / denominator, 0.0, numerator == 0.0);
}

/// The function that has this jet at the value of x: for functions of your own.
fn hyper_dual_chain(x: HyperDual, jet: Jet) -> HyperDual {
    var result = hyper_dual_constant(jet.value);
    result.gradient[{i}] = times_tangent(jet.first, x.gradient[{i}]);
    result.triangle[{ij}] = times_tangent(times_tangent(jet.second, x.gradient[{i}]), x.gradient[{j}]);
    result.triangle[{ij}] += times_tangent(jet.first, x.triangle[{ij}]);
    return result;
}

fn hyper_dual_add(a: HyperDual, b: HyperDual) -> HyperDual {
    var result = hyper_dual_constant(a.value + b.value);
    result.gradient[{i}] = a.gradient[{i}] + b.gradient[{i}];
    result.triangle[{ij}] = a.triangle[{ij}] + b.triangle[{ij}];
    return result;
}

fn hyper_dual_sub(a: HyperDual, b: HyperDual) -> HyperDual {
    return hyper_dual_add(a, hyper_dual_neg(b));
}

fn hyper_dual_neg(x: HyperDual) -> HyperDual {
    return hyper_dual_scale(x, -1.0);
}

/// The product with a plain factor.
fn hyper_dual_scale(x: HyperDual, factor: real) -> HyperDual {
    var result = hyper_dual_constant(factor * x.value);
    result.gradient[{i}] = times_tangent(factor, x.gradient[{i}]);
    result.triangle[{ij}] = times_tangent(factor, x.triangle[{ij}]);
    return result;
}

fn hyper_dual_mul(a: HyperDual, b: HyperDual) -> HyperDual {
    var result = hyper_dual_constant(a.value * b.value);
    result.gradient[{i}] = times_tangent(a.value, b.gradient[{i}]) + times_tangent(b.value, a.gradient[{i}]);
    result.triangle[{ij}] = times_tangent(a.value, b.triangle[{ij}]) + times_tangent(b.value, a.triangle[{ij}]);
    result.triangle[{ij}] += tangent_product(a.gradient[{i}], b.gradient[{j}]) + tangent_product(a.gradient[{j}], b.gradient[{i}]);
    return result;
}

/// The second derivatives are (a'' - q' b' - b' q' - q b'') / b: the difference comes before the division, so that it keeps its
/// digits.
fn hyper_dual_div(a: HyperDual, b: HyperDual) -> HyperDual {
    let q = a.value / b.value;
    var result = hyper_dual_constant(q);
    result.gradient[{i}] = divided(a.gradient[{i}] - times_tangent(q, b.gradient[{i}]), b.value);
    let g = result.gradient;
    result.triangle[{ij}] = times_tangent(g[{i}], b.gradient[{j}]) + times_tangent(g[{j}], b.gradient[{i}]);
    result.triangle[{ij}] = divided(a.triangle[{ij}] - times_tangent(q, b.triangle[{ij}]) - result.triangle[{ij}], b.value);
    return result;
}

/// x^n by multiplication.
fn integer_power(x: real, exponent: i32) -> real {
    var result: real = 1.0;
    var square = x;
    for (var n = u32(abs(exponent)); n != 0u; n >>= 1u) {
        result *= select(1.0, square, (n & 1u) != 0u);
        square *= square;
    }
    return select(result, 1.0 / result, exponent < 0);
}

/// x^n. Derivatives with coefficient 0 are 0, also at x = 0.
fn hyper_dual_powi(x: HyperDual, exponent: i32) -> HyperDual {
    let n = real(exponent);
    var jet = Jet(integer_power(x.value, exponent), 0.0, 0.0);
    if exponent != 0 {
        jet.first = n * integer_power(x.value, exponent - 1);
    }
    if exponent != 0 && exponent != 1 {
        jet.second = n * (n - 1.0) * integer_power(x.value, exponent - 2);
    }
    return hyper_dual_chain(x, jet);
}

/// Square root. At 0 the derivatives are the one-sided limits.
fn hyper_dual_sqrt(x: HyperDual) -> HyperDual {
    let root = sqrt(x.value);
    // At -0 the root is -0; the limit is taken inside the domain. (Compilers take the absolute value of a root for the root.)
    let first = with_sign_of(0.5 / root, 1.0);
    return hyper_dual_chain(x, Jet(root, first, -0.5 * first / abs(x.value)));
}

fn hyper_dual_exp(x: HyperDual) -> HyperDual {
    return hyper_dual_chain(x, activation_exp(x.value, 1.0));
}

/// Natural logarithm.
fn hyper_dual_ln(x: HyperDual) -> HyperDual {
    let value = logarithm(x.value);
    // Below 0 the derivatives are as undefined as the value.
    let reciprocal = select(1.0 / abs(x.value), value, x.value < 0.0);
    return hyper_dual_chain(x, Jet(value, reciprocal, -reciprocal * reciprocal));
}

fn hyper_dual_sin(x: HyperDual) -> HyperDual {
    return hyper_dual_chain(x, activation_sin(x.value, 1.0));
}

fn hyper_dual_cos(x: HyperDual) -> HyperDual {
    return hyper_dual_chain(x, activation_cos(x.value, 1.0));
}

fn hyper_dual_tanh(x: HyperDual) -> HyperDual {
    return hyper_dual_chain(x, activation_tanh(x.value, 1.0));
}

/// 1/(1 + exp(-x))
fn hyper_dual_sigmoid(x: HyperDual) -> HyperDual {
    return hyper_dual_chain(x, activation_sigmoid(x.value, 1.0));
}

/// ln(1 + exp(x))
fn hyper_dual_softplus(x: HyperDual) -> HyperDual {
    return hyper_dual_chain(x, softplus(x.value));
}

/// The error function.
fn hyper_dual_erf(x: HyperDual) -> HyperDual {
    return hyper_dual_chain(x, activation_erf(x.value, 1.0));
}

/// The absolute value; at 0 with the derivatives of x.
fn hyper_dual_abs(x: HyperDual) -> HyperDual {
    if x.value < 0.0 {
        return hyper_dual_neg(x);
    }
    return x;
}

/// The larger number, whole; at a tie the first. A NaN is passed over.
fn hyper_dual_max(a: HyperDual, b: HyperDual) -> HyperDual {
    if is_nan(b.value) || a.value >= b.value {
        return a;
    }
    return b;
}

/// The smaller number, whole; at a tie the first. A NaN is passed over.
fn hyper_dual_min(a: HyperDual, b: HyperDual) -> HyperDual {
    if is_nan(b.value) || a.value <= b.value {
        return a;
    }
    return b;
}
