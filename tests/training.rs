//! The gradient of a loss by the weights against independent derivatives.

use std::f64::consts::PI;

use tapeless::evaluate::InstructionSet;
use tapeless::network::{Activation, Initialization, Layer, Network};
use tapeless::operator::{Names, Operator};
use tapeless::train::{Objective, OutputTransform, Residual, Term};
use tapeless::{Dual, HyperDual, Scalar, residual};

fn operators(names: &Names, texts: &[&str]) -> Vec<Operator> {
    texts.iter().map(|text| Operator::parse(text, names).unwrap()).collect()
}

/// The network of case T01: weights w1, w2, biases b1, b2, then v1, v2, c.
fn small_network() -> (Network<f64>, Vec<f64>) {
    let (w, b, v, c) = (vec![0.9, -1.4], vec![0.1, -0.2], vec![0.7, -0.5], vec![0.05]);
    let parameters = [w.clone(), b.clone(), v.clone(), c.clone()].concat();
    let hidden = Layer::new(1, 2, w, b, Activation::Tanh).unwrap();
    let last = Layer::new(2, 1, v, c, Activation::Identity).unwrap();
    (Network::new(vec![hidden, last]).unwrap(), parameters)
}

fn small_problem() -> Vec<Term<f64>> {
    let names = Names::new(["x"], ["u"]).unwrap();
    let equation = residual!(|x: &[S], u: &[S]| u[0] + S::literal(PI * PI) * (S::PI() * x[0]).sin());
    vec![
        Term::new("equation", operators(&names, &["u_xx"]), equation, vec![-0.75, -0.25, 0.25, 0.5]),
        Term::new("boundary", operators(&names, &["u"]), residual!(|x: &[S], u: &[S]| u[0]), vec![-1.0, 1.0]),
    ]
}

/// Two coupled nonlinear equations for u(x, y) and v(x, y) with variable coefficients, on seven quantities.
struct Coupled;

const COUPLED: [&str; 7] = ["u", "v", "u_x", "u_y - 0.3*(u_xx + u_yy)", "v_xy + 2*v_xx - v_x", "u_xx + u_yy", "v_y"];

impl Residual for Coupled {
    fn residuals(&self) -> usize {
        2
    }

    fn evaluate<S: Scalar>(&self, point: &[S], q: &[S], residuals: &mut [S]) {
        residuals[0] = q[0] * q[2] + q[3] - (point[0] * point[1]).sin() * q[1];
        residuals[1] = q[4] + q[5] * q[6] + (q[1] * q[0]).exp() - point[2];
    }
}

/// Boundary values of both outputs against data.
struct Boundary;

impl Residual for Boundary {
    fn residuals(&self) -> usize {
        2
    }

    fn evaluate<S: Scalar>(&self, point: &[S], q: &[S], residuals: &mut [S]) {
        residuals[0] = q[0] - point[2];
        residuals[1] = q[1] * S::literal(2.0) - point[3];
    }
}

/// u = x y + (1 + x^2) N_0, v = exp(y) N_1.
struct Hard;

impl OutputTransform for Hard {
    fn offset_and_factor<S: Scalar>(&self, output: usize, point: &[S]) -> (S, S) {
        let (x, y) = (point[0], point[1]);
        if output == 0 { (x * y, S::one() + x * x) } else { (S::zero(), y.exp()) }
    }
}

/// Numbers between -1 and 1 that look random.
fn numbers(count: usize, seed: f64) -> Vec<f64> {
    (0..count).map(|k| ((k as f64 + seed) * 12.9898).sin()).collect()
}

/// The loss of the coupled problem written plainly: the network on nested dual numbers, the mean of squares.
fn plain_loss(
    network: &Network<f64>,
    parameters: &[Dual<f64, 1>],
    inside: &[f64],
    boundary: &[f64],
    hard: bool,
) -> Dual<f64, 1> {
    type Weight = Dual<f64, 1>;
    type Field = HyperDual<Weight, 2>;
    let constant = |x: f64| Weight::constant(x);
    let field = |x: f64, y: f64| -> Vec<Field> {
        let point = Field::variables([constant(x), constant(y)]);
        let (shift, factor) = (SCALING.map(|s| s.0), SCALING.map(|s| s.1));
        let mut numbers: Vec<Field> = (0..2)
            .map(|i| (point[i] - Field::constant(constant(shift[i]))) * Field::constant(constant(factor[i])))
            .collect();
        let mut rest = parameters;
        for layer in network.layers() {
            let (weights, after) = rest.split_at(layer.inputs() * layer.outputs());
            let (bias, after) = after.split_at(layer.outputs());
            rest = after;
            numbers = weights
                .chunks(layer.inputs())
                .zip(bias)
                .map(|(row, &b)| {
                    let sum =
                        row.iter().zip(&numbers).fold(Field::constant(b), |sum, (&w, &a)| sum + Field::constant(w) * a);
                    layer.activation().apply(sum)
                })
                .collect();
        }
        if hard {
            for (output, number) in numbers.iter_mut().enumerate() {
                let (g, l) = Hard.offset_and_factor(output, &point);
                *number = g + l * *number;
            }
        }
        numbers
    };
    let mut loss = constant(0.0);
    for row in inside.chunks(3) {
        let u = field(row[0], row[1]);
        let (g0, h0, g1, h1) = (u[0].gradient(), u[0].hessian(), u[1].gradient(), u[1].hessian());
        let laplacian = h0[0][0] + h0[1][1];
        let quantities = [
            u[0].value(),
            u[1].value(),
            g0[0],
            g0[1] - constant(0.3) * laplacian,
            h1[0][1] + constant(2.0) * h1[0][0] - g1[0],
            laplacian,
            g1[1],
        ];
        let point: Vec<Weight> = row.iter().map(|&x| constant(x)).collect();
        let mut residuals = [constant(0.0); 2];
        Coupled.evaluate(&point, &quantities, &mut residuals);
        loss += (residuals[0].powi(2) + residuals[1].powi(2)) / constant((inside.len() / 3) as f64);
    }
    for row in boundary.chunks(4) {
        let u = field(row[0], row[1]);
        let point: Vec<Weight> = row.iter().map(|&x| constant(x)).collect();
        let mut residuals = [constant(0.0); 2];
        Boundary.evaluate(&point, &[u[0].value(), u[1].value()], &mut residuals);
        let weight = constant(3.0 / (boundary.len() / 4) as f64);
        loss += weight * (residuals[0].powi(2) + residuals[1].powi(2));
    }
    loss
}

const SCALING: [(f64, f64); 2] = [(0.25, 1.5), (-0.5, 0.75)];

#[test]
fn gradient_of_a_coupled_problem_is_that_of_dual_numbers_by_each_weight() {
    let names = Names::new(["x", "y"], ["u", "v"]).unwrap();
    let activations = [
        "tanh",
        "sigmoid",
        "sin:2",
        "cos",
        "softplus:3",
        "silu",
        "gelu",
        "gelu_tanh",
        "exp",
        "gaussian",
        "erf",
        "mish",
        "elu",
    ];
    for (case, activation) in activations.into_iter().enumerate() {
        // Shapes with and without rests of the blocks of the kernels.
        let widths = [vec![2, 7, 9, 2], vec![2, 12, 2], vec![2, 6, 5, 8, 2]][case % 3].clone();
        let activation: Activation = activation.parse().unwrap();
        let network = Network::<f64>::initialized(&widths, activation, Initialization::GlorotUniform, case as u64).unwrap();
        let parameters = numbers(network.parameters(), 0.5).iter().map(|x| 0.5 * x).collect::<Vec<f64>>();
        let (inside, boundary) = (numbers(3 * 29, 1.5), numbers(4 * 5, 2.5));
        let hard = case % 2 == 1;
        let expected: Vec<Dual<f64, 1>> = (0..parameters.len())
            .map(|k| {
                let seed = |p| if p == k { [1.0] } else { [0.0] };
                let seeded = parameters.iter().enumerate().map(|(p, &x)| Dual::from_parts(x, seed(p)));
                plain_loss(&network, &seeded.collect::<Vec<_>>(), &inside, &boundary, hard)
            })
            .collect();
        for set in InstructionSet::available() {
            let terms = vec![
                Term::new("inside", operators(&names, &COUPLED), Coupled, inside.clone()).with_data(1),
                Term::new("boundary", operators(&names, &["u", "v"]), Boundary, boundary.clone())
                    .with_data(2)
                    .with_weight(3.0),
            ];
            let mut builder = Objective::builder(&network, terms).scaling(SCALING.to_vec()).instruction_set(set);
            if hard {
                builder = builder.transform(Hard);
            }
            let mut objective = builder.build().unwrap();
            let mut gradient = vec![0.0; network.parameters()];
            let loss = objective.loss_and_gradient(&parameters, &mut gradient).unwrap();
            for (k, (found, expected)) in gradient.iter().zip(&expected).enumerate() {
                let plain = expected.value();
                assert!((loss - plain).abs() <= 1e-12 * plain, "{activation} {set}: {loss} {plain}");
                let expected = expected.gradient()[0];
                let scale = expected.abs().max(1e-2 * loss);
                assert!((found - expected).abs() <= 1e-10 * scale, "{activation} {set} weight {k}: {found} {expected}");
            }
        }
    }
}

#[test]
fn gradient_is_that_of_finite_differences() {
    let (network, parameters) = small_network();
    let mut objective = Objective::new(&network, small_problem()).unwrap();
    let (mut gradient, mut unused) = (vec![0.0; 7], vec![0.0; 7]);
    objective.loss_and_gradient(&parameters, &mut gradient).unwrap();
    // Central differences of eighth order.
    const WEIGHTS: [f64; 4] = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let step = 0.01;
    for (k, found) in gradient.iter().enumerate() {
        let mut loss = |distance: f64| {
            let mut moved = parameters.clone();
            moved[k] += distance;
            objective.loss_and_gradient(&moved, &mut unused).unwrap()
        };
        let expected: f64 = WEIGHTS
            .iter()
            .enumerate()
            .map(|(j, weight)| {
                let distance = (j + 1) as f64 * step;
                weight * (loss(distance) - loss(-distance)) / step
            })
            .sum();
        assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1.0), "weight {k}: {found} {expected}");
    }
}

#[test]
fn outputs_and_the_network_to_take_away_are_those_of_the_objective() {
    let network = Network::<f64>::initialized(&[2, 7, 2], Activation::Tanh, Initialization::GlorotUniform, 3).unwrap();
    let names = Names::new(["x", "y"], ["u", "v"]).unwrap();
    let terms = || {
        vec![Term::new("inside", operators(&names, &["u_xx"]), residual!(|x: &[S], u: &[S]| u[0] - x[0]), vec![0.5, 0.25])]
    };
    let parameters = numbers(network.parameters(), 0.5);
    let points = numbers(2 * 1001, 7.0);

    let mut plain = Objective::builder(&network, terms()).scaling(SCALING.to_vec()).build().unwrap();
    let taken = plain.network(&parameters).unwrap();
    let values = plain.outputs(&parameters, &points).unwrap();
    let mut hard = Objective::builder(&network, terms()).scaling(SCALING.to_vec()).transform(Hard).build().unwrap();
    let transformed = hard.outputs(&parameters, &points).unwrap();
    for ((point, found), made) in points.chunks(2).zip(values.chunks(2)).zip(transformed.chunks(2)) {
        let expected = taken.forward(point).unwrap();
        for (output, n) in expected.iter().enumerate() {
            assert!((found[output] - n).abs() < 1e-13);
            let (g, l) = Hard.offset_and_factor(output, point);
            assert!((made[output] - (g + l * n)).abs() < 1e-13);
        }
    }
    let residuals = plain.residuals(&parameters, 0, &points).unwrap();
    for (point, residual) in points.chunks(2).zip(&residuals) {
        let u = taken.forward(&HyperDual::variables([point[0], point[1]])).unwrap()[0];
        assert!(((u.hessian()[0][0] - point[0]).abs() - residual).abs() < 1e-12);
    }
}
