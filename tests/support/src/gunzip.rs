//! An independent decoder of gzip (RFC 1952), around the inflate implementation of `miniz_oxide`.

use miniz_oxide::DataFormat;
use miniz_oxide::MZFlush;
use miniz_oxide::MZStatus;
use miniz_oxide::inflate::stream::InflateState;
use miniz_oxide::inflate::stream::inflate;

/// Bits of the flags in a header (RFC 1952, section 2.3.1).
const HAS_CHECKSUM: u8 = 1 << 1;
const HAS_EXTRA: u8 = 1 << 2;
const HAS_NAME: u8 = 1 << 3;
const HAS_COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

/// Returns the text of all members of `data`, or `None` if they are damaged or anything follows them.
#[must_use]
pub fn members(data: &[u8]) -> Option<Vec<u8>> {
    let (mut text, mut rest) = member(data, u64::MAX)?;
    while !rest.is_empty() {
        let (more, after) = member(rest, u64::MAX)?;
        text.extend(more);
        rest = after;
    }
    Some(text)
}

/// Returns the text of the first member of `data`, and what follows it, or `None` if it is damaged. If the text is longer than `most`
/// bytes, returns a little more of it than that, and nothing after it.
#[must_use]
pub fn member(data: &[u8], most: u64) -> Option<(Vec<u8>, &[u8])> {
    let (text, rest) = raw(after_header(data)?, most)?;
    if text.len() as u64 > most {
        return Some((text, &[]));
    }
    let (end, rest) = rest.split_first_chunk()?;
    (*end == trailer(&text)).then_some((text, rest))
}

/// Decompresses deflated data (RFC 1951) without a header, with the same results as [`member`].
#[must_use]
pub fn raw(data: &[u8], most: u64) -> Option<(Vec<u8>, &[u8])> {
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let (mut text, mut rest, mut block) = (Vec::new(), data, vec![0; 1 << 15]);
    while text.len() as u64 <= most {
        let step = inflate(&mut state, rest, &mut block, MZFlush::None);
        rest = &rest[step.bytes_consumed..];
        text.extend_from_slice(&block[..step.bytes_written]);
        match step.status {
            Ok(MZStatus::StreamEnd) => return Some((text, rest)),
            Ok(_) if step.bytes_consumed + step.bytes_written > 0 => {}
            _ => return None,
        }
    }
    Some((text, &[]))
}

/// Returns the end of a member with this text: its checksum and its length.
#[must_use]
pub fn trailer(text: &[u8]) -> [u8; 8] {
    // Of the length, only the lower half is stored.
    ((text.len() as u64) << 32 | u64::from(crc32(text))).to_le_bytes()
}

/// Returns what follows the header of a member, or `None` if it is damaged.
fn after_header(data: &[u8]) -> Option<&[u8]> {
    let ([0x1f, 0x8b, 8, flags, _, _, _, _, _, _], mut rest) = data.split_first_chunk()? else {
        return None;
    };
    if flags & RESERVED != 0 {
        return None;
    }
    if flags & HAS_EXTRA != 0 {
        let (length, extra) = rest.split_first_chunk()?;
        rest = extra.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for has_text in [HAS_NAME, HAS_COMMENT] {
        if flags & has_text != 0 {
            rest = &rest[rest.iter().position(|&byte| byte == 0)? + 1..];
        }
    }
    if flags & HAS_CHECKSUM != 0 {
        let header = &data[..data.len() - rest.len()];
        let (checksum, after) = rest.split_first_chunk()?;
        if u32::from(u16::from_le_bytes(*checksum)) != crc32(header) & 0xffff {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

/// CRC-32 (RFC 1952, section 8).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| (crc >> 8) ^ TABLE[usize::from(crc.to_le_bytes()[0] ^ byte)])
}

/// The checksums of single bytes.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit): (u32, u8) = (byte, 0);
        while bit < 8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
            bit += 1;
        }
        table[byte as usize] = crc;
        byte += 1;
    }
    table
};
