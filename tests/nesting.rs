//! Numbers nested in numbers: third and fourth derivatives of every rule against reference values (`tests/tables`), the singular
//! points, and the programs that confuse two levels of differentiation in other libraries.

use tapeless::{Dual, HyperDual, Scalar, gradient, hessian, second_derivative};

/// Third order in two ways, and fourth order.
type OneInTwo = HyperDual<Dual<f64, 1>, 1>;
type TwoInOne = Dual<HyperDual<f64, 1>, 1>;
type TwoInTwo = HyperDual<HyperDual<f64, 1>, 1>;

fn one_in_two(x: f64) -> OneInTwo {
    HyperDual::variable(Dual::variable(x, 0), 0)
}

fn two_in_one(x: f64) -> TwoInOne {
    Dual::variable(HyperDual::variable(x, 0), 0)
}

fn two_in_two(x: f64) -> TwoInTwo {
    HyperDual::variable(HyperDual::variable(x, 0), 0)
}

/// Value and derivatives of orders one to three, to four.
fn parts_of_one_in_two(result: OneInTwo) -> [f64; 4] {
    let second = result.hessian()[0][0];
    [result.value().value(), result.gradient()[0].value(), second.value(), second.gradient()[0]]
}

fn parts_of_two_in_one(result: TwoInOne) -> [f64; 4] {
    let first = result.gradient()[0];
    [result.value().value(), first.value(), first.gradient()[0], first.hessian()[0][0]]
}

fn parts_of_two_in_two(result: TwoInTwo) -> [f64; 5] {
    let second = result.hessian()[0][0];
    let (value, first) = (result.value().value(), result.gradient()[0].value());
    [value, first, second.value(), second.gradient()[0], second.hessian()[0][0]]
}

/// Whether two ways to the same derivative agree: up to rounding, where the function is a chain of several rules.
fn agree(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 4.0 * f64::EPSILON * b.abs() || (a.is_nan() && b.is_nan())
}

/// The derivatives of a function, which all nestings must agree on, as must all components of the same order.
macro_rules! derivatives {
    ($at:expr, |$x:ident| $body:expr) => {{
        fn f<S: Scalar>($x: S) -> S {
            $body
        }
        let at: f64 = $at;
        let whole = f(two_in_two(at));
        let found = parts_of_two_in_two(whole);
        let [slope] = whole.gradient();
        let others = [
            parts_of_one_in_two(f(one_in_two(at))),
            parts_of_two_in_one(f(two_in_one(at))),
            [found[0], whole.value().gradient()[0], whole.value().hessian()[0][0], slope.hessian()[0][0]],
            [found[0], found[1], slope.gradient()[0], found[3]],
        ];
        for other in others {
            assert!(other.iter().zip(found).all(|(&a, b)| agree(a, b)), "at {at}: {other:?} and {found:?}");
        }
        found
    }};
}

fn table(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/tables/f64/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn from_hexadecimal(text: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap())
}

/// How many units in the last place `found` is off `expected`; the unit is that of `scale` where that is larger. What is off by
/// at most `steps` of the smallest subnormal, or lies at the end of the range on both sides, counts as right.
fn units(found: f64, expected: f64, scale: f64, steps: f64) -> f64 {
    if !(found.is_finite() && expected.is_finite()) {
        let at_end = |x: f64| x.abs() > f64::MAX / 4.0;
        let right = at_end(found) && at_end(expected) && found.is_sign_positive() == expected.is_sign_positive();
        return if right { 0.0 } else { f64::INFINITY };
    }
    let off = (found - expected).abs();
    let magnitude = expected.abs().max(scale).clamp(f64::MIN_POSITIVE, f64::MAX);
    let unit = 2.0_f64.powi(magnitude.log2().floor() as i32) * f64::EPSILON;
    if off <= steps * f64::from_bits(1) { 0.0 } else { off / unit }
}

/// The worst errors of the third and the fourth derivative over a table, whose derivatives start in cell `first`.
///
/// Half a unit of x changes the third derivative by |x f''''| / 2 of its units. The tables end with the fourth, so next to the
/// zeros of that its unit is that of f'''/x (of f''' for |x| < 1). An intermediate number that underflows, as exp(-x^2) for
/// x = 27, may be off by a step, and is multiplied by up to 8 x^3 in the third and 16 x^4 in the fourth derivative.
fn worst(name: &str, first: usize, inside: fn(f64) -> bool, evaluate: impl Fn(f64, &str) -> [f64; 5]) -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    for row in table(name) {
        let x = from_hexadecimal(&row[0]);
        if inside(x) {
            let found = evaluate(x, &row[1]);
            let [third, fourth] = [3, 4].map(|order| row[first + order].parse::<f64>().unwrap());
            let off_third = units(found[3], third, (x * fourth).abs(), 2.0_f64.powi(17));
            let off_fourth = units(found[4], fourth, third.abs() / x.abs().max(1.0), 2.0_f64.powi(23));
            worst = [worst[0].max(off_third), worst[1].max(off_fourth)];
        }
    }
    worst
}

/// Gathers the broken promises.
fn check(broken: &mut Vec<String>, name: &str, bounds: [f64; 2], worst: [f64; 2]) {
    if worst[0] > bounds[0] || worst[1] > bounds[1] {
        broken.push(format!("{name}: third and fourth derivatives off by {worst:?} units, promised are {bounds:?}"));
    }
}

#[test]
fn third_and_fourth_derivatives_of_every_rule_are_accurate() {
    let mut broken = Vec::new();
    macro_rules! rules {
        ($($name:ident [$third:expr, $fourth:expr] $(where $inside:expr)?;)*) => {$({
            #[allow(unused_mut, unused_assignments)]
            let mut inside: fn(f64) -> bool = |_| true;
            $(inside = $inside;)?
            let worst = worst(stringify!($name), 1, inside, |at, _| derivatives!(at, |x| x.$name()));
            check(&mut broken, stringify!($name), [$third, $fourth], worst);
        })*};
    }
    rules! {
        recip [2.0, 5.0];
        sqrt [1.0, 3.0];
        cbrt [3.0, 4.0];
        exp [1.0, 1.0];
        exp2 [1.0, 1.0];
        exp_m1 [1.0, 1.0];
        ln [1.0, 5.0];
        ln_1p [4.0, 5.0];
        log2 [1.0, 3.0];
        log10 [1.0, 4.0];
        sin [8.0, 8.0];
        cos [8.0, 8.0];
        tan [1.0, 4.0] where |x| x.abs() < 1e22;
        asin [3.0, 5.0];
        acos [3.0, 5.0];
        atan [4.0, 6.0];
        sinh [1.0, 1.0];
        cosh [1.0, 1.0];
        tanh [3.0, 6.0];
        asinh [3.0, 5.0];
        acosh [1.0, 5.0];
        atanh [4.0, 6.0];
        erf [1.0, 2.0];
        erfc [1.0, 2.0];
        sigmoid [3.0, 19.0];
        softplus [2.0, 5.0];
        silu [6.0, 40.0];
        gelu [2.0, 2.0];
        gelu_tanh [5.0, 260.0];
        mish [10.0, 25.0];
        sinc [1.0, 5.0];
        gaussian [1.0, 5.0];
    }
    let elu = worst("elu", 1, |_| true, |at, _| derivatives!(at, |x| x.elu(S::one().primitive())));
    check(&mut broken, "elu", [1.0, 1.0], elu);
    let powi = worst(
        "powi",
        2,
        |_| true,
        |at, n| {
            let n = n.parse().unwrap();
            parts_of_two_in_two(two_in_two(at).powi(n))
        },
    );
    check(&mut broken, "powi", [1.0, 2.0], powi);
    let powf =
        worst("powf", 2, |_| true, |at, p| parts_of_two_in_two(two_in_two(at).powf(TwoInTwo::lifted(from_hexadecimal(p)))));
    check(&mut broken, "powf", [3.0, 3.0], powf);
    assert!(broken.is_empty(), "{broken:#?}");
}

#[track_caller]
fn assert_close<const K: usize>(found: [f64; K], expected: [f64; K]) {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 64.0 * f64::EPSILON * b.abs();
    assert!(found.iter().zip(&expected).all(close), "found {found:?}, expected {expected:?}");
}

/// The partial derivatives xxx, xxy, xyy, yyy and xxyy.
macro_rules! partials {
    ($at:expr, |$x:ident, $y:ident| $body:expr) => {{
        fn f<S: Scalar>([$x, $y]: [S; 2]) -> S {
            $body
        }
        let at: [f64; 2] = $at;
        let [by_x, by_y] = f(Dual::variables(HyperDual::<f64, 2>::variables(at))).gradient();
        let fourth = f(HyperDual::<HyperDual<f64, 2>, 2>::variables(HyperDual::variables(at))).hessian();
        let ([[xxx, xxy], [_, xyy]], [[xxy_again, xyy_again], [_, yyy]]) = (by_x.hessian(), by_y.hessian());
        assert_close([xxy, xyy], [xxy_again, xyy_again]);
        let xxyy = fourth[0][0].hessian()[1][1];
        assert_close([fourth[1][1].hessian()[0][0], fourth[0][1].hessian()[0][1], fourth[1][0].hessian()[1][0]], [xxyy; 3]);
        [xxx, xxy, xyy, yyy, xxyy]
    }};
}

#[test]
fn functions_of_two_variables_have_their_higher_partials_in_any_order() {
    // By mpmath.
    assert_close(partials!([1.5, 2.25], |x, y| x / y), [0.0, 0.0, 0.175_582_990_397_805_2, -0.351_165_980_795_610_4, 0.0]);
    assert_close(
        partials!([1.5, 2.25], |x, y| x.hypot(y)),
        [
            -0.157_547_984_726_692_3,
            -0.008_752_665_818_149_572,
            0.081_691_547_636_062_67,
            -0.105_031_989_817_794_86,
            -0.060_445_760_521_921_83,
        ],
    );
    assert_close(
        partials!([0.375, 3.5], |x, y| x.atan2(y)),
        [
            -0.043_524_551_591_892_63,
            0.014_433_575_822_769_074,
            0.043_524_551_591_892_63,
            -0.014_433_575_822_769_074,
            -0.016_183_014_713_136_302,
        ],
    );
    assert_close(
        partials!([1.5, 2.25], |x, y| x.powf(y)),
        [
            0.518_757_149_859_525_7,
            5.135_414_262_049_181,
            1.960_212_473_675_206,
            0.165_983_835_161_849_03,
            5.866_118_303_086_87,
        ],
    );
    assert_close(
        partials!([0.375, 3.5], |x, y| x.powf(y)),
        [
            8.037_388_218_507_303,
            -0.592_988_390_315_404_1,
            0.121_028_648_912_754_43,
            -0.030_471_207_693_304_02,
            -0.310_524_110_314_544_7,
        ],
    );
    assert_close(
        partials!([1.5, 2.25], |x, y| x.log(y)),
        [
            0.730_756_581_444_868_6,
            0.300_377_914_495_307_4,
            0.694_134_003_357_664,
            -1.002_646_180_642_664_2,
            -0.462_756_002_238_442_6,
        ],
    );
}

#[test]
fn integer_powers_at_zero_are_finite_at_every_order() {
    for n in 0..6_i32 {
        // Only the derivative of order n is there: n!.
        let expected: [f64; 5] =
            std::array::from_fn(|order| if order as i32 == n { (1..=n).product::<i32>().into() } else { 0.0 });
        assert_eq!(parts_of_two_in_two(two_in_two(0.0).powi(n)), expected, "powi, {n}");
        assert_eq!(parts_of_two_in_two(two_in_two(0.0).powf(TwoInTwo::lifted(n.into()))), expected, "powf, {n}");
    }
}

#[test]
fn exponentials_with_a_live_exponent_of_zero_keep_every_order() {
    let ln2 = std::f64::consts::LN_2;
    // ln(2)^k, and by mpmath.
    assert_close(
        derivatives!(0.0, |y| S::literal(2.0).powf(y)),
        [1.0, ln2, 0.480_453_013_918_201_4, 0.333_024_651_988_929_5, 0.230_835_098_583_083_45],
    );
    assert_close(
        derivatives!(0.0, |t| (S::literal(2.0) + t).powf(t)),
        [1.0, ln2, 1.480_453_013_918_201_4, 1.662_466_193_668_765_4, 5.034_111_640_412_456],
    );
}

#[test]
fn singular_points_give_the_one_sided_limits_at_every_order() {
    const INF: f64 = f64::INFINITY;
    assert_eq!(derivatives!(0.0, |x| x.sqrt()), [0.0, INF, -INF, INF, -INF]);
    assert_eq!(derivatives!(0.0, |x| x.ln()), [-INF, INF, -INF, INF, -INF]);
    assert_eq!(derivatives!(0.0, |x| x.recip()), [INF, -INF, INF, -INF, INF]);
    assert_eq!(derivatives!(0.0, |x| x.powf(S::literal(2.5))), [0.0, 0.0, 0.0, INF, -INF]);
    assert_eq!(derivatives!(1.0, |x| x.asin())[1..], [INF; 4]);
}

#[test]
fn kinks_are_the_same_at_every_order() {
    assert_eq!(derivatives!(0.0, |x| x.abs()), [0.0; 5]);
    assert_eq!(derivatives!(0.0, |x| (-(x * x)).abs()), [0.0, 0.0, 2.0, 0.0, 0.0]);
    assert_eq!(derivatives!(1.0, |x| (x * x).max(x)), [1.0, 2.0, 2.0, 0.0, 0.0]);
    assert_eq!(derivatives!(2.5, |x| x.floor()), [2.0, 0.0, 0.0, 0.0, 0.0]);
    // x^3 changes its sign, x^4 does not.
    assert_eq!(parts_of_two_in_two(two_in_two(0.0).powi(3).abs()), [0.0; 5]);
    assert_eq!(parts_of_two_in_two((-two_in_two(0.0).powi(4)).abs()), [0.0, 0.0, 0.0, 0.0, 24.0]);
}

#[test]
fn constants_stay_constants_at_every_order() {
    let singular: [fn(TwoInTwo) -> TwoInTwo; 8] =
        [|c| c.sqrt(), |c| c.ln(), |c| c.recip(), |c| c.powi(-1), |c| c.powf(c), |c| c.hypot(c), |c| c.atan2(c), |c| c / c];
    for (position, f) in singular.into_iter().enumerate() {
        let found = parts_of_two_in_two(two_in_two(3.0) + f(TwoInTwo::lifted(0.0)));
        assert_eq!(found[1..], [1.0, 0.0, 0.0, 0.0], "function {position}");
    }
}

#[test]
fn a_constant_of_one_level_may_be_live_at_the_other() {
    let x: HyperDual<Dual<f64, 1>, 1> = HyperDual::variable(Dual::constant(3.0), 0);
    let y = HyperDual::constant(Dual::variable(0.0, 0));
    let found = x + y.sqrt();
    assert_eq!((found.value().value(), found.value().gradient()), (3.0, [f64::INFINITY]));
    assert!(found.gradient()[0].same(&Dual::constant(1.0)));
    assert!(found.hessian()[0][0].same(&Dual::constant(0.0)));
}

#[test]
fn tags_are_not_confused_in_the_example_of_siskind_and_pearlmutter() {
    // d/dx [x d/dy (x + y) at y = 1] at x = 1: confused programs say 2.
    let found = gradient(|[x]| x * gradient(|[y]| y + x, [Dual::constant(1.0)]).gradient[0], [1.0]);
    assert_eq!(found.gradient, [1.0]);
    // d/dx [x d/dy (x y) at y = 2] at x = 3, which is that of x^2.
    let found = gradient(|[x]| x * gradient(|[y]| y * x, [Dual::constant(2.0)]).gradient[0], [3.0]);
    assert_eq!(found.gradient, [6.0]);
}

#[test]
fn derivative_of_a_shifted_derivative_is_the_second() {
    // d/du at u = 0 of d/dx sin(x + u) at x = 0.5.
    let found = gradient(|[u]| gradient(|[x]| (x + u).sin(), [Dual::constant(0.5)]).gradient[0], [0.0]);
    assert_eq!((found.value, found.gradient), (0.5_f64.cos(), [-0.5_f64.sin()]));
}

#[test]
fn inner_derivative_at_a_live_point_moves_with_it() {
    // d/dx [d^2/dy^2 (x^2 y^3) at y = x] at x = 2, which is that of 6 x^3.
    let found = gradient(|[x]| hessian(|[y]| y.powi(3) * (x * x), [x]).hessian[0][0], [2.0]);
    assert_eq!((found.value, found.gradient), (48.0, [72.0]));
    let found = second_derivative(|x| gradient(|[y]| y.powi(3) * (x * x), [x]).gradient[0], 2.0);
    assert_eq!((found.value, found.first, found.second), (48.0, 96.0, 144.0));
}
