//! Conditions that hold by construction, from texts.

use tapeless::Scalar;
use tapeless::operator::Expression;
use tapeless::train::OutputTransform;

use super::error::Keyed;
use super::file::{File, Number};
use super::texts::Texts;

/// g and l of each output.
pub struct Transform {
    functions: Vec<(Expression, Expression)>,
}

impl Transform {
    /// The transform of a problem, if it has one; outputs that it does not name are those of the network.
    pub fn read(file: &File, texts: &Texts) -> Result<Option<Self>, Keyed> {
        for name in file.transform.keys() {
            texts.output(name, "transform")?;
        }
        let (zero, one) = (Number::Plain(0.0), Number::Plain(1.0));
        let functions = texts.names.outputs().iter().map(|name| {
            let parts = file.transform.get(name);
            let offset = parts.and_then(|parts| parts.offset.as_ref()).unwrap_or(&zero);
            let factor = parts.and_then(|parts| parts.factor.as_ref()).unwrap_or(&one);
            let key = |part| format!("transform.{name}.{part}");
            Ok((texts.function(offset, &key("offset"))?, texts.function(factor, &key("factor"))?))
        });
        let functions = functions.collect::<Result<_, Keyed>>()?;
        Ok((!file.transform.is_empty()).then_some(Self { functions }))
    }
}

/// What the solution is made of, such as `u = (-sin(pi*x)) + (t)*N`; for the file of the network N, which does not do it.
pub fn in_words(file: &File) -> Option<String> {
    let words = file.transform.iter().map(|(name, parts)| {
        let or = |part: &Option<Number>, default: &str| part.as_ref().map_or(default.to_owned(), Number::to_string);
        format!("{name} = ({}) + ({})*N", or(&parts.offset, "0"), or(&parts.factor, "1"))
    });
    (!file.transform.is_empty()).then(|| words.collect::<Vec<_>>().join(", "))
}

impl OutputTransform for Transform {
    fn offset_and_factor<S: Scalar>(&self, output: usize, point: &[S]) -> (S, S) {
        let (offset, factor) = &self.functions[output];
        (offset.evaluate(point, &[]), factor.evaluate(point, &[]))
    }
}
