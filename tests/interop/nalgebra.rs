use nalgebra::{ComplexField, DMatrix, DVector, Matrix2, Matrix3, RealField, SMatrix, SVector, Vector2, Vector3};
use tapeless::{Dual, HyperDual, Scalar, hessian};

type Number = HyperDual<f64, 2>;

/// Whether every component of two numbers is the same within rounding.
fn assert_close<const N: usize>(a: SVector<Number, N>, b: SVector<Number, N>) {
    approx::assert_relative_eq!(a, b, epsilon = Number::constant(1e-13), max_relative = Number::constant(1e-12));
}

/// A symmetric positive definite matrix that depends on x and y, and a right side.
fn system([x, y]: [Number; 2]) -> (Matrix2<Number>, Vector2<Number>) {
    let off_diagonal = x * y;
    (Matrix2::new(x.exp() + 2.0, off_diagonal, off_diagonal, y * y + 3.0), Vector2::new(x.sin(), y))
}

/// Its solution by Cramer's rule.
fn cramer((a, b): (Matrix2<Number>, Vector2<Number>)) -> Vector2<Number> {
    let determinant = a[(0, 0)] * a[(1, 1)] - a[(0, 1)] * a[(1, 0)];
    Vector2::new((b[0] * a[(1, 1)] - a[(0, 1)] * b[1]) / determinant, (a[(0, 0)] * b[1] - a[(1, 0)] * b[0]) / determinant)
}

#[test]
fn lu_qr_and_cholesky_solve_with_derivatives() {
    let (a, b) = system(Number::variables([0.4, -0.7]));
    let expected = cramer((a, b));
    assert_close(a.lu().solve(&b).unwrap(), expected);
    assert_close(a.full_piv_lu().solve(&b).unwrap(), expected);
    assert_close(a.qr().solve(&b).unwrap(), expected);
    assert_close(a.cholesky().unwrap().solve(&b), expected);
    assert_close(a.try_inverse().unwrap() * b, expected);
}

#[test]
fn matrices_sized_at_run_time_solve_too() {
    let (a, b) = system(Number::variables([0.4, -0.7]));
    let dynamic = DMatrix::from_column_slice(2, 2, a.as_slice());
    let solution = dynamic.lu().solve(&DVector::from_column_slice(b.as_slice())).unwrap();
    assert_close(Vector2::from_column_slice(solution.as_slice()), cramer((a, b)));
}

#[test]
fn a_pivot_of_zero_that_moves_is_exchanged() {
    let [x, y] = Number::variables([0.0, 2.0]);
    let a = Matrix2::new(x, y, y, x);
    let b = Vector2::new(y, x);
    assert_close(a.lu().solve(&b).unwrap(), cramer((a, b)));
}

#[test]
fn the_determinant_has_its_closed_forms_derivatives() {
    let at = hessian(|[x, y]| Matrix3::new(x, y, x * y, y, x + 1.0, y, x, y, y * y).determinant(), [1.5, -0.5]);
    let expected = hessian(
        |[x, y]| x * ((x + 1.0) * y * y - y * y) - y * (y * y * y - x * y) + x * y * (y * y - x * (x + 1.0)),
        [1.5, -0.5],
    );
    approx::assert_relative_eq!(at.value, expected.value, max_relative = 1e-13);
    for i in 0..2 {
        approx::assert_relative_eq!(at.gradient[i], expected.gradient[i], epsilon = 1e-13, max_relative = 1e-13);
        for j in 0..2 {
            approx::assert_relative_eq!(at.hessian[i][j], expected.hessian[i][j], epsilon = 1e-13, max_relative = 1e-13);
        }
    }
}

#[test]
fn eigenvalues_of_a_symmetric_matrix_have_their_closed_forms_derivatives() {
    // [[1, x], [x, 2]] has the eigenvalues (3 +- sqrt(1 + 4 x^2)) / 2.
    let x = HyperDual::<f64, 1>::variable(0.1, 0);
    let one = HyperDual::constant(1.0);
    let mut eigenvalues = Matrix2::new(one, x, x, one + 1.0).symmetric_eigenvalues();
    if eigenvalues[0] > eigenvalues[1] {
        eigenvalues.swap_rows(0, 1);
    }
    let root = (x * x * 4.0 + 1.0).sqrt();
    for (found, expected) in eigenvalues.iter().zip([(-root + 3.0) / 2.0, (root + 3.0) / 2.0]) {
        approx::assert_relative_eq!(*found, expected, max_relative = HyperDual::constant(1e-12));
    }
}

#[test]
fn norms_and_dot_products() {
    let [x, y, z] = HyperDual::<f64, 3>::variables([1.0, 2.0, 2.0]);
    let v = Vector3::new(x, y, z);
    assert_eq!(v.norm().value(), 3.0);
    approx::assert_relative_eq!(v.norm(), (x * x + y * y + z * z).sqrt(), max_relative = HyperDual::constant(1e-14));
    assert_eq!(v.dot(&v).hessian(), [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]);
}

#[test]
fn nested_numbers_and_f32_are_fields_too() {
    // The third derivative of 1/(x^3 + 1) by the inverse of a matrix.
    let x = Dual::<HyperDual<f64, 1>, 1>::variable(HyperDual::variable(2.0, 0), 0);
    let cube = x * x * x + HyperDual::constant(1.0);
    let found = SMatrix::<_, 1, 1>::new(cube).try_inverse().unwrap()[0];
    approx::assert_relative_eq!(found, cube.recip(), max_relative = Dual::constant(HyperDual::constant(1e-14)));
    let single = Matrix2::<Dual<f32, 1>>::identity().lu().determinant();
    assert_eq!((single.value(), single.gradient()), (1.0, [0.0]));
}

/// Values and derivatives of the functions that nalgebra has and `Scalar` hasn't.
#[test]
fn cardinal_functions_keep_their_derivatives_at_zero() {
    let x = HyperDual::<f64, 1>::variable(0.0, 0);
    let sinhc = ComplexField::sinhc(x);
    assert_eq!((sinhc.value(), sinhc.gradient(), sinhc.hessian()), (1.0, [0.0], [[1.0 / 3.0]]));
    let sinc = ComplexField::sinc(x);
    assert_eq!((sinc.value(), sinc.gradient(), sinc.hessian()), (1.0, [0.0], [[-1.0 / 3.0]]));
    for cardinal in [ComplexField::cosc(x), ComplexField::coshc(x)] {
        assert_eq!(cardinal.value(), 1.0);
        assert!(!cardinal.gradient()[0].is_finite());
    }
    // sinh(x)/x at 0.999999 and 1.000001, where the series ends: derivative (x cosh x - sinh x)/x^2 to 25 digits by mpmath.
    for (at, slope) in [(0.999_999, 0.367_879_001_729_243_4), (1.000_001, 0.367_879_880_613_866)] {
        let found = ComplexField::sinhc(HyperDual::<f64, 1>::variable(at, 0)).gradient()[0];
        approx::assert_relative_eq!(found, slope, max_relative = 1e-14);
    }
}

#[test]
fn values_are_those_of_the_plain_float() {
    macro_rules! same {
        ($($name:ident)*) => {$(
            for at in [-2.5, -1.0, -0.3, -0.0, 0.0, 1e-9, 0.3, 1.0, 1.5, 40.0] {
                let found: f64 = ComplexField::$name(Number::variable(at, 0)).value();
                let plain: f64 = ComplexField::$name(at);
                let same = found.to_bits() == plain.to_bits() || found.is_nan() && plain.is_nan();
                assert!(same, "{} at {at}: {found}, plain {plain}", stringify!($name));
            }
        )*};
    }
    same! {
        modulus modulus_squared argument norm1 floor ceil round trunc fract abs recip conjugate sin cos tan asin acos atan sinh
        cosh tanh asinh acosh atanh sinc sinhc cosc coshc log2 log10 ln ln_1p sqrt exp exp2 exp_m1 cbrt real imaginary signum
    }
    for at in [-2.5, 0.0, 1.5] {
        let (number, other) = (Number::variable(at, 0), Number::variable(-0.7, 1));
        assert_eq!(ComplexField::to_polar(number).1.value(), at.to_polar().1);
        assert_eq!(ComplexField::to_exp(number).1.value(), at.to_exp().1);
        assert_eq!(ComplexField::try_sqrt(number).map(|root| root.value()), at.try_sqrt());
        assert_eq!(RealField::atan2(number, other).value(), f64::atan2(at, -0.7));
        assert_eq!(RealField::copysign(number, other).value(), f64::copysign(at, -0.7));
        assert_eq!(RealField::max(number, other).value(), f64::max(at, -0.7));
    }
    assert_eq!(<Number as RealField>::max_value().unwrap().value(), f64::MAX);
    assert_eq!(<Number as RealField>::two_pi().value(), f64::two_pi());
}

#[test]
fn plain_floats_are_constants_among_the_numbers() {
    use nalgebra::{convert, try_convert};
    let number: Number = convert(2.5_f64);
    assert!(number.same(&Number::constant(2.5)));
    assert_eq!(try_convert::<Number, f64>(number), Some(2.5));
    assert_eq!(try_convert::<Number, f32>(number), Some(2.5));
    assert_eq!(try_convert::<Number, f64>(Number::variable(2.5, 0)), None);
}
