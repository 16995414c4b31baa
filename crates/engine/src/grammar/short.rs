//! Checks a short document token by token, and reports where its tokens are.
//!
//! The rules over masks take as long for 40 bytes as for a whole superblock, so a short document is read faster one token
//! after the other. This reader accepts valid documents only, but not all of them: whatever is unusual is left to the masks.

#![forbid(unsafe_code)]

use crate::grammar::is_whitespace;
use crate::kernel::ROW;
use crate::kernel::controls_or;

/// Greatest length of a document that is read here. Documents of this length take about as long with the masks of AVX-512.
pub(crate) const SHORT: usize = 192;

/// Greatest number of open containers, one bit each.
const MAX_DEPTH: u32 = 64;

/// Checks a document and calls `token` with the index of each bracket, of both quotes of each string and of the first byte of each
/// number and literal. Returns a bit for each 64 bytes of text: whether they have a backslash.
///
/// `None` means that the text is longer than [`SHORT`], invalid, or unusual. Some tokens may have been reported then.
#[inline]
pub(crate) fn short_document(text: &[u8], max_depth: Option<u64>, token: impl FnMut(usize)) -> Option<u64> {
    let mut padded = [0; SHORT + ROW];
    padded.get_mut(..text.len())?.copy_from_slice(text);
    // Characters are not looked at one by one. Outside strings, only ASCII is accepted.
    // mutant: if text.len() > SHORT {
    if text.len() > SHORT || !text.is_ascii() && str::from_utf8(text).is_err() {
        return None;
    }
    let max_depth = max_depth.map_or(MAX_DEPTH, |depth| u32::try_from(depth).unwrap_or(MAX_DEPTH).min(MAX_DEPTH));
    let mut reader = Reader { text: &padded, at: 0, depth: 0, max_depth, objects: 0, escaped: 0, token };
    reader.document()?;
    // mutant: Some(reader.escaped)
    (reader.at == text.len()).then_some(reader.escaped)
}

struct Reader<'t, F> {
    /// The text, followed by zeros, which end every token and are no token.
    text: &'t [u8; SHORT + ROW],
    at: usize,
    depth: u32,
    max_depth: u32,
    /// Whether each open container is an object, the innermost in the lowest bit.
    objects: u64,
    escaped: u64,
    token: F,
}

impl<F: FnMut(usize)> Reader<'_, F> {
    /// Reads a value and the whitespace around it.
    #[inline(always)]
    fn document(&mut self) -> Option<()> {
        loop {
            self.skip_whitespace();
            match self.byte() {
                b'"' => self.string()?,
                opening @ (b'{' | b'[') => {
                    let is_object = opening == b'{';
                    self.open(is_object)?;
                    self.skip_whitespace();
                    // In ASCII, a closing bracket is two places after its opening bracket.
                    if self.byte() != opening + 2 {
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                b't' => self.literal(b"true")?,
                b'f' => self.literal(b"false")?,
                b'n' => self.literal(b"null")?,
                _ => self.number()?,
            }
            if self.after_value()? {
                return Some(());
            }
        }
    }

    /// Reads closing brackets, and a comma with the key after it. Returns whether the document is complete.
    #[inline(always)]
    fn after_value(&mut self) -> Option<bool> {
        loop {
            self.skip_whitespace();
            if self.depth == 0 {
                return Some(true);
            }
            let is_object = self.objects & 1 == 1;
            match self.byte() {
                b',' => {
                    self.at += 1;
                    if is_object {
                        self.key()?;
                    }
                    return Some(false);
                }
                // mutant: b'}' => self.close(),
                b'}' if is_object => self.close(),
                // mutant: b']' => self.close(),
                b']' if !is_object => self.close(),
                _ => return None,
            }
        }
    }

    #[inline(always)]
    fn byte(&self) -> u8 {
        self.text[self.at]
    }

    #[inline(always)]
    fn skip_whitespace(&mut self) {
        while is_whitespace(self.byte()) {
            self.at += 1;
        }
    }

    /// Reports the token that begins here.
    #[inline(always)]
    fn report(&mut self) {
        (self.token)(self.at);
    }

    #[inline(always)]
    fn open(&mut self, is_object: bool) -> Option<()> {
        // mutant: if self.depth == MAX_DEPTH {
        if self.depth == self.max_depth {
            return None;
        }
        self.report();
        self.at += 1;
        self.depth += 1;
        self.objects = self.objects << 1 | u64::from(is_object);
        Some(())
    }

    #[inline(always)]
    fn close(&mut self) {
        self.report();
        self.at += 1;
        self.depth -= 1;
        self.objects >>= 1;
    }

    /// Reads a key and its colon.
    #[inline(always)]
    fn key(&mut self) -> Option<()> {
        self.skip_whitespace();
        if self.byte() != b'"' {
            return None;
        }
        self.string()?;
        self.skip_whitespace();
        if self.byte() != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    #[inline(always)]
    fn string(&mut self) -> Option<()> {
        self.report();
        self.at += 1;
        loop {
            let row = self.text[self.at..].first_chunk::<ROW>()?;
            let found = controls_or(row, [b'"', b'\\']);
            if found == 0 {
                self.at += ROW;
                continue;
            }
            self.at += found.trailing_zeros() as usize;
            match self.byte() {
                b'"' => break,
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
        self.report();
        self.at += 1;
        Some(())
    }

    #[inline(never)]
    fn escape(&mut self) -> Option<()> {
        self.mark_backslash();
        self.at += 1;
        let is_valid = match self.byte() {
            b'\\' => {
                self.mark_backslash();
                true
            }
            b'"' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => true,
            b'u' => {
                let digits = self.text[self.at + 1..].first_chunk::<4>()?;
                self.at += 4;
                // mutant: true
                digits.iter().all(u8::is_ascii_hexdigit)
            }
            _ => false,
        };
        self.at += 1;
        is_valid.then_some(())
    }

    #[inline(always)]
    fn mark_backslash(&mut self) {
        self.escaped |= 1 << (self.at / 64);
    }

    #[inline(always)]
    fn literal<const N: usize>(&mut self, literal: &[u8; N]) -> Option<()> {
        if self.text[self.at..].first_chunk() != Some(literal) {
            return None;
        }
        self.report();
        self.at += N;
        Some(())
    }

    #[inline(always)]
    fn number(&mut self) -> Option<()> {
        self.report();
        if self.byte() == b'-' {
            self.at += 1;
        }
        if self.byte() == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    /// Reads at least one digit.
    #[inline(always)]
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        // mutant: Some(())
        (self.at > start).then_some(())
    }
}
