//! `Debug`, `Display` and `{:e}`, which hand their precision on to every component.

use core::fmt::{self, Debug, Display, Formatter, LowerExp, UpperExp};

use super::packed::triangle_index;
use super::{Const, Dual, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

/// Writes `count` items between brackets.
fn list(
    f: &mut Formatter<'_>,
    count: usize,
    mut item: impl FnMut(&mut Formatter<'_>, usize) -> fmt::Result,
) -> fmt::Result {
    f.write_str("[")?;
    for i in 0..count {
        if i > 0 {
            f.write_str(", ")?;
        }
        item(f, i)?;
    }
    f.write_str("]")
}

macro_rules! format {
    ($($trait:ident)*) => {$(
        impl<T: Scalar + $trait, const N: usize> $trait for Dual<T, N> {
            /// `value (gradient [..])`
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $trait::fmt(&self.value, f)?;
                f.write_str(" (gradient ")?;
                list(f, N, |f, i| $trait::fmt(&self.gradient[i], f))?;
                f.write_str(")")
            }
        }

        impl<T: Scalar + $trait, const N: usize> $trait for HyperDual<T, N>
        where
            Const<N>: Packed,
        {
            /// `value (gradient [..], hessian [[..], ..])`
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $trait::fmt(&self.value, f)?;
                f.write_str(" (gradient ")?;
                list(f, N, |f, i| $trait::fmt(&self.gradient[i], f))?;
                f.write_str(", hessian ")?;
                let triangle = self.triangle.as_ref();
                list(f, N, |f, i| list(f, N, |f, j| $trait::fmt(&triangle[triangle_index(N, i, j)], f)))?;
                f.write_str(")")
            }
        }

        impl<T: Scalar + $trait, const M: usize, const N: usize> $trait for RectangularHyperDual<T, M, N> {
            /// `value (left [..], right [..], cross [[..], ..])`
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $trait::fmt(&self.value, f)?;
                f.write_str(" (left ")?;
                list(f, M, |f, i| $trait::fmt(&self.left[i], f))?;
                f.write_str(", right ")?;
                list(f, N, |f, j| $trait::fmt(&self.right[j], f))?;
                f.write_str(", cross ")?;
                list(f, M, |f, i| list(f, N, |f, j| $trait::fmt(&self.cross[i][j], f)))?;
                f.write_str(")")
            }
        }

        impl<T: Scalar + $trait, const N: usize> $trait for TraceDual<T, N> {
            /// `value (gradient [..], laplacian ..)`
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $trait::fmt(&self.value, f)?;
                f.write_str(" (gradient ")?;
                list(f, N, |f, i| $trait::fmt(&self.gradient[i], f))?;
                f.write_str(", laplacian ")?;
                $trait::fmt(&self.laplacian, f)?;
                f.write_str(")")
            }
        }

        impl<T: Scalar + $trait, const N: usize> $trait for FormDual<T, N> {
            /// `value (left [..], right [..], form ..)`
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $trait::fmt(&self.value, f)?;
                f.write_str(" (left ")?;
                list(f, N, |f, i| $trait::fmt(&self.left[i], f))?;
                f.write_str(", right ")?;
                list(f, N, |f, i| $trait::fmt(&self.right[i], f))?;
                f.write_str(", form ")?;
                $trait::fmt(&self.form, f)?;
                f.write_str(")")
            }
        }
    )*};
}

format!(Display LowerExp UpperExp);

impl<T: Scalar, const N: usize> Debug for Dual<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dual").field("value", &self.value).field("gradient", &self.gradient).finish()
    }
}

impl<T: Scalar, const N: usize> Debug for HyperDual<T, N>
where
    Const<N>: Packed,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("HyperDual")
            .field("value", &self.value)
            .field("gradient", &self.gradient)
            .field("hessian", &self.hessian())
            .finish()
    }
}

impl<T: Scalar, const M: usize, const N: usize> Debug for RectangularHyperDual<T, M, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("RectangularHyperDual")
            .field("value", &self.value)
            .field("left", &self.left)
            .field("right", &self.right)
            .field("cross", &self.cross)
            .finish()
    }
}

impl<T: Scalar, const N: usize> Debug for TraceDual<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceDual")
            .field("value", &self.value)
            .field("gradient", &self.gradient)
            .field("laplacian", &self.laplacian)
            .finish()
    }
}

impl<T: Scalar, const N: usize> Debug for FormDual<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormDual")
            .field("value", &self.value)
            .field("left", &self.left)
            .field("right", &self.right)
            .field("form", &self.form)
            .finish()
    }
}
