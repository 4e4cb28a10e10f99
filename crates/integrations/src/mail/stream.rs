//! A connection that fails after a number of bytes was read, because replies of a mail server have no bound of their own.

use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection with a bound on what is read.
#[derive(Debug)]
pub(super) struct BoundedStream<S> {
    inner: S,
    peer: SocketAddr,
    left: usize,
}

impl<S> BoundedStream<S> {
    pub(super) const fn new(inner: S, peer: SocketAddr, max_bytes: usize) -> Self {
        Self { inner, peer, left: max_bytes }
    }
}

impl<S> AsyncTokioStream for BoundedStream<S>
where
    S: AsyncRead + AsyncWrite + Send + Sync + Unpin + fmt::Debug,
{
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for BoundedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::Error::other("the server sent too much")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        self.left = self.left.saturating_sub(buffer.filled().len() - before);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for BoundedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn reading_fails_after_the_bound() {
        let peer = ([127, 0, 0, 1], 25).into();
        let mut read = Vec::new();
        let mut stream = BoundedStream::new(tokio::io::repeat(b'2'), peer, 4);
        let error = stream.read_to_end(&mut read).await.unwrap_err();
        assert_eq!(error.to_string(), "the server sent too much");
        assert!(read.len() < 1 << 16, "{}", read.len());
    }
}
