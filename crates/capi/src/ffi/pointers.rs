//! From pointers to references and back.

use std::ffi::{CStr, c_char};
use std::{ptr, slice};

use crate::problem::check_size;
use crate::status::{Error, EtalonStatus, c_text, guarded};

fn check_pointer<T>(pointer: *const T, what: &'static str) -> Result<(), Error> {
    if pointer.is_null() {
        return Err(Error::Null(what));
    }
    if !pointer.is_aligned() {
        return Err(Error::Misaligned(what));
    }
    Ok(())
}

pub(super) unsafe fn shared<'a, T>(pointer: *const T, what: &'static str) -> Result<&'a T, Error> {
    check_pointer(pointer, what)?;
    // SAFETY: it is not null, and then it is a handle that no thread changes or frees during the call.
    Ok(unsafe { &*pointer })
}

pub(super) unsafe fn exclusive<'a, T>(
    pointer: *mut T,
    what: &'static str,
) -> Result<&'a mut T, Error> {
    check_pointer(pointer, what)?;
    // SAFETY: it is not null, and then it is a handle that no other thread uses during the call.
    Ok(unsafe { &mut *pointer })
}

pub(super) unsafe fn array<'a, T>(
    pointer: *const T,
    length: usize,
    what: &'static str,
) -> Result<&'a [T], Error> {
    if length == 0 {
        return Ok(&[]);
    }
    check_size(what, length, isize::MAX as usize / size_of::<T>())?;
    check_pointer(pointer, what)?;
    // SAFETY: it is not null, aligned, and points to so many values, which take no more than isize::MAX bytes and
    // which no thread changes during the call.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

pub(super) unsafe fn optional<'a, T>(
    pointer: *const T,
    length: usize,
    what: &'static str,
) -> Result<Option<&'a [T]>, Error> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as it is not NULL, it points to so many values.
    unsafe { array(pointer, length, what) }.map(Some)
}

pub(super) unsafe fn text<'a>(
    pointer: *const c_char,
    what: &'static str,
) -> Result<&'a str, Error> {
    check_pointer(pointer, what)?;
    // SAFETY: it is not null, and then it points to a string that ends in a NUL.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Error::Utf8(what))
}

/// Writes `size` doubles, which must be just those that there are. The memory may be uninitialised.
pub(super) unsafe fn fill(
    to: *mut f64,
    size: usize,
    doubles: impl ExactSizeIterator<Item = f64>,
) -> Result<(), Error> {
    let n = doubles.len();
    if size != n {
        let (what, length) = ("z", size);
        return Err(Error::Length { what, length, n });
    }
    check_pointer(to, "z")?;
    for (i, double) in doubles.enumerate() {
        // SAFETY: i < size, for which the caller has room.
        unsafe { to.add(i).write(double) };
    }
    Ok(())
}

/// Makes a thing and hands it out; NULL where that fails.
pub(super) unsafe fn hand_out<T>(
    to: *mut *mut T,
    what: &'static str,
    make: impl FnOnce() -> Result<Box<T>, Error>,
) -> EtalonStatus {
    guarded(|| {
        check_pointer(to, what)?;
        // SAFETY: it is not null, aligned, and has room for a pointer.
        unsafe { to.write(ptr::null_mut()) };
        let made = make()?;
        // SAFETY: as before.
        unsafe { to.write(Box::into_raw(made)) };
        Ok(())
    })
}

/// As [`hand_out`], for a text.
pub(super) unsafe fn hand_out_text(
    to: *mut *mut c_char,
    what: &'static str,
    make: impl FnOnce() -> Result<String, Error>,
) -> EtalonStatus {
    guarded(|| {
        check_pointer(to, what)?;
        // SAFETY: it is not null, aligned, and has room for a pointer.
        unsafe { to.write(ptr::null_mut()) };
        let made = c_text(&make()?);
        // SAFETY: as before.
        unsafe { to.write(made.into_raw()) };
        Ok(())
    })
}

/// Frees what `Box::into_raw` has handed out.
pub(super) unsafe fn free<T>(pointer: *mut T) {
    if pointer.is_null() {
        return;
    }
    guarded(|| {
        // SAFETY: it is not null, and then it came from a box of this type and was not freed yet.
        drop(unsafe { Box::from_raw(pointer) });
        Ok(())
    });
}
