//! Message format between the service and its workers: two lengths (32 bits, little endian), JSON, bytes.

use std::io::{Error, ErrorKind, Result};
#[cfg(any(feature = "engines", test))]
use std::io::{Read, Write};

use serde::{Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Accepted bytes of either half, more than any image within the limits needs.
const MAX_BYTES: usize = 1 << 30;

/// The bytes that follow a message.
pub enum Payload<'a> {
    /// Bytes in memory.
    Bytes(&'a [u8]),
    /// So many bytes from a reader.
    Stream {
        /// Number of bytes.
        length: usize,
        /// Source of the bytes.
        reader: &'a mut (dyn AsyncRead + Send + Unpin),
    },
}

fn header(json: usize, bytes: usize) -> Result<[u8; 8]> {
    let length = |half: usize| {
        let length = u32::try_from(half).ok().filter(|length| *length as usize <= MAX_BYTES);
        length.map(u32::to_le_bytes).ok_or_else(too_large)
    };
    let mut header = [0; 8];
    header[..4].copy_from_slice(&length(json)?);
    header[4..].copy_from_slice(&length(bytes)?);
    Ok(header)
}

fn lengths(header: [u8; 8]) -> Result<(usize, usize)> {
    let both = u64::from_le_bytes(header);
    let (json, bytes) = (both as u32 as usize, (both >> 32) as usize);
    if json.max(bytes) > MAX_BYTES { Err(too_large()) } else { Ok((json, bytes)) }
}

fn too_large() -> Error {
    Error::new(ErrorKind::InvalidData, "message too large")
}

#[cfg(any(feature = "engines", test))]
/// Writes a message.
pub fn write(to: &mut impl Write, message: &impl Serialize, bytes: &[u8]) -> Result<()> {
    let json = serde_json::to_vec(message)?;
    to.write_all(&header(json.len(), bytes.len())?)?;
    to.write_all(&json)?;
    to.write_all(bytes)?;
    to.flush()
}

#[cfg(any(feature = "engines", test))]
/// Reads a message. Returns `None` at the end of the stream.
pub fn read<T: DeserializeOwned>(from: &mut impl Read) -> Result<Option<(T, Vec<u8>)>> {
    let mut header = [0; 8];
    match from.read_exact(&mut header) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    let (json, bytes) = lengths(header)?;
    let mut halves = (vec![0; json], vec![0; bytes]);
    from.read_exact(&mut halves.0)?;
    from.read_exact(&mut halves.1)?;
    Ok(Some((serde_json::from_slice(&halves.0)?, halves.1)))
}

/// Sends a message.
pub async fn send(
    to: &mut (impl AsyncWrite + Unpin),
    message: &impl Serialize,
    payload: Payload<'_>,
) -> Result<()> {
    let json = serde_json::to_vec(message)?;
    let length = match &payload {
        Payload::Bytes(bytes) => bytes.len(),
        Payload::Stream { length, .. } => *length,
    };
    to.write_all(&header(json.len(), length)?).await?;
    to.write_all(&json).await?;
    match payload {
        Payload::Bytes(bytes) => to.write_all(bytes).await?,
        Payload::Stream { length, reader } => {
            if tokio::io::copy(&mut reader.take(length as u64), to).await? != length as u64 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }
    to.flush().await
}

/// Receives a message of at most `max_bytes` in either half. Workers are not trusted, so memory is allocated only as
/// bytes arrive.
pub async fn receive<T: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
    max_bytes: usize,
) -> Result<(T, Vec<u8>)> {
    let mut header = [0; 8];
    from.read_exact(&mut header).await?;
    let (json, bytes) = lengths(header)?;
    if json.max(bytes) > max_bytes {
        return Err(too_large());
    }
    let json = read_exactly(from, json).await?;
    let bytes = read_exactly(from, bytes).await?;
    Ok((serde_json::from_slice(&json)?, bytes))
}

async fn read_exactly(from: &mut (impl AsyncRead + Unpin), length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(length as u64).read_to_end(&mut bytes).await?;
    if bytes.len() == length { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_written_messages() {
        let mut wire = Vec::new();
        write(&mut wire, &"one", b"1").unwrap();
        write(&mut wire, &"two", b"").unwrap();
        let mut wire = wire.as_slice();
        assert_eq!(read::<String>(&mut wire).unwrap(), Some(("one".to_owned(), b"1".to_vec())));
        assert_eq!(read::<String>(&mut wire).unwrap(), Some(("two".to_owned(), Vec::new())));
        assert_eq!(read::<String>(&mut wire).unwrap(), None);
    }

    #[test]
    fn rejects_an_excessive_length_before_allocating() {
        let mut wire = [255; 16].as_slice();
        assert_eq!(read::<String>(&mut wire).unwrap_err().kind(), ErrorKind::InvalidData);
    }
}
