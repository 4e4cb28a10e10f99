//! Projects and their members.

mod crud;
mod members;
