//! Libraries of the system, found at run time.
//!
//! Each library has one module, the only place where it is called; `unsafe` stands nowhere else in this crate but
//! where libraries are opened, below. What
//! holds for all calls: the signatures are those of the C headers of the version that is loaded (its soname is asked
//! for), and the library stays loaded as long as a function of it can be called, for both stand in one value.

pub mod pocketsphinx;
pub mod tesseract;

/// Functions of a library, by their names, with the library that they live in.
macro_rules! functions {
    ($(#[$attribute:meta])* $name:ident { $($function:ident: fn($($argument:ty),*) $(-> $answer:ty)?;)* }) => {
        $(#[$attribute])*
        struct $name {
            $($function: unsafe extern "C" fn($($argument),*) $(-> $answer)?,)*
            _library: libloading::Library,
        }

        impl $name {
            fn of(library: libloading::Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the library is of the version whose header declares the function so.
                    $($function: unsafe { *library.get(concat!(stringify!($function), "\0").as_bytes())? },)*
                    _library: library,
                })
            }
        }
    };
}
use functions;

/// Opens the first library that is there.
#[expect(unsafe_code, reason = "initialisers of a library run")]
fn open(names: &[&str]) -> Option<libloading::Library> {
    // SAFETY: the initialisers of these libraries set up their own tables, and touch nothing of ours.
    names.iter().find_map(|name| unsafe { libloading::Library::new(*name) }.ok())
}
