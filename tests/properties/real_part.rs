//! The value of every number is the plain float's, bit for bit, whatever its derivatives are.

use num_traits::{AsPrimitive, Bounded, Float, Inv, NumCast, Pow, Signed, ToPrimitive};
use proptest::prelude::*;
use tapeless::{Const, Dual, HyperDual, Packed, Real, Scalar};

use super::config;
use super::expressions::{Function, Pair, VARIABLES, points, wild_expressions};

/// A number with a value and any derivatives.
pub trait Filled: Scalar {
    fn filled(value: Self::Primitive, derivatives: &mut dyn Iterator<Item = Self::Primitive>) -> Self;
}

impl Filled for f32 {
    fn filled(value: f32, _: &mut dyn Iterator<Item = f32>) -> f32 {
        value
    }
}

impl Filled for f64 {
    fn filled(value: f64, _: &mut dyn Iterator<Item = f64>) -> f64 {
        value
    }
}

impl<T: Filled, const N: usize> Filled for Dual<T, N> {
    fn filled(value: T::Primitive, derivatives: &mut dyn Iterator<Item = T::Primitive>) -> Self {
        Self::from_parts(T::filled(value, derivatives), [(); N].map(|()| next(derivatives)))
    }
}

impl<T: Filled, const N: usize> Filled for HyperDual<T, N>
where
    Const<N>: Packed,
{
    fn filled(value: T::Primitive, derivatives: &mut dyn Iterator<Item = T::Primitive>) -> Self {
        let mut triangle = Const::<N>::filled(T::zero());
        triangle.as_mut().fill_with(|| next(derivatives));
        Self::from_parts(T::filled(value, derivatives), [(); N].map(|()| next(derivatives)), triangle)
    }
}

/// One derivative.
fn next<T: Filled>(derivatives: &mut dyn Iterator<Item = T::Primitive>) -> T {
    let value = derivatives.next().unwrap_or(T::Primitive::nan());
    T::filled(value, derivatives)
}

/// Floats of every size, with the special ones often among them.
pub fn floats<R: Real>() -> BoxedStrategy<R>
where
    f64: AsPrimitive<R>,
{
    let special = [
        R::zero(),
        R::neg_zero(),
        R::one(),
        -R::one(),
        R::literal(0.5),
        R::literal(2.0),
        R::literal(-3.0),
        R::infinity(),
        R::neg_infinity(),
        R::nan(),
        R::max_value(),
        R::min_value(),
        R::min_positive_value(),
        R::min_positive_value() * R::epsilon(),
        -R::min_positive_value() * R::literal(0.375),
        R::epsilon(),
        R::one() + R::epsilon(),
        R::PI(),
        R::FRAC_PI_2(),
    ];
    prop_oneof![
        2 => prop::sample::select(special.to_vec()),
        2 => (-4.0..4.0).prop_map(|x: f64| x.as_()),
        1 => any::<f64>().prop_map(|x| x.as_()),
        1 => (-150.0..150.0, any::<bool>()).prop_map(|(exponent, negative): (f64, bool)| {
            (if negative { -exponent.exp2() } else { exponent.exp2() }).as_()
        }),
    ]
    .boxed()
}

/// Whether two floats have the same bits or are both NaN.
fn same<R: Real>(a: R, b: R) -> bool {
    a.same(&b) || (a.is_nan() && b.is_nan())
}

/// Calls `$check::<S>($arguments)` for several kinds of numbers over the float `$real`.
macro_rules! for_kinds_of_numbers {
    ($real:ty, $check:ident($($argument:expr),*)) => {
        $check::<Dual<$real, 2>>($($argument),*)?;
        $check::<HyperDual<$real, 1>>($($argument),*)?;
        $check::<HyperDual<$real, 3>>($($argument),*)?;
        $check::<Dual<Dual<$real, 1>, 2>>($($argument),*)?;
        $check::<Dual<HyperDual<$real, 2>, 1>>($($argument),*)?;
        $check::<HyperDual<HyperDual<$real, 1>, 2>>($($argument),*)?;
    };
}

/// Everything that gives a number from one number.
fn unary<S: Scalar>(x: S) -> Vec<(&'static str, S)> {
    let mut results: Vec<(&'static str, S)> = Vec::new();
    let plain = |value| S::literal(value).primitive();
    let (sine, cosine) = x.sin_cos();
    results.extend([("sin of sin_cos", sine), ("cos of sin_cos", cosine)]);
    results.extend([("leaky_relu", x.leaky_relu(plain(0.1))), ("leaky_relu down", x.leaky_relu(plain(-0.1)))]);
    results.extend([("elu", x.elu(plain(0.7))), ("scale", x.scale(plain(-1.7))), ("scale to 0", x.scale(plain(0.0)))]);
    results.push(("literal", x + S::literal(0.1)));
    results
}

fn unary_functions<S: Filled>(x: S::Primitive, derivatives: &[S::Primitive]) -> Result<(), TestCaseError> {
    let number = S::filled(x, &mut derivatives.iter().copied().cycle());
    for &function in Function::ALL {
        let (found, expected) = (function.apply(number).primitive(), function.apply(x));
        prop_assert!(same(found, expected), "{function:?}({x:e}) = {expected:e}, not {found:e}");
    }
    for ((name, found), (_, expected)) in unary(number).into_iter().zip(unary(x)) {
        let found = found.primitive();
        prop_assert!(same(found, expected), "{name}({x:e}) = {expected:e}, not {found:e}");
    }
    prop_assert_eq!(number.is_nan(), x.is_nan());
    prop_assert_eq!(number.is_finite(), x.is_finite());
    prop_assert_eq!(number.is_infinite(), x.is_infinite());
    prop_assert_eq!(number.is_normal(), x.is_normal());
    prop_assert_eq!(number.classify(), x.classify());
    prop_assert_eq!(number.is_sign_positive(), x.is_sign_positive());
    prop_assert_eq!(number.is_sign_negative(), x.is_sign_negative());
    prop_assert_eq!(number.integer_decode(), x.integer_decode());
    prop_assert_eq!(number.to_f64().map(f64::to_bits), x.to_f64().map(f64::to_bits));
    prop_assert_eq!(number.to_f32().map(f32::to_bits), x.to_f32().map(f32::to_bits));
    prop_assert_eq!(number.to_i64(), x.to_i64());
    prop_assert_eq!(number.to_u64(), x.to_u64());
    prop_assert_eq!(number.to_i128(), x.to_i128());
    prop_assert_eq!(number.to_u128(), x.to_u128());
    prop_assert_eq!(number.to_usize(), x.to_usize());
    prop_assert_eq!(number.to_i8(), x.to_i8());
    Ok(())
}

fn integer_powers<S: Filled>(x: S::Primitive, exponent: i32, derivatives: &[S::Primitive]) -> Result<(), TestCaseError> {
    let number = S::filled(x, &mut derivatives.iter().copied().cycle());
    let (found, expected) = (number.powi(exponent).primitive(), x.powi(exponent));
    prop_assert!(same(found, expected), "{x:e}^{exponent} = {expected:e}, not {found:e}");
    Ok(())
}

fn functions_of_several<S: Filled>(
    [x, y, z]: [S::Primitive; 3],
    derivatives: &[S::Primitive],
) -> Result<(), TestCaseError> {
    let mut derivatives = derivatives.iter().copied().cycle();
    let [a, b, c] = [x, y, z].map(|value| S::filled(value, &mut derivatives));
    for &function in Pair::ALL {
        let expected = function.apply(x, y);
        for (right, kind) in [(b, "live"), (S::lifted(y), "constant")] {
            let found = function.apply(a, right).primitive();
            prop_assert!(same(found, expected), "{function:?}({x:e}, {kind} {y:e}) = {expected:e}, not {found:e}");
        }
    }
    let (found, expected) = (a.mul_add(b, c).primitive(), x.mul_add(y, z));
    prop_assert!(same(found, expected), "{x:e} * {y:e} + {z:e} = {expected:e}, not {found:e}");
    if y <= z {
        let (found, expected) = (a.clamp(b, c).primitive(), x.clamp(y, z));
        prop_assert!(same(found, expected), "{x:e} between {y:e} and {z:e} = {expected:e}, not {found:e}");
    }
    prop_assert_eq!(a.partial_cmp(&b), x.partial_cmp(&y));
    prop_assert_eq!([a < b, a <= b, a == b, a != b, a >= b, a > b], [x < y, x <= y, x == y, x != y, x >= y, x > y]);

    let assigned = |change: &dyn Fn(&mut S)| {
        let mut result = a;
        change(&mut result);
        result.primitive()
    };
    let results = [
        ("+=", assigned(&|a| *a += b), x + y),
        ("-=", assigned(&|a| *a -= b), x - y),
        ("*=", assigned(&|a| *a *= b), x * y),
        ("/=", assigned(&|a| *a /= b), x / y),
        ("%=", assigned(&|a| *a %= b), x % y),
        ("sum", [a, b, c].into_iter().sum::<S>().primitive(), [x, y, z].into_iter().sum()),
        ("product", [a, b, c].into_iter().product::<S>().primitive(), [x, y, z].into_iter().product()),
    ];
    for (name, found, expected) in results {
        prop_assert!(same(found, expected), "{name} of {x:e}, {y:e}, {z:e} = {expected:e}, not {found:e}");
    }
    Ok(())
}

/// Operators and traits that `Scalar` does not ask for, on one type.
macro_rules! beyond_scalar {
    ($check:ident, $real:ty, $number:ty) => {
        fn $check([x, y, z]: [$real; 3], derivatives: &[$real]) -> Result<(), TestCaseError> {
            let mut derivatives = derivatives.iter().copied().cycle();
            let [a, b, c] = [x, y, z].map(|value| <$number>::filled(value, &mut derivatives));
            prop_assert_eq!(a.partial_cmp(&y), x.partial_cmp(&y));
            prop_assert_eq!([a < y, a <= y, a == y, a > y], [x < y, x <= y, x == y, x > y]);
            prop_assert_eq!(
                [Signed::is_positive(&a), Signed::is_negative(&a)],
                [x.is_sign_positive(), x.is_sign_negative()]
            );
            let mut fused = a;
            num_traits::MulAddAssign::mul_add_assign(&mut fused, b, c);
            let results = [
                ("number + plain", a + y, x + y),
                ("number - plain", a - y, x - y),
                ("number * plain", a * y, x * y),
                ("number / plain", a / y, x / y),
                ("number % plain", a % y, x % y),
                ("plain + number", x + b, x + y),
                ("plain - number", x - b, x - y),
                ("plain * number", x * b, x * y),
                ("plain / number", x / b, x / y),
                ("plain % number", x % b, x % y),
                ("powf(plain)", a.powf(y), x.powf(y)),
                ("log(plain)", a.log(y), x.log(y)),
                ("hypot(plain)", a.hypot(y), x.hypot(y)),
                ("atan2(plain)", a.atan2(y), x.atan2(y)),
                ("max(plain)", a.max(y), x.max(y)),
                ("min(plain)", a.min(y), x.min(y)),
                ("copysign(plain)", a.copysign(y), x.copysign(y)),
                ("mul_add(plain)", a.mul_add(y, z), x.mul_add(y, z)),
                ("MulAdd", num_traits::MulAdd::mul_add(a, b, c), x.mul_add(y, z)),
                ("MulAddAssign", fused, x.mul_add(y, z)),
                ("Pow<plain>", Pow::pow(a, y), x.powf(y)),
                ("Pow<number>", Pow::pow(a, b), x.powf(y)),
                ("Pow<i32>", Pow::pow(a, 3), x.powi(3)),
                ("Inv", a.inv(), x.recip()),
                ("Signed::abs", Signed::abs(&a), x.abs()),
                ("Signed::signum", Signed::signum(&a), x.signum()),
                ("Signed::abs_sub", Signed::abs_sub(&a, &b), Signed::abs_sub(&x, &y)),
                ("- of a reference", -&a, -x),
            ];
            for (name, found, expected) in results {
                let found = found.primitive();
                prop_assert!(same(found, expected), "{name} of {x:e}, {y:e}, {z:e} = {expected:e}, not {found:e}");
            }
            Ok(())
        }
    };
}

beyond_scalar!(beyond_scalar_for_dual_f64, f64, Dual<f64, 2>);
beyond_scalar!(beyond_scalar_for_dual_f32, f32, Dual<f32, 2>);
beyond_scalar!(beyond_scalar_for_hyper_dual_f64, f64, HyperDual<f64, 2>);
beyond_scalar!(beyond_scalar_for_hyper_dual_f32, f32, HyperDual<f32, 2>);

/// What gives a number without taking one.
fn constants<S: Scalar>() -> Vec<(&'static str, S)> {
    let or_nan = |number: Option<S>| number.unwrap_or(S::nan());
    vec![
        ("zero", S::zero()),
        ("one", S::one()),
        ("default", S::default()),
        ("nan", S::nan()),
        ("infinity", S::infinity()),
        ("neg_infinity", S::neg_infinity()),
        ("neg_zero", S::neg_zero()),
        ("Float::min_value", <S as Float>::min_value()),
        ("Float::max_value", <S as Float>::max_value()),
        ("min_positive_value", S::min_positive_value()),
        ("epsilon", S::epsilon()),
        ("E", S::E()),
        ("FRAC_1_PI", S::FRAC_1_PI()),
        ("FRAC_1_SQRT_2", S::FRAC_1_SQRT_2()),
        ("FRAC_2_PI", S::FRAC_2_PI()),
        ("FRAC_2_SQRT_PI", S::FRAC_2_SQRT_PI()),
        ("FRAC_PI_2", S::FRAC_PI_2()),
        ("FRAC_PI_3", S::FRAC_PI_3()),
        ("FRAC_PI_4", S::FRAC_PI_4()),
        ("FRAC_PI_6", S::FRAC_PI_6()),
        ("FRAC_PI_8", S::FRAC_PI_8()),
        ("LN_10", S::LN_10()),
        ("LN_2", S::LN_2()),
        ("LOG10_E", S::LOG10_E()),
        ("LOG2_E", S::LOG2_E()),
        ("PI", S::PI()),
        ("SQRT_2", S::SQRT_2()),
        ("TAU", S::TAU()),
        ("LOG10_2", S::LOG10_2()),
        ("LOG2_10", S::LOG2_10()),
        ("from_i32", or_nan(S::from_i32(-7))),
        ("from_i64", or_nan(S::from_i64(i64::MIN))),
        ("from_u64", or_nan(S::from_u64(u64::MAX))),
        ("from_i128", or_nan(S::from_i128(i128::MIN))),
        ("from_u128", or_nan(S::from_u128(u128::MAX))),
        ("from_usize", or_nan(S::from_usize(usize::MAX))),
        ("from_f32", or_nan(S::from_f32(0.1))),
        ("from_f64", or_nan(S::from_f64(0.1))),
        ("NumCast", or_nan(<S as NumCast>::from(0.1_f64))),
        ("NumCast of an i128", or_nan(<S as NumCast>::from(i128::MIN))),
        ("literal", S::literal(0.1)),
        ("from_str_radix", or_nan(S::from_str_radix("-1101", 2).ok())),
    ]
}

fn constants_are_those_of_the_float<S: Scalar>() -> Result<(), TestCaseError> {
    for ((name, found), (_, expected)) in constants::<S>().into_iter().zip(constants::<S::Primitive>()) {
        prop_assert!(same(found.primitive(), expected), "{name} = {expected:e}, not {found:e}");
        if !expected.is_nan() {
            prop_assert!(found.same(&S::lifted(expected)), "{name} has derivatives: {found:e}");
        }
    }
    prop_assert!(S::zero().is_zero() && S::one().is_one() && !S::one().is_zero());
    Ok(())
}

#[test]
fn constants_have_the_float_s_value_and_no_derivatives() -> Result<(), TestCaseError> {
    for_kinds_of_numbers!(f64, constants_are_those_of_the_float());
    for_kinds_of_numbers!(f32, constants_are_those_of_the_float());
    prop_assert_eq!(<Dual<f32, 2> as Bounded>::max_value().value(), f32::MAX);
    prop_assert_eq!(<HyperDual<f64, 2> as Bounded>::min_value().value(), f64::MIN);
    Ok(())
}

fn values_of_an_expression<S: Filled>(
    expression: &super::expressions::Expression,
    point: [S::Primitive; VARIABLES],
    derivatives: &[S::Primitive],
) -> Result<(), TestCaseError> {
    let mut derivatives = derivatives.iter().copied().cycle();
    let expected = expression.evaluate(&point);
    let found = expression.evaluate(&point.map(|value| S::filled(value, &mut derivatives))).primitive();
    prop_assert!(same(found, expected), "{found:e} is not {expected:e}");
    Ok(())
}

/// Values of derivatives; their number is prime, so that a cycle of them never repeats in step.
fn derivatives<R: Real>() -> impl Strategy<Value = [R; 13]>
where
    f64: AsPrimitive<R>,
{
    prop::array::uniform(floats())
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn functions_of_one_number_f64(x in floats(), derivatives in derivatives()) {
        for_kinds_of_numbers!(f64, unary_functions(x, &derivatives));
    }

    #[test]
    fn functions_of_one_number_f32(x in floats(), derivatives in derivatives()) {
        for_kinds_of_numbers!(f32, unary_functions(x, &derivatives));
    }

    #[test]
    fn integer_powers_of_any_size(
        wide in floats(),
        narrow in floats(),
        exponent in prop_oneof![-9..=9, any::<i32>(), Just(i32::MIN), Just(i32::MAX)],
        derivatives in derivatives(),
    ) {
        for_kinds_of_numbers!(f64, integer_powers(wide, exponent, &derivatives));
        for_kinds_of_numbers!(f32, integer_powers(narrow, exponent, &derivatives.map(|x| x as f32)));
    }

    #[test]
    fn functions_of_several_numbers_f64(numbers in prop::array::uniform(floats()), derivatives in derivatives()) {
        for_kinds_of_numbers!(f64, functions_of_several(numbers, &derivatives));
        beyond_scalar_for_dual_f64(numbers, &derivatives)?;
        beyond_scalar_for_hyper_dual_f64(numbers, &derivatives)?;
    }

    #[test]
    fn functions_of_several_numbers_f32(numbers in prop::array::uniform(floats()), derivatives in derivatives()) {
        for_kinds_of_numbers!(f32, functions_of_several(numbers, &derivatives));
        beyond_scalar_for_dual_f32(numbers, &derivatives)?;
        beyond_scalar_for_hyper_dual_f32(numbers, &derivatives)?;
    }

    #[test]
    fn expressions_at_moderate_points(expression in wild_expressions(), point in points(), derivatives in derivatives()) {
        for_kinds_of_numbers!(f64, values_of_an_expression(&expression, point, &derivatives));
        let (point, derivatives) = (point.map(|x| x as f32), derivatives.map(|x| x as f32));
        for_kinds_of_numbers!(f32, values_of_an_expression(&expression, point, &derivatives));
    }

    #[test]
    fn expressions_at_any_point(
        expression in wild_expressions(),
        point in prop::array::uniform(floats()),
        derivatives in derivatives(),
    ) {
        for_kinds_of_numbers!(f64, values_of_an_expression(&expression, point, &derivatives));
    }
}
