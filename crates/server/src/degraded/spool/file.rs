//! One file of rows. A frame is the length of its content and the CRC-32 of that, each four bytes with the least first,
//! and the content.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

const HEAD: u64 = 8;

/// A file of rows that this process holds; others are free to take it when this goes.
#[derive(Debug)]
pub(super) struct SpoolFile {
    file: File,
    path: PathBuf,
    /// Where the next frame to be read begins.
    read: u64,
    /// Where the last whole frame ends.
    end: u64,
    /// Frames that were not read.
    frames: u64,
}

impl SpoolFile {
    /// Opens the file, made where it is missing; `None` while another process holds it. A frame that is not whole is what a
    /// crash left of a row that nobody was told of; it is put aside with whatever follows it, for people to look at.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let options = File::options().read(true).write(true).create(true).truncate(false).mode(0o600).clone();
        let file = options.open(path)?;
        if file.try_lock().is_err() {
            return Ok(None);
        }
        let mut file = Self { file, path: path.to_owned(), read: 0, end: 0, frames: 0 };
        while let Some(content) = file.frame_at(file.end)? {
            file.end += HEAD + content.len() as u64;
            file.frames += 1;
        }
        file.put_rest_aside()?;
        Ok(Some(file))
    }

    /// The same file, for another thread to work on.
    pub fn try_clone(&self) -> io::Result<Self> {
        let (file, path) = (self.file.try_clone()?, self.path.clone());
        Ok(Self { file, path, ..*self })
    }

    /// Bytes of whole frames.
    pub const fn len(&self) -> u64 {
        self.end
    }

    /// Frames that were not read.
    pub const fn waiting(&self) -> u64 {
        self.frames
    }

    /// Whether everything was read.
    pub const fn is_empty(&self) -> bool {
        self.frames == 0
    }

    /// Appends frames and flushes them. What could not be written whole is cut off again.
    pub fn append(&mut self, contents: &[Vec<u8>]) -> io::Result<()> {
        let frames: Vec<u8> = contents.iter().flat_map(|content| framed(content)).collect();
        let written = self.file.seek(SeekFrom::Start(self.end));
        let written = written.and_then(|_| self.file.write_all(&frames)).and_then(|()| self.file.sync_data());
        if let Err(fault) = written {
            // What stands behind the end is no frame of ours, whether it can be cut off or not.
            drop(self.file.set_len(self.end));
            return Err(fault);
        }
        self.end += frames.len() as u64;
        self.frames += contents.len() as u64;
        Ok(())
    }

    /// Up to `most` frames that were not read, oldest first, and where they end.
    pub fn peek(&self, most: usize) -> io::Result<(Vec<Vec<u8>>, u64)> {
        let (mut contents, mut at) = (Vec::new(), self.read);
        while contents.len() < most && at < self.end {
            let Some(content) = self.frame_at(at)? else { return Err(io::ErrorKind::InvalidData.into()) };
            at += HEAD + content.len() as u64;
            contents.push(content);
        }
        Ok((contents, at))
    }

    /// So many frames that end there are done with; a file that holds no others is emptied.
    pub fn done(&mut self, frames: usize, end: u64) -> io::Result<()> {
        self.read = end;
        self.frames -= frames as u64;
        if self.read == self.end {
            self.file.set_len(0)?;
            self.file.sync_data()?;
            (self.read, self.end) = (0, 0);
        }
        Ok(())
    }

    /// The whole frame that begins there.
    fn frame_at(&self, at: u64) -> io::Result<Option<Vec<u8>>> {
        let mut file = &self.file;
        let size = file.metadata()?.len();
        if at + HEAD > size {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0; HEAD as usize];
        file.read_exact(&mut head)?;
        let [a, b, c, d, rest @ ..] = head;
        let (length, sum) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes(rest));
        if length == 0 || at + HEAD + u64::from(length) > size {
            return Ok(None);
        }
        let mut content = vec![0; length as usize];
        file.read_exact(&mut content)?;
        Ok((crc32fast::hash(&content) == sum).then_some(content))
    }

    fn put_rest_aside(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() == self.end {
            return Ok(());
        }
        let mut rest = Vec::new();
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.read_to_end(&mut rest)?;
        let aside = self.path.with_extension("broken");
        File::options().append(true).create(true).mode(0o600).open(&aside)?.write_all(&rest)?;
        tracing::warn!(file = %aside.display(), bytes = rest.len(), "the end of a spool is no whole row, it is put aside");
        self.file.set_len(self.end)?;
        self.file.sync_data()
    }
}

fn framed(content: &[u8]) -> impl Iterator<Item = u8> {
    let length = content.len() as u32;
    let head = length.to_le_bytes().into_iter().chain(crc32fast::hash(content).to_le_bytes());
    head.chain(content.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> SpoolFile {
        SpoolFile::open(path).unwrap().unwrap()
    }

    fn rows(count: u8) -> Vec<Vec<u8>> {
        (1..=count).map(|row| vec![row; usize::from(row)]).collect()
    }

    #[test]
    fn rows_are_read_in_their_order_and_a_file_that_is_done_is_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = open(&folder.path().join("rows"));
        file.append(&rows(2)).unwrap();
        file.append(&[b"third".to_vec()]).unwrap();
        let (first, end) = file.peek(2).unwrap();
        assert_eq!(first, rows(2));
        file.done(2, end).unwrap();
        let (rest, end) = file.peek(9).unwrap();
        assert_eq!((rest, file.waiting()), (vec![b"third".to_vec()], 1));
        file.done(1, end).unwrap();
        assert!(file.is_empty());
    }

    #[test]
    fn what_was_appended_is_there_after_a_crash_until_it_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        open(&path).append(&rows(5)).unwrap();
        let again = open(&path);
        assert_eq!((again.waiting(), again.peek(9).unwrap().0), (5, rows(5)));
    }

    #[test]
    fn a_row_that_is_torn_is_put_aside_wherever_it_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        open(&path).append(&rows(3)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let last = whole.len() - 11;
        for cut in last + 1..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut torn = open(&path);
            assert_eq!(torn.peek(9).unwrap().0, rows(2), "cut at {cut}");
            torn.append(&[b"next".to_vec()]).unwrap();
            drop(torn);
            assert_eq!(open(&path).waiting(), 3);
        }
        assert!(path.with_extension("broken").exists());
    }

    #[test]
    fn a_row_that_was_altered_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        open(&path).append(&rows(2)).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(open(&path).waiting(), 1);
    }

    #[test]
    fn a_file_that_is_held_is_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let _held = open(&path);
        assert!(SpoolFile::open(&path).unwrap().is_none());
    }
}
