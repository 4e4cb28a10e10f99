//! A spool file: a sequence of frames, one for each spooled decision.
//!
//! A frame is the length of its content, the CRC-32 of the content (both four bytes, little-endian), and the content.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// Size of a frame header in bytes.
const HEADER: u64 = 8;

/// A spool file locked by this process. Dropping it releases the lock.
#[derive(Debug)]
pub(crate) struct SpoolFile {
    file: File,
    path: PathBuf,
    /// Offset of the next frame to read.
    read: u64,
    /// Offset of the end of the last complete frame.
    end: u64,
    /// Number of frames not yet replayed.
    frames: u64,
}

impl SpoolFile {
    /// Opens the file, creating it if missing. Returns `None` while another process holds it. A crash can leave an
    /// incomplete frame, whose request was never answered. That frame and everything after it is moved to a `.broken` file
    /// for inspection.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let options = File::options().read(true).write(true).create(true).truncate(false).mode(0o600).clone();
        let file = options.open(path)?;
        if file.try_lock().is_err() {
            return Ok(None);
        }
        let mut file = Self { file, path: path.to_owned(), read: 0, end: 0, frames: 0 };
        while let Some(content) = file.frame_at(file.end)? {
            file.end += HEADER + content.len() as u64;
            file.frames += 1;
        }
        file.move_rest_aside()?;
        Ok(Some(file))
    }

    /// Returns another handle to the file, for use on a blocking thread.
    pub fn try_clone(&self) -> io::Result<Self> {
        let (file, path) = (self.file.try_clone()?, self.path.clone());
        Ok(Self { file, path, ..*self })
    }

    /// Returns the size of the complete frames, in bytes.
    pub const fn len(&self) -> u64 {
        self.end
    }

    /// Returns the number of frames not yet replayed.
    pub const fn waiting(&self) -> u64 {
        self.frames
    }

    /// Returns true if every frame was replayed.
    pub const fn is_empty(&self) -> bool {
        self.frames == 0
    }

    /// Appends frames and flushes them. On an error the file is truncated to its previous size.
    pub fn append(&mut self, contents: &[Vec<u8>]) -> io::Result<()> {
        let frames: Vec<u8> = contents.iter().flat_map(|content| frame(content)).collect();
        let written = self.file.seek(SeekFrom::Start(self.end));
        let written = written.and_then(|_| self.file.write_all(&frames)).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Bytes after `end` are ignored, even if they cannot be cut off.
            drop(self.file.set_len(self.end));
            return Err(error);
        }
        self.end += frames.len() as u64;
        self.frames += contents.len() as u64;
        Ok(())
    }

    /// Returns up to `limit` frames not yet replayed, oldest first, and the offset of their end.
    pub fn peek(&self, limit: usize) -> io::Result<(Vec<Vec<u8>>, u64)> {
        let (mut contents, mut at) = (Vec::new(), self.read);
        while contents.len() < limit && at < self.end {
            let Some(content) = self.frame_at(at)? else { return Err(io::ErrorKind::InvalidData.into()) };
            at += HEADER + content.len() as u64;
            contents.push(content);
        }
        Ok((contents, at))
    }

    /// Marks `frames` frames ending at `end` as replayed, and truncates the file when none is left.
    pub fn mark_replayed(&mut self, frames: usize, end: u64) -> io::Result<()> {
        self.read = end;
        self.frames -= frames as u64;
        if self.read == self.end {
            self.file.set_len(0)?;
            self.file.sync_data()?;
            (self.read, self.end) = (0, 0);
        }
        Ok(())
    }

    /// Returns the content of the frame at this offset; `None` if the frame is incomplete or corrupt.
    fn frame_at(&self, at: u64) -> io::Result<Option<Vec<u8>>> {
        let mut file = &self.file;
        let size = file.metadata()?.len();
        if at + HEADER > size {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(at))?;
        let mut header = [0; HEADER as usize];
        file.read_exact(&mut header)?;
        let [a, b, c, d, rest @ ..] = header;
        let (length, checksum) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes(rest));
        if length == 0 || at + HEADER + u64::from(length) > size {
            return Ok(None);
        }
        let mut content = vec![0; length as usize];
        file.read_exact(&mut content)?;
        Ok((crc32fast::hash(&content) == checksum).then_some(content))
    }

    fn move_rest_aside(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() == self.end {
            return Ok(());
        }
        let mut rest = Vec::new();
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.read_to_end(&mut rest)?;
        let aside = self.path.with_extension("broken");
        File::options().append(true).create(true).mode(0o600).open(&aside)?.write_all(&rest)?;
        tracing::warn!(file = %aside.display(), bytes = rest.len(), "spool file ends with an incomplete entry; moved it aside");
        self.file.set_len(self.end)?;
        self.file.sync_data()
    }
}

fn frame(content: &[u8]) -> impl Iterator<Item = u8> {
    let length = content.len() as u32;
    let header = length.to_le_bytes().into_iter().chain(crc32fast::hash(content).to_le_bytes());
    header.chain(content.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> SpoolFile {
        SpoolFile::open(path).unwrap().unwrap()
    }

    fn entries(count: u8) -> Vec<Vec<u8>> {
        (1..=count).map(|entry| vec![entry; usize::from(entry)]).collect()
    }

    #[test]
    fn reads_entries_in_order_and_truncates_a_replayed_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = open(&folder.path().join("rows"));
        file.append(&entries(2)).unwrap();
        file.append(&[b"third".to_vec()]).unwrap();
        let (first, end) = file.peek(2).unwrap();
        assert_eq!(first, entries(2));
        file.mark_replayed(2, end).unwrap();
        let (rest, end) = file.peek(9).unwrap();
        assert_eq!((rest, file.waiting()), (vec![b"third".to_vec()], 1));
        file.mark_replayed(1, end).unwrap();
        assert!(file.is_empty());
    }

    #[test]
    fn entries_survive_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        open(&path).append(&entries(5)).unwrap();
        let again = open(&path);
        assert_eq!((again.waiting(), again.peek(9).unwrap().0), (5, entries(5)));
    }

    #[test]
    fn moves_an_incomplete_entry_aside_wherever_it_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        open(&path).append(&entries(3)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let last = whole.len() - 11;
        for cut in last + 1..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut torn = open(&path);
            assert_eq!(torn.peek(9).unwrap().0, entries(2), "cut at {cut}");
            torn.append(&[b"next".to_vec()]).unwrap();
            drop(torn);
            assert_eq!(open(&path).waiting(), 3);
        }
        assert!(path.with_extension("broken").exists());
    }

    #[test]
    fn ignores_a_corrupt_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        open(&path).append(&entries(2)).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(open(&path).waiting(), 1);
    }

    #[test]
    fn does_not_open_a_file_that_another_handle_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let _held = open(&path);
        assert!(SpoolFile::open(&path).unwrap().is_none());
    }
}
