use bytemuck::{Zeroable, bytes_of, cast_slice, pod_read_unaligned};
use tapeless::{Dual, HyperDual, Scalar};

#[test]
fn bytes_are_the_components_in_order_without_gaps() {
    let number = HyperDual::<f64, 2>::from_parts(1.0, [2.0, 3.0], [4.0, 5.0, 6.0]);
    let components: &[f64] = cast_slice(bytes_of(&number));
    assert_eq!(components, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let number = Dual::<f32, 3>::from_parts(1.0, [2.0, 3.0, 4.0]);
    assert_eq!(cast_slice::<u8, f32>(bytes_of(&number)), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn numbers_come_back_from_their_bytes() {
    let numbers = HyperDual::<f32, 16>::variables([0.5; 16]).map(|x| x.exp());
    let bytes: &[u8] = cast_slice(&numbers);
    assert_eq!(bytes.len(), 16 * 4 * (1 + 16 + 136));
    let size = bytes.len() / 16;
    for (number, bytes) in numbers.iter().zip(bytes.chunks(size)) {
        assert!(number.same(&pod_read_unaligned(bytes)));
    }
}

#[test]
fn nested_numbers_are_plain_bytes_too() {
    let number = Dual::<HyperDual<f64, 1>, 1>::variable(HyperDual::variable(2.0, 0), 0);
    assert_eq!(cast_slice::<u8, f64>(bytes_of(&number)), [2.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn zeroed_is_zero() {
    assert!(HyperDual::<f64, 3>::zeroed().is_zero());
    assert!(Dual::<f32, 3>::zeroed().is_zero());
}
