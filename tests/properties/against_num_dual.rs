//! The same expressions on the hyper-dual numbers of the crate num-dual.

use num_dual::{DualNum, HyperDual64};
use num_traits::{Signed, Zero};
use proptest::prelude::*;

use super::config;
use super::expressions::{
    Expression, Function, Pair, Parametrized, VARIABLES, assert_close, components, expressions, points,
};

/// The expression with other functions in place of those that num-dual lacks, and of its `sph_j0`, which loses digits for
/// small arguments.
fn known(expression: Expression) -> Expression {
    let inside = |x: Box<Expression>| Box::new(known(*x));
    match expression {
        Expression::Variable(_) | Expression::Constant(_) => expression,
        Expression::Call(function, x) => {
            let function = match function {
                Function::Erf => Function::Tanh,
                Function::Erfc => Function::Sigmoid,
                Function::Gelu => Function::Silu,
                Function::Sinc => Function::Gaussian,
                known => known,
            };
            Expression::Call(function, inside(x))
        }
        Expression::WithParameter(function, x) => Expression::WithParameter(function, inside(x)),
        Expression::Pair(function, a, b) => Expression::Pair(function, inside(a), inside(b)),
        Expression::MulAdd(x, a, b) => Expression::MulAdd(inside(x), inside(a), inside(b)),
    }
}

/// The expression on num-dual's numbers.
fn evaluate(expression: &Expression, point: &[HyperDual64; VARIABLES]) -> HyperDual64 {
    let of = |expression: &Expression| evaluate(expression, point);
    match expression {
        Expression::Variable(index) => point[*index],
        Expression::Constant(value) => HyperDual64::from_re(*value),
        Expression::Call(function, x) => call(*function, of(x)),
        Expression::WithParameter(function, x) => with_parameter(*function, of(x)),
        Expression::Pair(function, a, b) => pair(*function, of(a), of(b)),
        Expression::MulAdd(x, a, b) => of(x).mul_add(of(a), of(b)),
    }
}

fn call(function: Function, x: HyperDual64) -> HyperDual64 {
    let sigmoid = |x: HyperDual64| ((-x).exp() + 1.0).recip();
    let softplus = |x: HyperDual64| if x.re > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() };
    let constant = |value| HyperDual64::from_re(value);
    // Their quotient of sinh and cosh loses digits where it is saturated.
    let tanh = |x: HyperDual64| match x.re {
        re if re.abs() < 0.5 => x.tanh(),
        re if re < 0.0 => -(sigmoid(x * -2.0) * 2.0 - 1.0),
        _ => sigmoid(x * 2.0) * 2.0 - 1.0,
    };
    match function {
        Function::Neg => -x,
        Function::Recip => x.recip(),
        Function::Sqrt => x.sqrt(),
        Function::Cbrt => x.cbrt(),
        Function::Exp => x.exp(),
        Function::Exp2 => x.exp2(),
        Function::ExpM1 => x.exp_m1(),
        Function::Ln => x.ln(),
        Function::Ln1p => x.ln_1p(),
        Function::Log2 => x.log2(),
        Function::Log10 => x.log10(),
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
        Function::Tan => x.tan(),
        Function::Asin => x.asin(),
        Function::Acos => x.acos(),
        Function::Atan => x.atan(),
        Function::Sinh => x.sinh(),
        Function::Cosh => x.cosh(),
        Function::Tanh => tanh(x),
        Function::Asinh => x.asinh(),
        Function::Acosh => x.acosh(),
        Function::Atanh => x.atanh(),
        Function::Erf | Function::Erfc | Function::Gelu | Function::Sinc => unreachable!("replaced"),
        Function::Sigmoid => sigmoid(x),
        Function::Softplus => softplus(x),
        Function::Silu => x * sigmoid(x),
        Function::GeluTanh => {
            let bent = x + x * x * x * 0.044715;
            x * sigmoid(bent * (8.0 / std::f64::consts::PI).sqrt())
        }
        Function::Mish => x * tanh(softplus(x)),
        Function::Gaussian => (-(x * x)).exp(),
        Function::ToDegrees => x * (180.0 / std::f64::consts::PI),
        Function::ToRadians => x * (std::f64::consts::PI / 180.0),
        Function::Abs => x.abs(),
        Function::Relu => {
            if x.re > 0.0 {
                x
            } else {
                HyperDual64::zero()
            }
        }
        Function::Floor => constant(x.re.floor()),
        Function::Ceil => constant(x.re.ceil()),
        Function::Round => constant(x.re.round()),
        Function::Trunc => constant(x.re.trunc()),
        Function::Fract => x - x.re.trunc(),
        Function::Signum => constant(x.re.signum()),
    }
}

fn with_parameter(function: Parametrized, x: HyperDual64) -> HyperDual64 {
    match function {
        Parametrized::Powi(exponent) => x.powi(exponent),
        Parametrized::Powf(exponent) => x.powf(exponent),
        Parametrized::Scale(factor) => x * factor,
        Parametrized::LeakyRelu(slope) => {
            if x.re > 0.0 {
                x
            } else {
                x * slope
            }
        }
        Parametrized::Elu(alpha) => {
            if x.re > 0.0 {
                x
            } else {
                x.exp_m1() * alpha
            }
        }
    }
}

fn pair(function: Pair, a: HyperDual64, b: HyperDual64) -> HyperDual64 {
    match function {
        Pair::Add => a + b,
        Pair::Sub => a - b,
        Pair::Mul => a * b,
        Pair::Div => a / b,
        Pair::Rem => a - b * (a.re / b.re).trunc(),
        Pair::Powf => a.powd(b),
        Pair::Log => a.ln() / b.ln(),
        Pair::Hypot => (a * a + b * b).sqrt(),
        // Theirs divides by b, also where it is 0.
        Pair::Atan2 if a.re.abs() > b.re.abs() => HyperDual64 { re: a.re.atan2(b.re), ..-(b / a).atan() },
        Pair::Atan2 => a.atan2(b),
        Pair::Max => {
            if a.re >= b.re {
                a
            } else {
                b
            }
        }
        Pair::Min => {
            if a.re <= b.re {
                a
            } else {
                b
            }
        }
        Pair::AbsSub => a.abs_sub(&b),
        Pair::Copysign => {
            if a.re.is_sign_negative() == b.re.is_sign_negative() {
                a
            } else {
                -a
            }
        }
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn num_dual_gives_the_same_value_gradient_and_hessian(expression in expressions().prop_map(known), point in points()) {
        prop_assume!(expression.is_moderate(point));
        let found = components(&expression.differentiated(point));
        let mut expected = found.clone();
        let mut position = 1 + VARIABLES;
        for i in 0..VARIABLES {
            for j in i..VARIABLES {
                let mut variables = point.map(HyperDual64::from_re);
                variables[i].eps1 = 1.0;
                variables[j].eps2 = 1.0;
                let result = evaluate(&expression, &variables);
                expected[0] = result.re;
                expected[1 + i] = result.eps1;
                expected[position] = result.eps1eps2;
                position += 1;
            }
        }
        // Theirs gives NaN for constants at singular points and where an intermediate exp overflows.
        prop_assume!(expected.iter().all(|x| x.is_finite()));
        // Theirs is put together of more roundings.
        assert_close(&found, &expected, &expression.sensitivity(point), 256.0)?;
    }
}
