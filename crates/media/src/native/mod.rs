//! System libraries, loaded at run time.
//!
//! Each library is called in one module only. `unsafe` occurs in these modules and below, where libraries are opened,
//! and nowhere else in this crate. Two facts hold for all calls. The signatures are those of the C headers of the
//! loaded version, which is requested by its soname. The library stays loaded as long as its functions can be called,
//! because one value owns both.

pub mod tesseract;

/// Declares a struct with functions of a library and the library itself.
macro_rules! functions {
    ($(#[$attribute:meta])* $name:ident { $($function:ident: fn($($argument:ty),*) $(-> $result:ty)?;)* }) => {
        $(#[$attribute])*
        struct $name {
            $($function: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: libloading::Library,
        }

        impl $name {
            fn of(library: libloading::Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the library has the version whose header declares this signature.
                    $($function: unsafe { *library.get(concat!(stringify!($function), "\0").as_bytes())? },)*
                    _library: library,
                })
            }
        }
    };
}
use functions;

/// Opens the first library that exists.
#[expect(unsafe_code, reason = "opening a library runs its initializers")]
fn open(names: &[&str]) -> Option<libloading::Library> {
    // SAFETY: the initializers of these libraries only set up their own tables.
    names.iter().find_map(|name| unsafe { libloading::Library::new(*name) }.ok())
}
