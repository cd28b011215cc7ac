//! Random expressions that run on any kind of number, and how sensitive their results are to rounding.

use proptest::prelude::*;
use tapeless::{HyperDual, Scalar};

/// Every expression is a function of so many variables.
pub const VARIABLES: usize = 3;

/// The number whose derivatives are checked.
pub type Number = HyperDual<f64, VARIABLES>;

/// Arguments for which a function is smooth and does not overflow.
#[derive(Clone, Copy)]
enum Domain {
    Everywhere,
    Positive,
    AboveOne,
    /// Between -1 and 1.
    Unit,
    /// Between -1.25 and 1.25.
    Small,
}

impl Domain {
    /// An expression whose values are in the domain.
    fn holding(self, argument: Expression) -> Expression {
        let squared_plus = |shift, x| Expression::pair(Pair::Add, Expression::Constant(shift), Parametrized::Powi(2).of(x));
        let factor = |factor, x| Parametrized::Scale(factor).of(x);
        match self {
            Self::Everywhere => argument,
            Self::Positive => squared_plus(0.5, argument),
            Self::AboveOne => squared_plus(1.25, argument),
            Self::Unit => factor(0.9, Function::Sin.of(argument)),
            Self::Small => factor(1.25, Function::Tanh.of(argument)),
        }
    }
}

macro_rules! functions {
    ($($variant:ident $method:ident $domain:ident;)*) => {
        /// A function of one number.
        #[derive(Clone, Copy, Debug)]
        pub enum Function {
            $($variant,)*
        }

        impl Function {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub fn apply<S: Scalar>(self, x: S) -> S {
                match self {
                    $(Self::$variant => x.$method(),)*
                }
            }

            fn domain(self) -> Domain {
                match self {
                    $(Self::$variant => Domain::$domain,)*
                }
            }
        }
    };
}

functions! {
    Neg neg Everywhere;
    Recip recip Positive;
    Sqrt sqrt Positive;
    Cbrt cbrt Positive;
    Exp exp Small;
    Exp2 exp2 Small;
    ExpM1 exp_m1 Small;
    Ln ln Positive;
    Ln1p ln_1p Positive;
    Log2 log2 Positive;
    Log10 log10 Positive;
    Sin sin Everywhere;
    Cos cos Everywhere;
    Tan tan Small;
    Asin asin Unit;
    Acos acos Unit;
    Atan atan Everywhere;
    Sinh sinh Small;
    Cosh cosh Small;
    Tanh tanh Everywhere;
    Asinh asinh Everywhere;
    Acosh acosh AboveOne;
    Atanh atanh Unit;
    Erf erf Everywhere;
    Erfc erfc Everywhere;
    Sigmoid sigmoid Everywhere;
    Softplus softplus Everywhere;
    Silu silu Everywhere;
    Gelu gelu Everywhere;
    GeluTanh gelu_tanh Everywhere;
    Mish mish Everywhere;
    Sinc sinc Everywhere;
    Gaussian gaussian Everywhere;
    ToDegrees to_degrees Everywhere;
    ToRadians to_radians Everywhere;
    Abs abs Everywhere;
    Relu relu Everywhere;
    Floor floor Everywhere;
    Ceil ceil Everywhere;
    Round round Everywhere;
    Trunc trunc Everywhere;
    Fract fract Everywhere;
    Signum signum Everywhere;
}

impl Function {
    fn of(self, argument: Expression) -> Expression {
        Expression::Call(self, Box::new(argument))
    }

    /// Which of its smooth pieces the function is on.
    fn piece(self, x: f64) -> f64 {
        match self {
            Self::Abs | Self::Relu | Self::Signum => x.signum(),
            Self::Floor => x.floor(),
            Self::Ceil => x.ceil(),
            Self::Round => x.round(),
            Self::Trunc | Self::Fract => x.trunc(),
            _ => 0.0,
        }
    }
}

/// A function of one number with a plain parameter.
#[derive(Clone, Copy, Debug)]
pub enum Parametrized {
    Powi(i32),
    Powf(f64),
    Scale(f64),
    LeakyRelu(f64),
    Elu(f64),
}

impl Parametrized {
    fn apply<S: Scalar>(self, x: S) -> S {
        let plain = |parameter| S::literal(parameter).primitive();
        match self {
            Self::Powi(exponent) => x.powi(exponent),
            Self::Powf(exponent) => x.powf(S::literal(exponent)),
            Self::Scale(factor) => x.scale(plain(factor)),
            Self::LeakyRelu(slope) => x.leaky_relu(plain(slope)),
            Self::Elu(alpha) => x.elu(plain(alpha)),
        }
    }

    fn domain(self) -> Domain {
        match self {
            Self::Powf(_) | Self::Powi(..0) => Domain::Positive,
            _ => Domain::Everywhere,
        }
    }

    fn of(self, argument: Expression) -> Expression {
        Expression::WithParameter(self, Box::new(argument))
    }
}

/// A function of two numbers.
#[derive(Clone, Copy, Debug)]
pub enum Pair {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Powf,
    Log,
    Hypot,
    Atan2,
    Max,
    Min,
    AbsSub,
    Copysign,
}

impl Pair {
    pub const ALL: &[Self] = &[
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Rem,
        Self::Powf,
        Self::Log,
        Self::Hypot,
        Self::Atan2,
        Self::Max,
        Self::Min,
        Self::AbsSub,
        Self::Copysign,
    ];

    pub fn apply<S: Scalar>(self, a: S, b: S) -> S {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Div => a / b,
            Self::Rem => a % b,
            Self::Powf => a.powf(b),
            Self::Log => a.log(b),
            Self::Hypot => a.hypot(b),
            Self::Atan2 => a.atan2(b),
            Self::Max => a.max(b),
            Self::Min => a.min(b),
            Self::AbsSub => a.abs_sub(b),
            Self::Copysign => a.copysign(b),
        }
    }

    fn domains(self) -> (Domain, Domain) {
        match self {
            Self::Div | Self::Rem | Self::Hypot => (Domain::Everywhere, Domain::Positive),
            Self::Powf => (Domain::Positive, Domain::Small),
            Self::Log => (Domain::Positive, Domain::AboveOne),
            _ => (Domain::Everywhere, Domain::Everywhere),
        }
    }

    /// Which of its smooth pieces the function is on.
    fn piece(self, a: f64, b: f64) -> (f64, f64) {
        match self {
            Self::Rem => ((a / b).trunc(), 0.0),
            Self::Atan2 | Self::Copysign => (a.signum(), b.signum()),
            Self::Max | Self::Min | Self::AbsSub => ((a - b).signum(), 0.0),
            _ => (0.0, 0.0),
        }
    }
}

/// A formula of the variables.
#[derive(Clone, Debug)]
pub enum Expression {
    Variable(usize),
    Constant(f64),
    Call(Function, Box<Self>),
    WithParameter(Parametrized, Box<Self>),
    Pair(Pair, Box<Self>, Box<Self>),
    MulAdd(Box<Self>, Box<Self>, Box<Self>),
}

impl Expression {
    pub fn pair(function: Pair, a: Self, b: Self) -> Self {
        Self::Pair(function, Box::new(a), Box::new(b))
    }

    pub fn evaluate<S: Scalar>(&self, point: &[S]) -> S {
        self.watched(point, &mut |x| x)
    }

    /// The value and derivatives at a point.
    pub fn differentiated(&self, point: [f64; VARIABLES]) -> Number {
        self.evaluate(&HyperDual::variables(point))
    }

    /// As `evaluate`, with every intermediate result handed to `watch` and what that gives put in its place.
    pub fn watched<S: Scalar>(&self, point: &[S], watch: &mut dyn FnMut(S) -> S) -> S {
        let result = match self {
            Self::Variable(index) => point[*index],
            Self::Constant(value) => S::literal(*value),
            Self::Call(function, x) => function.apply(x.watched(point, watch)),
            Self::WithParameter(function, x) => function.apply(x.watched(point, watch)),
            Self::Pair(function, a, b) => function.apply(a.watched(point, watch), b.watched(point, watch)),
            Self::MulAdd(x, a, b) => x.watched(point, watch).mul_add(a.watched(point, watch), b.watched(point, watch)),
        };
        watch(result)
    }

    /// On which smooth piece of each of its functions the expression is at a point.
    pub fn pieces(&self, point: &[f64]) -> Vec<(f64, f64)> {
        match self {
            Self::Variable(_) | Self::Constant(_) => Vec::new(),
            Self::Call(function, x) => [x.pieces(point), vec![(function.piece(x.evaluate(point)), 0.0)]].concat(),
            Self::WithParameter(_, x) => [x.pieces(point), vec![(x.evaluate(point).signum(), 0.0)]].concat(),
            Self::Pair(function, a, b) => {
                let piece = function.piece(a.evaluate(point), b.evaluate(point));
                [a.pieces(point), b.pieces(point), vec![piece]].concat()
            }
            Self::MulAdd(x, a, b) => [x.pieces(point), a.pieces(point), b.pieces(point)].concat(),
        }
    }

    /// Whether every intermediate number, derivatives included, is below a million.
    pub fn is_moderate(&self, point: [f64; VARIABLES]) -> bool {
        let mut moderate = true;
        self.watched(&Number::variables(point), &mut |x| {
            moderate &= components(&x).iter().all(|component| component.abs() < 1e6);
            x
        });
        moderate
    }

    /// How far each component of the result may be off per relative error of every component of every intermediate
    /// number: the largest change in a few trials with tiny random errors.
    pub fn sensitivity(&self, point: [f64; VARIABLES]) -> Vec<f64> {
        const TRIALS: u64 = 6;
        let error = 2.0_f64.powi(-30);
        let exact = components(&self.differentiated(point));
        let mut largest = vec![0.0; exact.len()];
        for trial in 0..TRIALS {
            let mut signs = Signs(trial);
            let mut disturbed = |x: f64| x * (1.0 + error * signs.next());
            let result = self.watched(&Number::variables(point), &mut |x| {
                let mut triangle = [0.0; VARIABLES * (VARIABLES + 1) / 2];
                triangle.copy_from_slice(x.packed_hessian());
                HyperDual::from_parts(disturbed(x.value()), x.gradient().map(&mut disturbed), triangle.map(&mut disturbed))
            });
            for ((largest, x), exact) in largest.iter_mut().zip(components(&result)).zip(&exact) {
                *largest = f64::max(*largest, ((x - exact) / error).abs());
            }
        }
        largest
    }
}

/// Random signs (SplitMix64).
struct Signs(u64);

impl Signs {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if mixed >> 63 == 0 { 1.0 } else { -1.0 }
    }
}

/// Value, gradient and upper triangle of the Hessian, one after the other.
pub fn components<const N: usize>(x: &HyperDual<f64, N>) -> Vec<f64>
where
    tapeless::Const<N>: tapeless::Packed,
{
    [&[x.value()], x.gradient().as_slice(), x.packed_hessian()].concat()
}

/// Fails unless every component is within `factor` units of rounding times its sensitivity.
pub fn assert_close(found: &[f64], expected: &[f64], sensitivity: &[f64], factor: f64) -> Result<(), TestCaseError> {
    for (i, ((found, expected), sensitivity)) in found.iter().zip(expected).zip(sensitivity).enumerate() {
        let bound = factor * f64::EPSILON * (sensitivity + expected.abs()) + f64::MIN_POSITIVE;
        prop_assert!((found - expected).abs() <= bound, "component {i}: {found:e} is not {expected:e} +- {bound:e}");
    }
    Ok(())
}

/// Any moderate point.
pub fn points() -> impl Strategy<Value = [f64; VARIABLES]> {
    prop::array::uniform(-2.0..2.0)
}

/// Expressions that are defined everywhere, and smooth up to kinks and jumps.
pub fn expressions() -> BoxedStrategy<Expression> {
    expressions_with(true)
}

/// Expressions that may leave the domain of their functions.
pub fn wild_expressions() -> BoxedStrategy<Expression> {
    expressions_with(false)
}

fn expressions_with(guarded: bool) -> BoxedStrategy<Expression> {
    let inside = move |domain: Domain, argument| if guarded { domain.holding(argument) } else { argument };
    // The sign of a NaN is not defined, so it must not decide.
    let pairs = if guarded { Pair::ALL } else { Pair::ALL.split_last().unwrap().1 };
    let leaf = prop_oneof![
        4 => (0..VARIABLES).prop_map(Expression::Variable),
        1 => prop_oneof![(-3.0..3.0).boxed(), (-3..=3).prop_map(f64::from).boxed()].prop_map(Expression::Constant),
    ];
    let parametrized = prop_oneof![
        (-4..=7).prop_map(Parametrized::Powi),
        (-3.0..4.0).prop_map(Parametrized::Powf),
        (-3.0..3.0).prop_map(Parametrized::Scale),
        (-0.5..0.5).prop_map(Parametrized::LeakyRelu),
        (0.2..2.0).prop_map(Parametrized::Elu),
    ];
    let larger = |inner: BoxedStrategy<Expression>| {
        prop_oneof![
            5 => (prop::sample::select(Function::ALL), inner.clone())
                .prop_map(move |(function, x)| function.of(inside(function.domain(), x))),
            1 => (parametrized.clone(), inner.clone())
                .prop_map(move |(function, x)| function.of(inside(function.domain(), x))),
            3 => (prop::sample::select(&[Pair::Add, Pair::Sub, Pair::Mul]), inner.clone(), inner.clone())
                .prop_map(|(function, a, b)| Expression::pair(function, a, b)),
            3 => (prop::sample::select(pairs), inner.clone(), inner.clone()).prop_map(move |(function, a, b)| {
                let (of_a, of_b) = function.domains();
                Expression::pair(function, inside(of_a, a), inside(of_b, b))
            }),
            1 => (inner.clone(), inner.clone(), inner)
                .prop_map(|(x, a, b)| Expression::MulAdd(Box::new(x), Box::new(a), Box::new(b))),
        ]
    };
    // Five levels of functions over the variables, some branches shorter: a dozen nodes in the middle, hundreds at most.
    (0..5).fold(leaf.clone().boxed(), |inner, _| prop_oneof![1 => leaf.clone(), 5 => larger(inner)].boxed())
}
