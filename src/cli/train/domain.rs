//! The domain of a problem.

use tapeless::evaluate::CpuReal;
use tapeless::train::sampling::Domain;

use super::error::{At, KeyError, Keyed};
use super::file::File;
use super::texts::Texts;

/// The box that the inputs lie in.
pub fn read(file: &File, texts: &Texts) -> Result<Domain, Keyed> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for name in file.domain.keys() {
        texts.input(name, "domain")?;
    }
    for name in texts.names.inputs() {
        let key = format!("domain.{name}");
        let missing = || KeyError::value("lower and upper bound of this input", "nothing");
        let bounds = file.domain.get(name).ok_or_else(missing).at(&key)?;
        let [from, to] = bounds.as_slice() else {
            let found = format!("{} of them", bounds.len());
            return Err(KeyError::value("two numbers, the lower and the upper bound", found)).at(&key);
        };
        low.push(texts.number(from, &key)?);
        high.push(texts.number(to, &key)?);
    }
    Domain::new(low, high).at("domain")
}

/// Shift and factor that take each input to [-1, 1].
pub fn scaling<R: CpuReal>(domain: &Domain) -> Vec<(R, R)> {
    let bounds = domain.low().iter().zip(domain.high());
    let scale = |(&low, &high): (&f64, &f64)| {
        let half = high / 2.0 - low / 2.0;
        // A fixed coordinate stays as long as it is.
        let factor = if half > 0.0 { half.recip() } else { 1.0 };
        (R::literal(low / 2.0 + high / 2.0), R::literal(factor))
    };
    bounds.map(scale).collect()
}
