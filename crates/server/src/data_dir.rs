//! The data directory: created with private permissions, and locked while in use.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::Path,
};

use anyhow::{Context as _, Result, bail};

const LOCK: &str = "guardengine.lock";

/// A lock on the data directory, released on drop.
#[derive(Debug)]
pub struct DataDir {
    _lock: File,
}

impl DataDir {
    /// Locks the directory in shared mode, creating it with mode 0700 if missing. Several processes may share it.
    pub fn shared(folder: &Path) -> Result<Self> {
        let lock = lock_file(folder)?;
        let message = || format!("a restore is running in {}", folder.display());
        lock.try_lock_shared().map_err(io::Error::other).with_context(message)?;
        Ok(Self { _lock: lock })
    }

    /// Locks the directory exclusively. Returns an error while another process uses it.
    pub fn alone(folder: &Path) -> Result<Self> {
        let lock = lock_file(folder)?;
        if lock.try_lock().is_err() {
            bail!("the data directory {} is in use: stop guardengine first", folder.display());
        }
        Ok(Self { _lock: lock })
    }
}

/// Creates a folder with mode 0700 if it does not exist.
pub fn make_private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn lock_file(folder: &Path) -> Result<File> {
    make_private(folder)
        .with_context(|| format!("could not create the data directory {}", folder.display()))?;
    let options = File::options().write(true).create(true).truncate(false).mode(0o600).clone();
    let path = folder.join(LOCK);
    options.open(&path).with_context(|| format!("could not open {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_lock_excludes_an_exclusive_lock() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (DataDir::shared(folder.path()).unwrap(), DataDir::shared(folder.path()).unwrap());
        drop(one);
        assert!(DataDir::alone(folder.path()).is_err());
        drop(other);
        let _alone = DataDir::alone(folder.path()).unwrap();
        assert!(DataDir::shared(folder.path()).is_err());
    }
}
