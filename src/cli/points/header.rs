//! The header of a `.npy` file: magic bytes, version and a Python dictionary of exactly three entries.

use std::io::{self, Read};

use super::{Problem, guess};

/// The first bytes of every `.npy` file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Longest header text that is read. An array of plain numbers needs about a hundred bytes; only structured types, which
/// are refused anyway, need more.
const LONGEST: u64 = 65_536;

/// What the header says of the array behind it.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    /// The type of the numbers.
    pub descr: Descr,
    /// First index fastest.
    pub fortran_order: bool,
    /// Length along each dimension.
    pub shape: Vec<u64>,
    /// Bytes from the start of the file to the first number.
    pub length: u64,
}

/// The type of the numbers as the header gives it.
#[derive(Debug, PartialEq)]
pub(super) enum Descr {
    /// A type string such as `<f8`.
    Plain(String),
    /// Anything else, as it is written: a list of fields, as a rule.
    Other(String),
}

impl Header {
    /// Reads up to the first number.
    pub(super) fn read(reader: &mut impl Read) -> Result<Self, Problem> {
        let mut start = Vec::new();
        take(reader, 8, &mut start)?;
        if !start.starts_with(MAGIC) {
            // More of it for the guess.
            reader.take(64).read_to_end(&mut start).map_err(Problem::Read)?;
            return Err(Problem::NotNpy(guess(&start)));
        }
        let (count, version) = match start[MAGIC.len()..] {
            [1, 0] => (2, 1),
            [2, 0] => (4, 2),
            [3, 0] => (4, 3),
            [major, minor] => return Err(Problem::Version { major, minor }),
            _ => return Err(cut(start.len())),
        };
        let mut bytes = Vec::new();
        if take(reader, count, &mut bytes)? < count {
            return Err(cut(start.len() + bytes.len()));
        }
        let text_length = bytes.iter().rev().fold(0, |sum, &byte| (sum << 8) | u64::from(byte));
        if text_length > LONGEST {
            return Err(Problem::Header(format!("it claims to be {text_length} bytes long, expected at most {LONGEST}")));
        }
        let mut text = Vec::new();
        if take(reader, text_length, &mut text)? < text_length {
            return Err(cut(start.len() + bytes.len() + text.len()));
        }
        // Only version 3 is UTF-8, but the others differ from it in names of fields only.
        let text = String::from_utf8_lossy(&text);
        let mut parser = Parser { rest: &text };
        let (descr, fortran_order, shape) = parser.dictionary(version)?;
        Ok(Header { descr, fortran_order, shape, length: 8 + count + text_length })
    }

    /// The shape as Python writes it.
    pub(super) fn shape_text(&self) -> String {
        match self.shape[..] {
            [length] => format!("({length},)"),
            _ => {
                let lengths: Vec<String> = self.shape.iter().map(u64::to_string).collect();
                format!("({})", lengths.join(", "))
            }
        }
    }
}

/// Appends the next `count` bytes, or the fewer that are left, and says how many they were.
fn take(reader: &mut impl Read, count: u64, into: &mut Vec<u8>) -> Result<u64, Problem> {
    let read = io::copy(&mut reader.take(count), into);
    read.map_err(Problem::Read)
}

fn cut(length: usize) -> Problem {
    Problem::Header(format!("the file ends after {length} bytes, within the header"))
}

/// A reader of the few Python literals that a header is made of. It does not recurse, whatever the nesting.
struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn dictionary(&mut self, version: u8) -> Result<(Descr, bool, Vec<u64>), Problem> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect('{')?;
        while !self.eat('}') {
            let key = self.string()?;
            self.expect(':')?;
            let twice = match key {
                "descr" => descr.replace(self.descr()?).is_some(),
                "fortran_order" => fortran_order.replace(self.boolean()?).is_some(),
                "shape" => shape.replace(self.shape(version)?).is_some(),
                _ => return Err(self.fail("the key descr, fortran_order or shape")),
            };
            if twice {
                return Err(Problem::Header(format!("the key {key} stands there twice")));
            }
            if !self.eat(',') {
                self.expect('}')?;
                break;
            }
        }
        self.skip_space();
        if !self.rest.is_empty() {
            return Err(self.fail("the end of the header"));
        }
        let missing = |key: &str| Problem::Header(format!("the key {key} is missing"));
        Ok((
            descr.ok_or_else(|| missing("descr"))?,
            fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape.ok_or_else(|| missing("shape"))?,
        ))
    }

    fn descr(&mut self) -> Result<Descr, Problem> {
        self.skip_space();
        if self.rest.starts_with(['\'', '"', 'u', 'U']) {
            return Ok(Descr::Plain(self.string()?.to_owned()));
        }
        let written = self.rest;
        let mut depth = 0_usize;
        loop {
            self.skip_space();
            match self.rest.chars().next() {
                Some('\'' | '"') => {
                    self.string()?;
                    continue;
                }
                Some(',' | '}') if depth == 0 => break,
                Some('(' | '[' | '{') => depth += 1,
                Some(')' | ']' | '}') if depth > 0 => depth -= 1,
                Some(_) => {}
                None => return Err(self.fail("the end of descr")),
            }
            self.advance();
        }
        let written = &written[..written.len() - self.rest.len()];
        Ok(Descr::Other(shortened(written)))
    }

    fn boolean(&mut self) -> Result<bool, Problem> {
        self.skip_space();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err(self.fail("True or False"))
    }

    fn shape(&mut self, version: u8) -> Result<Vec<u64>, Problem> {
        let mut shape = Vec::new();
        let mut comma = false;
        self.expect('(')?;
        while !self.eat(')') {
            shape.push(self.integer(version)?);
            comma = self.eat(',');
            if !comma {
                self.expect(')')?;
                break;
            }
        }
        // `(5)` is the number 5 in Python, not a tuple.
        if shape.len() == 1 && !comma {
            return Err(Problem::Header("the shape is not a tuple".to_owned()));
        }
        Ok(shape)
    }

    fn integer(&mut self, version: u8) -> Result<u64, Problem> {
        self.skip_space();
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        if number.is_empty() {
            return Err(self.fail("a whole number, zero or more"));
        }
        let value = number.parse().map_err(|_| Problem::Header(format!("the length {} is too large", shortened(number))));
        // Python 2 wrote its long integers so.
        self.rest = if version < 3 { rest.strip_prefix('L').unwrap_or(rest) } else { rest };
        value
    }

    fn string(&mut self) -> Result<&'a str, Problem> {
        self.skip_space();
        let body = self.rest.strip_prefix(['u', 'U']).unwrap_or(self.rest);
        let quote = body.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
        if let Some(quote) = quote
            && let Some((string, rest)) = body[1..].split_once(quote)
            // An escape is legal, but none is needed for what is read here.
            && !string.contains(['\\', '\n'])
        {
            self.rest = rest;
            return Ok(string);
        }
        Err(self.fail("a string in quotes"))
    }

    fn expect(&mut self, wanted: char) -> Result<(), Problem> {
        if self.eat(wanted) {
            return Ok(());
        }
        Err(self.fail(&wanted.to_string()))
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_space();
        let found = self.rest.strip_prefix(wanted);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn advance(&mut self) {
        let mut characters = self.rest.chars();
        characters.next();
        self.rest = characters.as_str();
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']);
    }

    fn fail(&self, wanted: &str) -> Problem {
        let found = match self.rest {
            "" => "the end".to_owned(),
            rest => format!("`{}`", shortened(rest)),
        };
        Problem::Header(format!("expected {wanted}, found {found}"))
    }
}

/// As much of a text as fits in a message.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut characters = text.trim_end().chars();
    let printable = |character: char| match character.is_control() {
        true => char::REPLACEMENT_CHARACTER,
        false => character,
    };
    let mut shown: String = characters.by_ref().take(LONGEST).map(printable).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}
