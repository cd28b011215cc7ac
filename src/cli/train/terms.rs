//! The terms of a loss: their residuals and their points.

use std::str::FromStr;

use tapeless::evaluate::CpuReal;
use tapeless::operator::Expression;
use tapeless::train::sampling::{ByResidual, Domain, Sampling, grid};
use tapeless::train::{Resampling, Term};

use super::data;
use super::error::{At, KeyError, Keyed};
use super::file::{self, File, Points};
use super::texts::Texts;

/// The terms of a problem.
pub struct Terms<R> {
    /// What the loss is made of.
    pub terms: Vec<Term<R>>,
    /// Those whose points are drawn anew.
    pub resamplings: Vec<Resampling>,
    /// Points of all terms.
    pub points: usize,
}

/// Reads the residuals and draws or reads the points.
pub fn read<R: CpuReal + FromStr>(file: &File, texts: &Texts, domain: &Domain) -> Result<Terms<R>, Keyed> {
    let mut all = Terms { terms: Vec::new(), resamplings: Vec::new(), points: 0 };
    for (number, term) in file.term.iter().enumerate() {
        let key = format!("term \"{}\"", term.name.escape_debug());
        check_name(file, number).at(format!("{key}: name"))?;
        let maker = Maker { texts, term, number, key, seed: seed(file.seed, number) };
        let (made, points) = match (&term.points, &term.file) {
            (Some(points), None) => maker.drawn(domain, points, &mut all.resamplings)?,
            (None, Some(file)) => maker.measured(file)?,
            (points, _) => {
                let found = if points.is_some() { "both" } else { "neither" };
                return Err(KeyError::value("either points or file", found)).at(maker.key);
            }
        };
        let weight = match &term.weight {
            Some(weight) => texts.number(weight, &format!("{}: weight", maker.key))?,
            None => 1.0,
        };
        all.terms.push(made.with_weight(weight));
        all.points += points;
    }
    Ok(all)
}

/// Names are columns of the history.
fn check_name(file: &File, number: usize) -> Result<(), KeyError> {
    let name = &file.term[number].name;
    if name.is_empty() || name.contains([',', '"']) || name.contains(char::is_control) {
        return Err(KeyError::value("a name without commas, quotes and control characters", format!("{name:?}")));
    }
    match file.term[..number].iter().any(|term| term.name == *name) {
        true => Err(KeyError::value("a name of its own for each term", format!("\"{name}\" twice"))),
        false => Ok(()),
    }
}

/// Each term draws numbers of its own.
fn seed(seed: u64, term: usize) -> u64 {
    seed ^ (term as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Makes one term.
struct Maker<'a> {
    texts: &'a Texts,
    term: &'a file::Term,
    number: usize,
    key: String,
    seed: u64,
}

impl Maker<'_> {
    fn key(&self, part: &str) -> String {
        format!("{}: {part}", self.key)
    }

    fn expressions(&self, data: &[&str]) -> Result<Vec<Expression>, Keyed> {
        let texts = self.term.residual.all();
        if texts.is_empty() {
            return Err(KeyError::value("at least one text", "none")).at(self.key("residual"));
        }
        texts.iter().map(|text| self.texts.residual(text, data, &self.key("residual"))).collect()
    }

    /// Points with data from a file.
    fn measured<R: CpuReal + FromStr>(&self, file: &std::path::PathBuf) -> Result<(Term<R>, usize), Keyed> {
        let drawn = [
            ("sampling", self.term.sampling.is_some()),
            ("at", !self.term.at.is_empty()),
            ("faces", self.term.faces.is_some()),
            ("resample", self.term.resample.is_some()),
        ];
        if let Some((part, _)) = drawn.iter().find(|(_, given)| *given) {
            return Err(KeyError::value("nothing where the points are those of a file", "a value")).at(self.key(part));
        }
        let missing =
            || KeyError::value("names for the columns of the file, such as [\"x\", \"t\", \"measured\"]", "nothing");
        let columns = self.term.columns.as_ref().ok_or_else(missing).at(self.key("columns"))?;
        let data = data::read::<R>(self.texts, file, columns, &self.key)?;
        let names: Vec<&str> = data.names.iter().map(String::as_str).collect();
        let expressions = self.expressions(&names)?;
        let points = data.rows.len() / columns.len();
        Ok((Term::of_expressions(&self.term.name, expressions, data.rows).with_data(names.len()), points))
    }

    /// Points that are drawn from the domain.
    fn drawn<R: CpuReal>(
        &self,
        domain: &Domain,
        points: &Points,
        resamplings: &mut Vec<Resampling>,
    ) -> Result<(Term<R>, usize), Keyed> {
        if self.term.columns.is_some() {
            return Err(KeyError::value("nothing where there is no file", "a list")).at(self.key("columns"));
        }
        let domain = self.fixed(domain)?;
        let sampling = match self.term.sampling.as_deref() {
            Some("grid") => None,
            Some(name) => Some(self.sampling(name)?),
            None if matches!(points, Points::Lines(_)) => None,
            None => Some(Sampling::Sobol),
        };
        let expressions = self.expressions(&[])?;
        let rows = match sampling {
            None => self.grid(&domain, points)?,
            Some(sampling) => self.spread(&domain, sampling, points)?,
        };
        if let Some(resample) = &self.term.resample {
            resamplings.push(self.resampling(domain.clone(), sampling, resample)?);
        }
        let count = rows.len() / domain.dimensions();
        Ok((Term::of_expressions(&self.term.name, expressions, rows), count))
    }

    fn sampling(&self, name: &str) -> Result<Sampling, Keyed> {
        let unknown = |_| {
            let expected = format!("one of {}, grid", Sampling::NAMES.join(", "));
            KeyError::value(expected, format!("{name:?}"))
        };
        name.parse().map_err(unknown).at(self.key("sampling"))
    }

    /// The dimensions across which the faces lie.
    fn faces(&self, names: &[String]) -> Result<Vec<usize>, Keyed> {
        let key = self.key("faces");
        for (number, name) in names.iter().enumerate() {
            if names[..number].contains(name) {
                return Err(KeyError::value("each input once", format!("\"{name}\" twice"))).at(&key);
            }
            if self.term.at.contains_key(name) {
                let found = format!("\"{name}\" here and in `at`");
                return Err(KeyError::value("inputs that `at` does not fix", found)).at(&key);
            }
        }
        names.iter().map(|name| self.texts.input(name, &key)).collect()
    }

    /// The part of the domain where `at` holds.
    fn fixed(&self, domain: &Domain) -> Result<Domain, Keyed> {
        let mut part = domain.clone();
        for (name, value) in &self.term.at {
            let key = self.key(&format!("at.{name}"));
            part = part.at(self.texts.input(name, &key)?, self.texts.number(value, &key)?).at(&key)?;
        }
        Ok(part)
    }

    /// Room for so many points.
    fn room<R: CpuReal>(&self, domain: &Domain, count: usize) -> Result<Vec<R>, Keyed> {
        let length = count.saturating_mul(domain.dimensions());
        let mut rows = Vec::new();
        if count == 0 || rows.try_reserve_exact(length).is_err() {
            let expected = "at least 1 and as many as there is memory for";
            return Err(KeyError::value(expected, count.to_string())).at(self.key("points"));
        }
        rows.resize(length, R::zero());
        Ok(rows)
    }

    fn spread<R: CpuReal>(&self, domain: &Domain, sampling: Sampling, points: &Points) -> Result<Vec<R>, Keyed> {
        let Points::Count(count) = points else {
            return Err(KeyError::value("a number; a list is for sampling = \"grid\"", "a list")).at(self.key("points"));
        };
        let mut rows = self.room(domain, *count)?;
        match &self.term.faces {
            None => sampling.fill(domain, self.seed, &mut rows).at(self.key("points"))?,
            Some(names) => {
                let faces = self.faces(names)?;
                sampling.fill_faces(domain, &faces, self.seed, &mut rows).at(self.key("faces"))?;
            }
        }
        Ok(rows)
    }

    fn grid<R: CpuReal>(&self, domain: &Domain, points: &Points) -> Result<Vec<R>, Keyed> {
        if self.term.faces.is_some() {
            return Err(KeyError::value("another sampling than grid for points on faces", "grid")).at(self.key("sampling"));
        }
        let free = |name: &&String| !self.term.at.contains_key(*name);
        let names: Vec<&String> = self.texts.names.inputs().iter().filter(free).collect();
        let lines = match points {
            Points::Lines(lines) => lines.as_slice(),
            Points::Count(count) => std::slice::from_ref(count),
        };
        if lines.len() != names.len() {
            let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
            let expected = format!("the number of lines of a grid for each of the inputs {}", names.join(", "));
            return Err(KeyError::value(expected, format!("{lines:?}"))).at(self.key("points"));
        }
        let mut rest = lines.iter();
        let inputs = self.texts.names.inputs().iter();
        let counts: Vec<usize> =
            inputs.map(|name| if free(&name) { rest.next().copied().unwrap_or(0) } else { 1 }).collect();
        let count = counts.iter().fold(1_usize, |product, &count| product.saturating_mul(count));
        let mut rows = self.room(domain, count)?;
        grid(domain, &counts, &mut rows).at(self.key("points"))?;
        Ok(rows)
    }

    fn resampling(
        &self,
        domain: Domain,
        sampling: Option<Sampling>,
        resample: &file::Resample,
    ) -> Result<Resampling, Keyed> {
        let key = self.key("resample");
        let (Some(sampling), None) = (sampling, &self.term.faces) else {
            return Err(KeyError::value("points inside that are drawn by chance", "a grid or faces")).at(key);
        };
        if resample.every == 0 {
            return Err(KeyError::value("at least 1", "0")).at(self.key("resample.every"));
        }
        let by_residual = match &resample.by_residual {
            None => None,
            Some(choice) => {
                let key = self.key("resample.by_residual");
                if choice.candidates == 0 {
                    return Err(KeyError::value("at least 1 candidate for each point", "0")).at(key);
                }
                Some((choice.candidates, ByResidual::new(choice.exponent, choice.offset).at(key)?))
            }
        };
        let (term, every, seed) = (self.number, resample.every, self.seed.wrapping_add(1));
        Ok(Resampling { term, every, domain, sampling, seed, by_residual })
    }
}
