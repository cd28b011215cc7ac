//! The float types in SIMD registers: one set of names over `pulp`'s, so that kernels are generic over f32 and f64 and over
//! the instruction set.

use pulp::Simd;

use crate::number::Real;

/// A float type with its vectors on any instruction set.
pub(crate) trait SimdReal: Real {
    /// A register of floats.
    type Vector<S: Simd>: Copy + Send + Sync + 'static;
    /// The same register as unsigned integers.
    type Bits<S: Simd>: Copy;
    /// The result of a comparison.
    type MaskVector<S: Simd>: Copy;

    /// Numbers for vector functions.
    const CONSTANTS: Constants;

    fn lanes<S: Simd>() -> usize;
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Vector<S>;
    fn plus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn minus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn times<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn over<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// a * b + c, rounded once where the instruction set can.
    fn times_plus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>, c: Self::Vector<S>) -> Self::Vector<S>;
    fn negated<S: Simd>(simd: S, a: Self::Vector<S>) -> Self::Vector<S>;
    fn absolute<S: Simd>(simd: S, a: Self::Vector<S>) -> Self::Vector<S>;
    fn less_than<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::MaskVector<S>;
    fn select<S: Simd>(simd: S, mask: Self::MaskVector<S>, yes: Self::Vector<S>, no: Self::Vector<S>) -> Self::Vector<S>;
    fn largest<S: Simd>(simd: S, a: Self::Vector<S>) -> Self;
    /// The sum of all lanes.
    #[cfg(feature = "train")]
    fn total<S: Simd>(simd: S, a: Self::Vector<S>) -> Self;
    fn to_integer_bits<S: Simd>(simd: S, a: Self::Vector<S>) -> Self::Bits<S>;
    fn from_integer_bits<S: Simd>(simd: S, a: Self::Bits<S>) -> Self::Vector<S>;
    fn splat_bits<S: Simd>(simd: S, bits: u64) -> Self::Bits<S>;
    fn and_bits<S: Simd>(simd: S, a: Self::Bits<S>, b: Self::Bits<S>) -> Self::Bits<S>;
    fn or_bits<S: Simd>(simd: S, a: Self::Bits<S>, b: Self::Bits<S>) -> Self::Bits<S>;
    fn multiply_bits<S: Simd>(simd: S, a: Self::Bits<S>, b: Self::Bits<S>) -> Self::Bits<S>;
    fn equal_bits<S: Simd>(simd: S, a: Self::Bits<S>, b: Self::Bits<S>) -> Self::MaskVector<S>;
    /// The numbers as bytes, the lowest first.
    #[cfg(feature = "train")]
    fn to_bytes(numbers: &[Self]) -> Vec<u8>;
    /// The numbers of which these are the bytes; a rest that is no whole number is left out.
    #[cfg(feature = "train")]
    fn from_bytes(bytes: &[u8]) -> Vec<Self>;
    /// The slice as whole vectors, and what does not fill one.
    fn vectors<S: Simd>(slice: &[Self]) -> (&[Self::Vector<S>], &[Self]);
    /// The slice as whole vectors, and what does not fill one.
    fn vectors_mut<S: Simd>(slice: &mut [Self]) -> (&mut [Self::Vector<S>], &mut [Self]);
}

/// Numbers for vector functions, per float type.
pub(crate) struct Constants {
    /// The bit of the sign.
    pub sign: u64,
    /// The bits that `upper_half` keeps.
    pub upper_half: u64,
    /// 1.5 * 2^(bits of the significand - 1): adding it rounds to a whole number, which then lies in the lowest bits.
    pub rounder: f64,
    /// The bias of the exponent.
    pub bias: f64,
    /// A one in the lowest bit of the exponent.
    pub exponent_one: u64,
    /// Arguments of exp below and above which it is 0 and infinite.
    pub exp_range: (f64, f64),
    /// ln 2 with trailing zeros, and the rest.
    pub ln_2: (f64, f64),
    /// Series of (exp(r) - 1 - r)/r^2 in r, for |r| <= ln(2)/2.
    pub exp: &'static [f64],
    /// Series of 2 atanh(s)/s in s^2, for s up to 1/3.
    pub atanh: &'static [f64],
    /// pi/2 in parts with trailing zeros, so that products with small whole numbers are exact, and the rest.
    pub half_pi: [f64; 4],
    /// Arguments of sin and cos above which these parts don't suffice.
    pub trigonometric_limit: f64,
    /// Series of (sin(r) - r)/r^3 in r^2, for |r| <= pi/4.
    pub sine: &'static [f64],
    /// Series of (cos(r) - 1)/r^2 in r^2, for |r| <= pi/4.
    pub cosine: &'static [f64],
    /// Series of erf(x)/x in x^2, for |x| <= 0.9.
    pub erf: &'static [f64],
    /// erfc(a) exp(a^2) (1 + 2a) as a polynomial in (a - c)/(a + c), constant term first, and c. Chebyshev interpolation;
    /// relative error 6e-18 (f64) and 4e-9 (f32).
    pub erfc: (f64, &'static [f64]),
}

/// Whether a * b + c is one instruction. Plain vectors, four floats in sixteen registers, would call a function for each float.
const fn has_fused_multiply_add<S: Simd>() -> bool {
    S::REGISTER_COUNT >= 32 || S::F32_LANES > 4
}

macro_rules! simd_real {
    (
        $float:ident $vector:ident $bits:ident $mask:ident $lanes:ident $integer:ident $constants:expr,
        $splat:ident $add:ident $subtract:ident $multiply:ident $divide:ident $multiply_add:ident
        $less:ident $select:ident $largest:ident $total:ident $to_bits:ident $from_bits:ident $splat_bits:ident
        $and_bits:ident $or_bits:ident $multiply_bits:ident $equal_bits:ident $vectors:ident $vectors_mut:ident
    ) => {
        impl SimdReal for $float {
            type Vector<S: Simd> = S::$vector;
            type Bits<S: Simd> = S::$bits;
            type MaskVector<S: Simd> = S::$mask;

            const CONSTANTS: Constants = $constants;

            #[inline(always)]
            fn lanes<S: Simd>() -> usize {
                S::$lanes
            }
            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> S::$vector {
                simd.$splat(value)
            }
            #[inline(always)]
            fn plus<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$add(a, b)
            }
            #[inline(always)]
            fn minus<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$subtract(a, b)
            }
            #[inline(always)]
            fn times<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$multiply(a, b)
            }
            #[inline(always)]
            fn over<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$divide(a, b)
            }
            #[inline(always)]
            fn times_plus<S: Simd>(simd: S, a: S::$vector, b: S::$vector, c: S::$vector) -> S::$vector {
                if has_fused_multiply_add::<S>() { simd.$multiply_add(a, b, c) } else { simd.$add(simd.$multiply(a, b), c) }
            }
            #[inline(always)]
            fn negated<S: Simd>(simd: S, a: S::$vector) -> S::$vector {
                // pulp's own negation and absolute value don't inline on AVX-512.
                simd.$subtract(simd.$splat(-0.0), a)
            }
            #[inline(always)]
            fn absolute<S: Simd>(simd: S, a: S::$vector) -> S::$vector {
                let magnitude = simd.$splat_bits(!(Self::CONSTANTS.sign as $integer));
                simd.$from_bits(simd.$and_bits(simd.$to_bits(a), magnitude))
            }
            #[inline(always)]
            fn less_than<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$mask {
                simd.$less(a, b)
            }
            #[inline(always)]
            fn select<S: Simd>(simd: S, mask: S::$mask, yes: S::$vector, no: S::$vector) -> S::$vector {
                simd.$select(mask, yes, no)
            }
            #[inline(always)]
            fn largest<S: Simd>(simd: S, a: S::$vector) -> Self {
                simd.$largest(a)
            }
            #[cfg(feature = "train")]
            #[inline(always)]
            fn total<S: Simd>(simd: S, a: S::$vector) -> Self {
                simd.$total(a)
            }
            #[inline(always)]
            fn to_integer_bits<S: Simd>(simd: S, a: S::$vector) -> S::$bits {
                simd.$to_bits(a)
            }
            #[inline(always)]
            fn from_integer_bits<S: Simd>(simd: S, a: S::$bits) -> S::$vector {
                simd.$from_bits(a)
            }
            #[inline(always)]
            fn splat_bits<S: Simd>(simd: S, bits: u64) -> S::$bits {
                simd.$splat_bits(bits as $integer)
            }
            #[inline(always)]
            fn and_bits<S: Simd>(simd: S, a: S::$bits, b: S::$bits) -> S::$bits {
                simd.$and_bits(a, b)
            }
            #[inline(always)]
            fn or_bits<S: Simd>(simd: S, a: S::$bits, b: S::$bits) -> S::$bits {
                simd.$or_bits(a, b)
            }
            #[inline(always)]
            fn multiply_bits<S: Simd>(simd: S, a: S::$bits, b: S::$bits) -> S::$bits {
                simd.$multiply_bits(a, b)
            }
            #[inline(always)]
            fn equal_bits<S: Simd>(simd: S, a: S::$bits, b: S::$bits) -> S::$mask {
                simd.$equal_bits(a, b)
            }
            #[cfg(feature = "train")]
            fn to_bytes(numbers: &[Self]) -> Vec<u8> {
                numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
            }
            #[cfg(feature = "train")]
            fn from_bytes(bytes: &[u8]) -> Vec<Self> {
                bytes.as_chunks().0.iter().map(|&bytes| $float::from_le_bytes(bytes)).collect()
            }
            #[inline(always)]
            fn vectors<S: Simd>(slice: &[Self]) -> (&[S::$vector], &[Self]) {
                S::$vectors(slice)
            }
            #[inline(always)]
            fn vectors_mut<S: Simd>(slice: &mut [Self]) -> (&mut [S::$vector], &mut [Self]) {
                S::$vectors_mut(slice)
            }
        }
    };
}

simd_real!(
    f32 f32s u32s m32s F32_LANES u32
    Constants {
        sign: 1 << 31,
        upper_half: 0xffff_f000,
        rounder: 12_582_912.0,
        bias: 127.0,
        exponent_one: 1 << 23,
        exp_range: (-104.0, 89.0),
        ln_2: (0.693_145_751_953_125, 1.428_606_820_309_417_3e-6),
        exp: &exp::<6>(),
        atanh: &atanh::<9>(),
        half_pi: [1.570_312_5, 0.000_483_751_296_997_070_3, 7.549_533_620_476_723e-8, 2.563_344_068_257_089_6e-12],
        trigonometric_limit: 6000.0,
        sine: &sine::<4>(),
        cosine: &cosine::<5>(),
        erf: &erf::<10>(),
        erfc: (2.0, &[
            1.276_978_381_552_528_7, -0.092_763_759_813_539_37, -0.166_030_391_287_453_9, 0.164_049_395_350_700_92,
            -0.054_220_186_051_100_92, -0.008_018_635_692_177_229, 0.008_724_294_537_976_394, 0.001_216_665_496_014_119_7,
            -0.001_463_511_670_168_940_4, -0.000_357_177_892_462_553_4, 0.000_221_105_452_494_922_25,
            0.000_063_100_185_458_788_25, -0.000_020_108_931_189_167_09,
        ]),
    },
    splat_f32s add_f32s sub_f32s mul_f32s div_f32s mul_add_e_f32s less_than_f32s select_f32s
    reduce_max_f32s reduce_sum_f32s transmute_u32s_f32s transmute_f32s_u32s splat_u32s and_u32s or_u32s mul_u32s equal_u32s
    as_simd_f32s as_mut_simd_f32s
);

simd_real!(
    f64 f64s u64s m64s F64_LANES u64
    Constants {
        sign: 1 << 63,
        upper_half: 0xffff_ffff_f800_0000,
        rounder: 6_755_399_441_055_744.0,
        bias: 1023.0,
        exponent_one: 1 << 52,
        exp_range: (-746.0, 710.0),
        ln_2: (0.693_147_180_559_890_3, 5.497_923_018_708_371e-14),
        exp: &exp::<12>(),
        atanh: &atanh::<18>(),
        half_pi: [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21, 0.0],
        trigonometric_limit: 1_000_000.0,
        sine: &sine::<8>(),
        cosine: &cosine::<9>(),
        erf: &erf::<19>(),
        erfc: (3.75, &[
            1.237_512_630_837_827_5, -0.140_240_598_585_546_97, 0.003_585_415_485_463_775, 0.082_276_738_490_145_16,
            -0.108_803_930_141_717_85, 0.092_304_321_160_378_76, -0.058_693_398_590_212_366, 0.028_362_277_418_940_665,
            -0.009_746_579_552_504_244, 0.001_755_625_853_001_725_7, 0.000_293_713_634_285_008_1,
            -0.000_290_154_080_979_527_1, 5.164_921_139_070_285_5e-5, 2.238_424_031_422_443_7e-5,
            -1.144_441_243_917_217_2e-5, -9.735_619_015_182_663e-7, 1.752_057_970_166_318e-6,
            -5.721_597_255_990_987e-8, -2.591_069_687_796_658e-7, 2.326_191_327_669_656_6e-8,
            3.896_545_254_898_596_6e-8, -3.743_568_033_634_583e-9, -5.284_286_979_631_42e-9, 3.110_310_719_839_165e-10,
            4.434_959_070_009_628e-10,
        ]),
    },
    splat_f64s add_f64s sub_f64s mul_f64s div_f64s mul_add_e_f64s less_than_f64s select_f64s
    reduce_max_f64s reduce_sum_f64s transmute_u64s_f64s transmute_f64s_u64s splat_u64s and_u64s or_u64s mul_u64s equal_u64s
    as_simd_f64s as_mut_simd_f64s
);

const fn factorial(n: usize) -> f64 {
    let mut product = 1.0;
    let mut k = 2;
    while k <= n {
        product *= k as f64;
        k += 1;
    }
    product
}

/// A function that makes the first `N` coefficients of a power series.
macro_rules! series {
    ($($name:ident: |$k:ident| $coefficient:expr;)*) => {$(
        const fn $name<const N: usize>() -> [f64; N] {
            let mut coefficients = [0.0; N];
            let mut $k = 0;
            while $k < N {
                coefficients[$k] = $coefficient;
                $k += 1;
            }
            coefficients
        }
    )*};
}

series! {
    exp: |k| 1.0 / factorial(k + 2);
    atanh: |k| 2.0 / (2 * k + 1) as f64;
    sine: |k| alternating(k + 1) / factorial(2 * k + 3);
    cosine: |k| alternating(k + 1) / factorial(2 * k + 2);
    erf: |k| std::f64::consts::FRAC_2_SQRT_PI * alternating(k) / (factorial(k) * (2 * k + 1) as f64);
}

/// (-1)^k
const fn alternating(k: usize) -> f64 {
    if k.is_multiple_of(2) { 1.0 } else { -1.0 }
}
