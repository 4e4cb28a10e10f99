//! Macros: the sources of VBA modules (MS-OVBA) in a compound file (MS-CFB).

use std::io::{Cursor, Read as _};

use super::{DocumentError, visitor::Walk};
use crate::Role;

/// Beginning of every module's source.
const START: &[u8] = b"Attr";
/// Bytes that a chunk unpacks to (MS-OVBA, section 2.4.1.1.1).
const CHUNK: usize = 4096;

/// Shows the sources of the modules to the visitor. They are not changed.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Result<(), DocumentError> {
    let Ok(mut project) = cfb::CompoundFile::open(Cursor::new(file)) else {
        walk.unread += 1;
        return Ok(());
    };
    let paths: Vec<_> =
        project.walk().filter(cfb::Entry::is_stream).map(|entry| entry.path().to_path_buf()).collect();
    walk.enter(paths.len())?;
    for path in paths {
        let mut stream = Vec::new();
        let limit = walk.may_unpack() as u64 + 1;
        let read = project.open_stream(&path).and_then(|source| source.take(limit).read_to_end(&mut stream));
        if read.is_err() {
            walk.unread += 1;
            continue;
        }
        walk.unpack(stream.len())?;
        if let Some(source) = source(&stream, walk)? {
            walk.text(&source, Role::Macro)?;
        }
    }
    Ok(())
}

/// Returns the source in a stream of a module, which follows compiled code of unknown length.
fn source(stream: &[u8], walk: &mut Walk<'_>) -> Result<Option<String>, DocumentError> {
    // The first group of literals follows the signature of the container, the header of the chunk and its flags.
    let starts = stream.windows(START.len()).enumerate().filter(|(at, window)| *at >= 4 && *window == START);
    for (at, _) in starts {
        if stream[at - 4] == 1
            && let Some(text) = decompress(&stream[at - 3..])
        {
            walk.unpack(text.len())?;
            return Ok(Some(String::from_utf8_lossy(&text).into_owned()));
        }
    }
    Ok(None)
}

/// Decompresses the chunks of a container (MS-OVBA, section 2.4.1.3).
fn decompress(mut chunks: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    while let Some((header, rest)) = chunks.split_first_chunk::<2>() {
        let header = u16::from_le_bytes(*header);
        let length = usize::from(header & 0x0fff) + 1;
        let (chunk, rest) = rest.split_at(length.min(rest.len()));
        if (header >> 12) & 0b111 != 0b011 {
            break;
        }
        if header & 0x8000 == 0 {
            text.extend_from_slice(chunk);
        } else {
            decompress_chunk(chunk, &mut text)?;
        }
        chunks = rest;
    }
    (!text.is_empty()).then_some(text)
}

fn decompress_chunk(chunk: &[u8], text: &mut Vec<u8>) -> Option<()> {
    let start = text.len();
    let mut bytes = chunk.iter().copied();
    while let Some(flags) = bytes.next() {
        for bit in 0..8 {
            let Some(byte) = bytes.next() else { return Some(()) };
            if flags >> bit & 1 == 0 {
                text.push(byte);
                continue;
            }
            let token = u16::from_le_bytes([byte, bytes.next()?]);
            let written = text.len() - start;
            if written == 0 || written >= CHUNK {
                return None;
            }
            // The number of bits for the offset depends on what is written (section 2.4.1.3.19.1).
            let bits = (usize::BITS - (written - 1).leading_zeros()).max(4);
            let length = usize::from(token & (0xffff >> bits)) + 3;
            let offset = usize::from(token >> (16 - bits)) + 1;
            for _ in 0..length {
                let copied = *text.get(text.len().checked_sub(offset)?)?;
                text.push(copied);
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decompresses_the_example_of_the_specification() {
        // MS-OVBA, section 3.2.3.
        let container = [
            0x2f, 0xb0, 0x00, 0x23, 0x61, 0x61, 0x61, 0x62, 0x63, 0x64, 0x65, 0x82, 0x66, 0x00, 0x70, 0x61,
            0x67, 0x68, 0x69, 0x6a, 0x01, 0x38, 0x08, 0x61, 0x6b, 0x6c, 0x00, 0x30, 0x6d, 0x6e, 0x6f, 0x70,
            0x06, 0x71, 0x02, 0x70, 0x04, 0x10, 0x72, 0x73, 0x74, 0x75, 0x76, 0x10, 0x77, 0x78, 0x79, 0x7a,
            0x00, 0x3c,
        ];
        let text = decompress(&container).unwrap();
        assert_eq!(text, b"#aaabcdefaaaaghijaaaaaklaaamnopqaaaaaaaaaaaarstuvwxyzaaa");
    }
}
