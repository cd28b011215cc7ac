use serde_json::{from_str, to_string};
use tapeless::{Dual, HyperDual, Scalar};

type Number = HyperDual<f64, 2>;

#[test]
fn the_layout_is_readable() {
    let number = Number::from_parts(1.5, [2.0, 3.0], [4.0, 5.0, 6.0]);
    assert_eq!(to_string(&number).unwrap(), r#"{"value":1.5,"gradient":[2.0,3.0],"triangle":[4.0,5.0,6.0]}"#);
    assert_eq!(to_string(&Dual::<f32, 1>::variable(0.5, 0)).unwrap(), r#"{"value":0.5,"gradient":[1.0]}"#);
}

#[test]
fn numbers_come_back_to_the_last_bit() {
    let [x, y] = Number::variables([0.1, 0.7]);
    let number = (x * y.sin()).exp();
    assert!(number.same(&from_str(&to_string(&number).unwrap()).unwrap()));
    let nested = Dual::<HyperDual<f64, 3>, 1>::variable(HyperDual::variable(0.3, 2), 0).tanh();
    assert!(nested.same(&from_str(&to_string(&nested).unwrap()).unwrap()));
    let large = HyperDual::<f32, 16>::variable(0.3, 15).cos();
    assert!(large.same(&from_str(&to_string(&large).unwrap()).unwrap()));
}

#[test]
fn fields_may_come_in_any_order_and_without_names() {
    let expected = Number::from_parts(1.0, [2.0, 3.0], [4.0, 5.0, 6.0]);
    for text in [r#"{"triangle": [4, 5, 6], "value": 1, "gradient": [2, 3]}"#, "[1.0, [2.0, 3.0], [4.0, 5.0, 6.0]]"] {
        assert!(from_str::<Number>(text).unwrap().same(&expected), "{text}");
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    for (text, message) in [
        (r#"{"value": 1, "gradient": [2], "triangle": [4, 5, 6]}"#, "invalid length 1, expected 2 entries"),
        (r#"{"value": 1, "gradient": [2, 3, 4], "triangle": [4, 5, 6]}"#, "invalid length 3, expected 2 entries"),
        (r#"{"value": 1, "gradient": [2, 3], "triangle": [4, 5]}"#, "invalid length 2, expected 3 entries"),
        (r#"{"value": 1, "gradient": [2, 3], "triangle": [4, 5, 6, 7]}"#, "invalid length 4, expected 3 entries"),
        (r#"{"value": 1, "gradient": [2, 3]}"#, "missing field `triangle`"),
        (r#"{"value": 1, "gradient": [2, 3], "triangle": [4, 5, 6], "hessian": 0}"#, "unknown field `hessian`"),
        (r#"{"value": 1, "gradient": 2, "triangle": [4, 5, 6]}"#, "expected 2 entries"),
    ] {
        let error = from_str::<Number>(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert!(from_str::<Dual<f64, 2>>(r#"{"value": 1, "gradient": [2]}"#).is_err());
}
