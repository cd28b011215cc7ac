//! `Mixture` at a point of nine variables, differentiated by mpmath with 60 digits.

#![allow(clippy::excessive_precision)] // the digits as they came

use tapeless::{Const, Dual, HyperDual, Packed, calculus, dynamic};

use super::assert_close;
use super::functions::{Mixture, mixture};

const N: usize = 9;
const POINT: [f64; N] = [-0.5, 0.375, 0.0, -0.375, 0.5, 0.125, -0.25, 0.625, 0.25];
const VALUE: f64 = -0.04701352835237830224;
const GRADIENT: [f64; N] = [
    0.77740022189063344959,
    -0.31205384790501724056,
    0.085879145894998393758,
    0.32622557555306309526,
    -0.00015210992214220522917,
    0.29976152871052156532,
    0.60407801695353281614,
    0.29999645113011829575,
    -0.16772063606780265605,
];
/// The upper triangle.
#[rustfmt::skip]
const HESSIAN: [f64; N * (N + 1) / 2] = [
    0.42752354415687906305, 1.1499562176342173983, 0.0, -0.21944859572190310719, 0.29259812762920414292,
    0.073149531907301035729, -0.14629906381460207146, 0.36574765953650517865, 0.83214957337298207839,
    0.54198302484299112577, 1.0, 0.049686474503072401627, -0.06624863267076320217, -0.016562158167690800542,
    0.033124316335381601085, -0.082810790838454002712, -0.1863242793865215061,
    0.40853323480303974671, 0.93050762191231429115, 0.0, 0.61721339984836764104, 0.0, -0.014695557139246848596, 0.0,
    0.35884676029996734509, 0.94383119456113591829, 0.016562158167690800542, -0.033124316335381601085,
    0.082810790838454002712, 0.1863242793865215061,
    0.49998630155193160226, 0.97011478967240798576, 0.04416575511384213478, -0.11041438778460533695,
    -0.24843237251536200814,
    0.34067514872119563489, 0.97995386048910531784, -0.027603596946151334237, -0.062108093128840502034,
    0.41737585215293404552, 0.86617031339752057066, 0.12421618625768100407,
    0.41678956830739861423, 0.65837195606644227397,
    0.42355493504403455751,
];
const DIRECTION: [f64; N] = [-0.5, 0.0625, 0.625, -0.3125, 0.25, 0.8125, -0.125, 0.4375, 1.0];
const ALONG: [f64; 5] = [
    -0.04701352835237830224,
    -0.32493822883614280666,
    0.1616686410398864514,
    -4.1145359850121599121,
    19.114403287615249324,
];
const TOLERANCE: f64 = 16.0 * f64::EPSILON;

fn second(i: usize, j: usize) -> f64 {
    let (i, j) = (i.min(j), i.max(j));
    HESSIAN[i * (2 * N - i + 1) / 2 + j - i]
}

fn row(i: usize) -> [f64; N] {
    std::array::from_fn(|j| second(i, j))
}

fn dot(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn any_number_of_variables() {
    let hessian: Vec<f64> = (0..N).flat_map(row).collect();
    let at = dynamic::hessian(&Mixture, &POINT);
    assert_close(&[at.value], &[VALUE], TOLERANCE);
    assert_close(&at.gradient, &GRADIENT, TOLERANCE);
    assert_close(&at.hessian, &hessian, TOLERANCE);
    assert_close(&dynamic::gradient(&Mixture, &POINT).gradient, &GRADIENT, TOLERANCE);
    let products: Vec<f64> = (0..N).map(|i| dot(row(i), DIRECTION)).collect();
    assert_close(
        &dynamic::hessian_vector_products(&Mixture, &POINT, &DIRECTION).unwrap().products,
        &products,
        2.0 * TOLERANCE,
    );
    let terms: Vec<f64> = (0..N).map(|i| second(i, i)).collect();
    assert_close(&dynamic::laplacian_terms(&Mixture, &POINT).terms, &terms, TOLERANCE);
    assert_close(&[dynamic::laplacian(&Mixture, &POINT).laplacian], &[terms.iter().sum()], TOLERANCE);
    let weights: Vec<f64> = (0..N * N).map(|k| DIRECTION[k / N] * DIRECTION[k % N]).collect();
    let form = dynamic::second_order_form(&Mixture, &POINT, &weights).unwrap().form;
    assert_close(&[form], &[ALONG[2]], 4.0 * TOLERANCE);
    assert_close(&dynamic::fourth_along(&Mixture, &POINT, &DIRECTION).unwrap(), &ALONG, TOLERANCE);
}

#[test]
fn arrays() {
    let at = calculus::hessian(|x| mixture(&x), POINT);
    assert_close(at.hessian.as_flattened(), (0..N).map(row).collect::<Vec<_>>().as_flattened(), TOLERANCE);
    let products: [f64; N] = std::array::from_fn(|i| dot(row(i), DIRECTION));
    let at = calculus::hessian_vector_products(|x| mixture(&x), POINT, [DIRECTION]);
    assert_close(&at.products[0], &products, 2.0 * TOLERANCE);
    let at = calculus::laplacian(|x| mixture(&x), POINT);
    assert_close(&[at.laplacian], &[(0..N).map(|i| second(i, i)).sum()], TOLERANCE);
    let at = calculus::second_order_form(|x| mixture(&x), POINT, DIRECTION.map(|u| DIRECTION.map(|v| u * v)));
    assert_close(&[at.form], &[ALONG[2]], 4.0 * TOLERANCE);
    assert_close(&calculus::second_along(|x| mixture(&x), POINT, DIRECTION), &ALONG[..3], TOLERANCE);
    assert_close(&calculus::third_along(|x| mixture(&x), POINT, DIRECTION), &ALONG[..4], TOLERANCE);
    assert_close(&calculus::fourth_along(|x| mixture(&x), POINT, DIRECTION), &ALONG, TOLERANCE);
}

fn has_the_bits_of_one_pass<const M: usize>()
where
    Const<M>: Packed,
{
    let point: [f64; M] = std::array::from_fn(|i| (i as f64 * 0.9).sin());
    let whole = mixture(&HyperDual::variables(point));
    let at = dynamic::hessian(&Mixture, &point);
    assert_eq!(at.value.to_bits(), whole.value().to_bits());
    assert_eq!(at.gradient, whole.gradient());
    assert_eq!(at.hessian, whole.hessian().as_flattened());
    assert_eq!(at.gradient, mixture(&Dual::variables(point)).gradient());
}

#[test]
fn chunks_give_the_bits_of_one_pass() {
    has_the_bits_of_one_pass::<8>();
    has_the_bits_of_one_pass::<9>();
    has_the_bits_of_one_pass::<11>();
    has_the_bits_of_one_pass::<16>();
}
