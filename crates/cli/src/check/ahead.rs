//! Reading ahead of a pipe: what one program writes into two pipes comes in any order.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// So many bytes are read ahead at most.
pub const LIMIT: usize = 64 << 20;

/// A pipe that a thread of its own opens and reads.
pub struct Ahead(Arc<Shared>);

#[derive(Default)]
struct Shared {
    read: Mutex<Bytes>,
    changed: Condvar,
}

/// What has been read and not been taken yet.
#[derive(Default)]
struct Bytes {
    queue: VecDeque<u8>,
    /// There is no more to come.
    is_whole: bool,
    /// Why there is no more.
    error: Option<io::Error>,
}

impl Ahead {
    /// Opens a pipe, or standard input for `-`. Who opens it for writing may come later: an error comes where it is first read.
    pub fn open(path: &Path) -> Self {
        let (shared, path) = (Arc::<Shared>::default(), path.to_owned());
        let own = Arc::clone(&shared);
        thread::spawn(move || {
            let done = match path.as_os_str() == "-" {
                true => own.fill(io::stdin()),
                false => File::open(path).and_then(|pipe| own.fill(pipe)),
            };
            let mut read = own.lock();
            (read.is_whole, read.error) = (true, done.err());
            own.changed.notify_all();
        });
        Self(shared)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Bytes> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, is_early: impl Fn(&Bytes) -> bool) -> MutexGuard<'_, Bytes> {
        let waited = self.changed.wait_while(self.lock(), |own| is_early(own));
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads to the end, as long as there is room.
    fn fill(&self, mut pipe: impl Read) -> io::Result<()> {
        let mut part = vec![0; 64 << 10];
        loop {
            let length = match pipe.read(&mut part) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if length == 0 {
                return Ok(());
            }
            let mut read = self.wait_while(|own| own.queue.len() >= LIMIT);
            read.queue.extend(&part[..length]);
            self.changed.notify_all();
        }
    }
}

impl Read for Ahead {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut read = self
            .0
            .wait_while(|own| own.queue.is_empty() && !own.is_whole);
        if read.queue.is_empty()
            && let Some(error) = read.error.take()
        {
            return Err(error);
        }
        let length = read.queue.read(into)?;
        self.0.changed.notify_all();
        Ok(length)
    }
}
