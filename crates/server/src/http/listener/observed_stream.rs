//! A TCP stream that knows whether a request is being answered, and completes the bare responses with which hyper refuses
//! requests that it cannot parse.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::refusal::Refusal;

/// Activity of a connection, shared by its stream and its service. Both run in one task.
#[derive(Clone, Debug, Default)]
pub struct Activity(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_answering: AtomicBool,
    has_partial_head: AtomicBool,
}

impl Activity {
    /// Returns true from the end of the request headers to the end of the response.
    pub fn is_answering(&self) -> bool {
        self.0.is_answering.load(Relaxed)
    }

    /// Returns true if a request has begun whose headers are not complete.
    pub fn has_partial_head(&self) -> bool {
        self.0.has_partial_head.load(Relaxed)
    }

    /// Notes that the headers of a request are complete.
    pub fn begin(&self) {
        self.0.is_answering.store(true, Relaxed);
        self.0.has_partial_head.store(false, Relaxed);
    }

    /// Returns a body whose end is the end of the response.
    pub fn until_end_of(&self, body: Body) -> Body {
        Body::new(AnswerBody { body, activity: self.clone() })
    }

    fn end(&self) {
        self.0.is_answering.store(false, Relaxed);
        self.0.has_partial_head.store(false, Relaxed);
    }

    fn received(&self) {
        self.0.has_partial_head.store(!self.is_answering(), Relaxed);
    }
}

struct AnswerBody {
    body: Body,
    activity: Activity,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.activity.end();
    }
}

/// The stream of a connection.
pub struct ObservedStream {
    stream: TcpStream,
    activity: Activity,
    /// Bytes to write before everything else.
    pending: Vec<u8>,
}

impl ObservedStream {
    /// Observes `stream`.
    pub const fn new(stream: TcpStream, activity: Activity) -> Self {
        Self { stream, activity, pending: Vec::new() }
    }

    /// Returns the stream.
    pub fn into_inner(self) -> TcpStream {
        self.stream
    }

    fn poll_pending(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.pending.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.pending))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.pending.drain(..count);
        }
        Poll::Ready(Ok(()))
    }

    /// Replaces a bare refusal; returns false for everything else.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        let refusal = Refusal::of_bare(bytes).filter(|_| !self.activity.is_answering());
        let is_replaced = refusal.is_some();
        self.pending.extend(refusal.into_iter().flat_map(Refusal::response));
        is_replaced
    }
}

impl AsyncRead for ObservedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if buffer.filled().len() > before {
            self.activity.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ObservedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_pending(cx))?;
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_pending(cx))?;
        if let [slice] = slices
            && self.replaces(slice)
        {
            return Poll::Ready(Ok(slice.len()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
