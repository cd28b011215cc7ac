//! serde: a number as a structure of its parts, `{"value": 2.0, "gradient": [1.0, 0.0], "triangle": [0.0, 0.0, 0.0]}`, where the
//! triangle is that of `HyperDual::from_parts`. Unknown fields and arrays of another length are refused.

use core::fmt::{self, Formatter};
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::number::{Const, Dual, HyperDual, Packed, Scalar};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Dual", deny_unknown_fields)]
struct DualParts<V, G> {
    value: V,
    gradient: G,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "HyperDual", deny_unknown_fields)]
struct HyperDualParts<V, G, H> {
    value: V,
    gradient: G,
    triangle: H,
}

impl<T: Scalar + Serialize, const N: usize> Serialize for Dual<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DualParts { value: self.value(), gradient: &self.gradient()[..] }.serialize(serializer)
    }
}

impl<T: Scalar + Serialize, const N: usize> Serialize for HyperDual<T, N>
where
    Const<N>: Packed,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (gradient, triangle) = (self.gradient(), self.packed_hessian());
        HyperDualParts { value: self.value(), gradient: &gradient[..], triangle }.serialize(serializer)
    }
}

impl<'de, T: Scalar + Deserialize<'de>, const N: usize> Deserialize<'de> for Dual<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let DualParts { value, gradient: Gradient(gradient) } = DualParts::deserialize(deserializer)?;
        Ok(Self::from_parts(value, gradient))
    }
}

impl<'de, T: Scalar + Deserialize<'de>, const N: usize> Deserialize<'de> for HyperDual<T, N>
where
    Const<N>: Packed,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let HyperDualParts { value, gradient: Gradient(gradient), triangle: Triangle::<T, N>(triangle) } =
            HyperDualParts::deserialize(deserializer)?;
        Ok(Self::from_parts(value, gradient, triangle))
    }
}

struct Gradient<T, const N: usize>([T; N]);

impl<'de, T: Scalar + Deserialize<'de>, const N: usize> Deserialize<'de> for Gradient<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Entries { zeros: [T::zero(); N], entry: PhantomData::<T> }).map(Self)
    }
}

struct Triangle<T: Scalar, const N: usize>(<Const<N> as Packed>::Triangle<T>)
where
    Const<N>: Packed;

impl<'de, T: Scalar + Deserialize<'de>, const N: usize> Deserialize<'de> for Triangle<T, N>
where
    Const<N>: Packed,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let zeros = Const::<N>::filled(T::zero());
        deserializer.deserialize_seq(Entries { zeros, entry: PhantomData::<T> }).map(Self)
    }
}

/// Reads exactly as many entries as there are zeros, in their place.
struct Entries<A, T> {
    zeros: A,
    entry: PhantomData<T>,
}

impl<'de, A: AsRef<[T]> + AsMut<[T]>, T: Deserialize<'de>> Visitor<'de> for Entries<A, T> {
    type Value = A;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} entries", self.zeros.as_ref().len())
    }

    fn visit_seq<S: SeqAccess<'de>>(mut self, mut sequence: S) -> Result<A, S::Error> {
        let count = self.zeros.as_ref().len();
        for i in 0..count {
            let entry = sequence.next_element()?.ok_or_else(|| S::Error::invalid_length(i, &self))?;
            self.zeros.as_mut()[i] = entry;
        }
        if sequence.next_element::<IgnoredAny>()?.is_some() {
            return Err(S::Error::invalid_length(count + 1, &self));
        }
        Ok(self.zeros)
    }
}
