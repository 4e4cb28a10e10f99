//! The data directory: private, and known to be in use.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::Path,
};

use anyhow::{Context as _, Result, bail};

const LOCK: &str = "guardengine.lock";

/// A data directory in use; it is free again when this goes.
#[derive(Debug)]
pub struct DataDir {
    _lock: File,
}

impl DataDir {
    /// Makes the directory when missing, for its owner alone. Several processes may share it.
    pub fn shared(folder: &Path) -> Result<Self> {
        let lock = lock_file(folder)?;
        let told = || format!("a restore is running in {}", folder.display());
        lock.try_lock_shared().map_err(io::Error::other).with_context(told)?;
        Ok(Self { _lock: lock })
    }

    /// The same for this process alone; refused while another one uses it.
    pub fn alone(folder: &Path) -> Result<Self> {
        let lock = lock_file(folder)?;
        if lock.try_lock().is_err() {
            bail!("the data directory {} is in use: stop guardengine first", folder.display());
        }
        Ok(Self { _lock: lock })
    }
}

/// Makes a folder when missing, for its owner alone.
pub fn make_private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn lock_file(folder: &Path) -> Result<File> {
    make_private(folder).with_context(|| format!("cannot make the data directory {}", folder.display()))?;
    let options = File::options().write(true).create(true).truncate(false).mode(0o600).clone();
    let path = folder.join(LOCK);
    options.open(&path).with_context(|| format!("cannot open {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_in_use_is_shared_but_given_to_nobody_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (DataDir::shared(folder.path()).unwrap(), DataDir::shared(folder.path()).unwrap());
        drop(one);
        assert!(DataDir::alone(folder.path()).is_err());
        drop(other);
        let _alone = DataDir::alone(folder.path()).unwrap();
        assert!(DataDir::shared(folder.path()).is_err());
    }
}
