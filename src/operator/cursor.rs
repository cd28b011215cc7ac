//! Reading texts character by character, with errors that point at the place.

use super::OperatorError;

/// Brackets within brackets; more are refused, so that no text can exhaust the stack.
const DEEPEST: usize = 64;

/// A place in a text.
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// In bytes, always at the start of a character.
    position: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, position: 0, depth: 0 }
    }

    /// What follows.
    pub fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    /// Where it is, in bytes.
    pub fn place(&self) -> usize {
        self.position
    }

    /// Goes back or on to a place.
    pub fn go_to(&mut self, place: usize) {
        self.position = place;
    }

    /// Skips spaces and tells where the next character is.
    pub fn next_place(&mut self) -> usize {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
        self.position
    }

    /// The next character that is not a space.
    pub fn peek(&mut self) -> Option<char> {
        self.next_place();
        self.rest().chars().next()
    }

    /// Takes the next character if it is the one that is wanted.
    pub fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.position += wanted.len_utf8();
        }
        found
    }

    /// Takes a character, or says that it was expected.
    pub fn require(&mut self, wanted: char, words: &str) -> Result<(), OperatorError> {
        if self.accept(wanted) { Ok(()) } else { Err(self.expected(words)) }
    }

    /// Goes one bracket or sign deeper.
    pub fn descend(&mut self) -> Result<(), OperatorError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.problem(self.position, format!("more than {DEEPEST} brackets and signs within each other")));
        }
        Ok(())
    }

    /// Comes back from there.
    pub fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// The error that something is wrong at a place.
    pub fn problem(&self, place: usize, problem: impl Into<String>) -> OperatorError {
        let column = self.text[..place].chars().count();
        OperatorError::Syntax { text: self.text.to_owned(), column, problem: problem.into() }
    }

    /// The error that something else was expected where the cursor is.
    pub fn expected(&mut self, wanted: &str) -> OperatorError {
        let found = match self.peek() {
            Some(character) => format!("found '{character}'"),
            None => "found the end".to_owned(),
        };
        self.problem(self.position, format!("expected {wanted}, {found}"))
    }

    /// A number without sign; `what` may not follow it without a sign between.
    pub fn number(&mut self, what: &str) -> Result<f64, OperatorError> {
        let place = self.position;
        let bytes = self.text.as_bytes();
        let mut end = place;
        while let Some(&byte) = bytes.get(end) {
            let after_exponent = matches!(bytes.get(end.wrapping_sub(1)), Some(b'e' | b'E')) && end > place;
            let exponent = matches!(byte, b'e' | b'E')
                && matches!(bytes.get(end + 1), Some(next) if next.is_ascii_digit() || matches!(next, b'+' | b'-'));
            if byte.is_ascii_digit() || byte == b'.' || exponent || after_exponent && matches!(byte, b'+' | b'-') {
                end += 1;
            } else {
                break;
            }
        }
        let text = &self.text[place..end];
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.position = end;
                if self.peek().is_some_and(|next| next.is_alphabetic() || next == '(') {
                    return Err(self.expected(&format!("* between a number and {what}")));
                }
                Ok(number)
            }
            _ => Err(self.problem(place, format!("\"{text}\" is not a finite number"))),
        }
    }

    /// A name or what follows an underscore.
    pub fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }
}
