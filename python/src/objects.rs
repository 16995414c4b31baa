//! Makes and reads the objects of Python. The only file that knows how CPython stores them.
//!
//! A `Python<'py>` is the proof that the thread may use the interpreter, so functions that take one are safe. Those that return an
//! `Option` return `None` after an exception was set.

use std::ffi::CStr;
use std::ffi::c_int;
use std::ptr;
use std::slice;
use std::str;

use fjson::scalar::CharWidth;
use fjson::scalar::char_width;
use fjson::scalar::write_four_bytes;
use fjson::scalar::write_one_byte;
use fjson::scalar::write_two_bytes;
use pyo3::Borrowed;
use pyo3::Bound;
use pyo3::Py;
use pyo3::PyAny;
use pyo3::Python;
use pyo3::ffi;
use pyo3::types::PyBytes;
use pyo3::types::PyDict;
use pyo3::types::PyInt;
use pyo3::types::PyList;
use pyo3::types::PyString;
use pyo3::types::PyStringMethods;

/// Takes ownership of what a function of the C API has returned.
#[inline(always)]
fn owned(py: Python<'_>, object: *mut ffi::PyObject) -> Option<Py<PyAny>> {
    // SAFETY: each caller passes a new reference, or null after an exception was set.
    let object = unsafe { Bound::from_owned_ptr_or_opt(py, object) };
    object.map(Bound::unbind)
}

/// Makes an integer.
#[inline]
pub fn integer(py: Python<'_>, value: i64) -> Option<Py<PyAny>> {
    // SAFETY: the thread is attached.
    owned(py, unsafe { ffi::PyLong_FromLongLong(value) })
}

/// Makes an integer that is not negative.
#[inline]
pub fn unsigned(py: Python<'_>, value: u64) -> Option<Py<PyAny>> {
    // SAFETY: the thread is attached.
    owned(py, unsafe { ffi::PyLong_FromUnsignedLongLong(value) })
}

/// Makes an integer of any size of its decimal digits. It has an error if these are more than the interpreter converts.
pub fn big_integer(py: Python<'_>, digits: &CStr) -> Option<Py<PyAny>> {
    // SAFETY: the thread is attached, and the digits end with a zero byte.
    owned(py, unsafe { ffi::PyLong_FromString(digits.as_ptr(), ptr::null_mut(), 10) })
}

/// Makes a float.
#[inline]
pub fn float(py: Python<'_>, value: f64) -> Option<Py<PyAny>> {
    // SAFETY: the thread is attached.
    owned(py, unsafe { ffi::PyFloat_FromDouble(value) })
}

/// Makes a string.
#[inline]
pub fn string(py: Python<'_>, text: &str) -> Option<Py<PyAny>> {
    // Strings of one character are kept by the interpreter.
    if text.len() < 2 || !text.is_ascii() {
        return other_string(py, text);
    }
    let length = ffi::Py_ssize_t::try_from(text.len()).ok()?;
    // SAFETY: the thread is attached.
    let object = owned(py, unsafe { ffi::PyUnicode_New(length, 0x7f) })?;
    // SAFETY: the string is a new one of one byte per character.
    let data = unsafe { ffi::PyUnicode_1BYTE_DATA(object.as_ptr()) };
    // SAFETY: it has room for these bytes, and nothing else has a reference to it.
    unsafe { ptr::copy_nonoverlapping(text.as_ptr(), data, text.len()) };
    Some(object)
}

#[inline(never)]
fn other_string(py: Python<'_>, text: &str) -> Option<Py<PyAny>> {
    let length = ffi::Py_ssize_t::try_from(text.len()).ok()?;
    let (count, width) = char_width(text);
    if count < 2 {
        // SAFETY: the thread is attached, and the text has this length.
        return owned(py, unsafe { ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), length) });
    }
    let greatest = match width {
        CharWidth::Ascii => 0x7f,
        CharWidth::One => 0xff,
        CharWidth::Two => 0xffff,
        CharWidth::Four => 0x10_ffff,
    };
    let characters = ffi::Py_ssize_t::try_from(count).ok()?;
    // SAFETY: the thread is attached.
    let object = owned(py, unsafe { ffi::PyUnicode_New(characters, greatest) })?;
    match width {
        CharWidth::Ascii | CharWidth::One => fill(&object, count, |room| write_one_byte(text, room)),
        CharWidth::Two => fill(&object, count, |room| write_two_bytes(text, room)),
        CharWidth::Four => fill(&object, count, |room| write_four_bytes(text, room)),
    }
    Some(object)
}

/// Fills a new string with characters. `U` must be the type that it has for them.
#[inline(always)]
fn fill<U: Default + Copy>(object: &Py<PyAny>, count: usize, write: impl FnOnce(&mut [U]) -> usize) {
    // SAFETY: the object is a string.
    let data = unsafe { ffi::PyUnicode_DATA(object.as_ptr()) }.cast::<U>();
    // SAFETY: it has room for this many characters of the width that it was made with.
    unsafe { ptr::write_bytes(data, 0, count) };
    // SAFETY: they have just been written, and nothing else has a reference to the string.
    let room = unsafe { slice::from_raw_parts_mut(data, count) };
    write(room);
}

/// Length of a piece of text that is read at once.
pub const ROW: usize = 16;

/// The text of a string, with what is needed to read it in rows.
#[derive(Clone, Copy)]
pub struct Chars<'s> {
    text: &'s str,
    /// Whether at least a row of the same object is before the text.
    has_header: bool,
}

impl<'s> Chars<'s> {
    /// Takes a string. `None` if it has lone surrogates.
    #[inline(always)]
    pub fn of(string: &'s Bound<'_, PyString>) -> Option<Self> {
        match ascii(string) {
            Some(text) => Some(Self { text, has_header: true }),
            None => string.to_str().ok().map(Self::from),
        }
    }

    /// Returns the text.
    #[inline(always)]
    pub fn text(self) -> &'s str {
        self.text
    }

    /// Returns the first and the last row of the text. If it is shorter than a row, both are the same: anything, and then the text.
    /// `None` if that cannot be read.
    #[inline(always)]
    pub fn rows(self) -> Option<[&'s [u8; ROW]; 2]> {
        let bytes = self.text.as_bytes();
        if !self.has_header {
            return Some([bytes.first_chunk()?, bytes.last_chunk()?]);
        }
        let (start, end) = (bytes.as_ptr(), bytes.as_ptr_range().end);
        // SAFETY: the text is longer than a row, or is after the header of its object, which is.
        let last = unsafe { end.sub(ROW) };
        let first = if bytes.len() < ROW { last } else { start };
        // SAFETY: these are bytes of the object, as arrays, which may be anywhere. Of its header, they only have what does not change
        // while the object is borrowed, because the count of references is further from the text.
        Some([first, last].map(|row| unsafe { &*row.cast::<[u8; ROW]>() }))
    }
}

impl<'s> From<&'s str> for Chars<'s> {
    #[inline(always)]
    fn from(text: &'s str) -> Self {
        Self { text, has_header: false }
    }
}

// What `Chars` relies on: before the text are at least a row, the count of references and the type.
const _: () = assert!(size_of::<ffi::PyASCIIObject>() >= ROW + 2 * size_of::<usize>());

/// Whether a string has only ASCII characters, which are part of its object.
#[inline(always)]
fn is_ascii(string: &Bound<'_, PyString>) -> bool {
    let object = string.as_ptr();
    // SAFETY: the object is a string.
    #[cfg(not(Py_3_14))]
    return unsafe { ffi::PyUnicode_IS_COMPACT_ASCII(object) } != 0;
    // The flags are no longer part of the C API of pyo3. But the characters are after this header only if all of them are ASCII.
    // SAFETY: the object is a string.
    #[cfg(Py_3_14)]
    return unsafe { ffi::PyUnicode_DATA(object) }.addr() == object.addr() + size_of::<ffi::PyASCIIObject>();
}

/// Returns the text of a string of ASCII characters, which is its UTF-8. `None` if it has others.
#[inline(always)]
fn ascii<'s>(string: &'s Bound<'_, PyString>) -> Option<&'s str> {
    let object = string.as_ptr();
    if !is_ascii(string) {
        return None;
    }
    // SAFETY: the object is a string.
    let length = usize::try_from(unsafe { ffi::PyUnicode_GET_LENGTH(object) }).ok()?;
    // SAFETY: the string has one byte per character.
    let data = unsafe { ffi::PyUnicode_1BYTE_DATA(object) };
    // SAFETY: it has this many of them, which do not change as long as there is a reference to it.
    let bytes = unsafe { slice::from_raw_parts(data, length) };
    // SAFETY: they are ASCII.
    Some(unsafe { str::from_utf8_unchecked(bytes) })
}

/// Makes bytes.
#[inline]
pub fn bytes<'py>(py: Python<'py>, text: &[u8]) -> Option<Bound<'py, PyBytes>> {
    let length = ffi::Py_ssize_t::try_from(text.len()).ok()?;
    // SAFETY: the thread is attached, and the text has this length.
    let bytes = owned(py, unsafe { ffi::PyBytes_FromStringAndSize(text.as_ptr().cast(), length) })?;
    bytes.into_bound(py).cast_into().ok()
}

unsafe extern "C" {
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, length: ffi::Py_ssize_t) -> c_int;
}

/// A `bytes` object that nothing else refers to, so that it may still change.
pub struct GrowingBytes<'py>(Bound<'py, PyBytes>);

impl<'py> GrowingBytes<'py> {
    /// Makes one of this length, which begins with a text.
    pub fn new(py: Python<'py>, length: usize, text: &[u8]) -> Option<Self> {
        debug_assert!(text.len() <= length, "the text is the beginning");
        let length = ffi::Py_ssize_t::try_from(length).ok()?;
        // SAFETY: the thread is attached; null stands for bytes that are written later.
        let bytes = owned(py, unsafe { ffi::PyBytes_FromStringAndSize(ptr::null(), length) })?;
        let mut bytes = Self(bytes.into_bound(py).cast_into().ok()?);
        // SAFETY: the object has at least as many bytes, and is a new one.
        unsafe { ptr::copy_nonoverlapping(text.as_ptr(), bytes.start(), text.len()) };
        Some(bytes)
    }

    /// Returns where the bytes begin.
    pub fn start(&mut self) -> *mut u8 {
        // SAFETY: the object is of the type `bytes`.
        unsafe { ffi::PyBytes_AsString(self.0.as_ptr()) }.cast()
    }

    /// Changes the length.
    pub fn resize(self, length: usize) -> Option<Self> {
        self.finish(length).map(Self)
    }

    /// Changes the length for the last time.
    pub fn finish(self, length: usize) -> Option<Bound<'py, PyBytes>> {
        let py = self.0.py();
        let mut object = self.0.into_ptr();
        // No object is so long, so that this is an error.
        let length = ffi::Py_ssize_t::try_from(length).unwrap_or(ffi::Py_ssize_t::MAX);
        // SAFETY: there is no other reference to the object. In case of an error, it is freed, and replaced by null.
        unsafe { _PyBytes_Resize(&raw mut object, length) };
        owned(py, object)?.into_bound(py).cast_into().ok()
    }
}

/// Computes the hash of a string, which keeps it.
pub fn compute_hash(_: Python<'_>, string: &Py<PyAny>) {
    // SAFETY: the thread is attached. The hash of a string has no errors.
    unsafe { ffi::PyObject_Hash(string.as_ptr()) };
}

/// Makes a list of the last objects of a stack, from the index `start` on, and removes them from it.
#[inline]
pub fn list(py: Python<'_>, stack: &mut Vec<Py<PyAny>>, start: usize) -> Option<Py<PyAny>> {
    let elements = &stack[start..];
    let length = ffi::Py_ssize_t::try_from(elements.len()).ok()?;
    // SAFETY: the thread is attached.
    let list = owned(py, unsafe { ffi::PyList_New(length) })?;
    if !elements.is_empty() {
        // SAFETY: the object is a list.
        let items = unsafe { (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item };
        // SAFETY: the list is a new one with room for all elements, each of which is a pointer.
        unsafe { ptr::copy_nonoverlapping(elements.as_ptr().cast(), items, elements.len()) };
        // SAFETY: the elements before are initialized, and the references to others are those of the list now.
        unsafe { stack.set_len(start) };
    }
    Some(list)
}

#[cfg(not(any(Py_3_14, Py_GIL_DISABLED)))]
unsafe extern "C" {
    fn _PyDict_NewPresized(count: ffi::Py_ssize_t) -> *mut ffi::PyObject;
}

/// The most members for which a new dictionary has room anyway.
#[cfg(not(any(Py_3_14, Py_GIL_DISABLED)))]
const SMALL: usize = 5;

/// Makes an empty dictionary with room for members.
#[inline]
pub fn dict(py: Python<'_>, members: usize) -> Option<Py<PyAny>> {
    #[cfg(not(any(Py_3_14, Py_GIL_DISABLED)))]
    if members > SMALL {
        let members = ffi::Py_ssize_t::try_from(members).ok()?;
        // SAFETY: the thread is attached.
        return owned(py, unsafe { _PyDict_NewPresized(members) });
    }
    let _ = members;
    // SAFETY: the thread is attached.
    owned(py, unsafe { ffi::PyDict_New() })
}

/// Adds a member to a dictionary that [`dict`] has made.
#[inline]
pub fn add_member(py: Python<'_>, dict: &Py<PyAny>, key: Py<PyAny>, value: Py<PyAny>) -> Option<()> {
    // SAFETY: the thread is attached, and the object is a dictionary. It takes references of its own.
    let status = unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) };
    drop_attached(py, key);
    drop_attached(py, value);
    (status == 0).then_some(())
}

/// Returns the number of members of a dictionary that [`dict`] has made.
#[inline]
pub fn member_count(_: Python<'_>, dict: &Py<PyAny>) -> usize {
    // SAFETY: the object is a dictionary.
    usize::try_from(unsafe { ffi::PyDict_Size(dict.as_ptr()) }).unwrap_or(0)
}

/// Drops a reference without looking whether the thread is attached.
#[inline(always)]
fn drop_attached(py: Python<'_>, object: Py<PyAny>) {
    drop(object.into_bound(py));
}

/// Returns an integer if it has at most 64 bits and a sign.
#[inline]
pub fn integer_value(integer: &Bound<'_, PyInt>) -> Option<i64> {
    let mut overflow: c_int = 0;
    // SAFETY: the object is an integer, so that there are no other errors than that it is too large.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(integer.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// Returns an integer that is not negative, if it has at most 64 bits.
pub fn unsigned_value(integer: &Bound<'_, PyInt>) -> Option<u64> {
    use pyo3::types::PyAnyMethods;
    integer.extract::<u64>().ok()
}

/// What is in a container. As long as nothing else runs, the reference that the container has is enough.
#[cfg(not(Py_GIL_DISABLED))]
pub type Item<'c, 'py> = Borrowed<'c, 'py, PyAny>;
/// What is in a container that other threads may change.
#[cfg(Py_GIL_DISABLED)]
pub type Item<'c, 'py> = Bound<'py, PyAny>;

/// Returns an item with a reference of its own.
pub fn hold<'py>(item: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    item.clone()
}

/// Returns an element of a list that may change at any time. `None` after its end.
///
/// # Safety
/// After code of Python has run, the element must not be used any more.
#[inline(always)]
#[cfg(not(Py_GIL_DISABLED))]
pub unsafe fn element<'c, 'py>(list: &'c Bound<'py, PyList>, index: usize) -> Option<Item<'c, 'py>> {
    use pyo3::types::PyListMethods;
    if index >= list.len() {
        return None;
    }
    // SAFETY: the index is one of the list, which does not change between these lines.
    let object = unsafe { ffi::PyList_GET_ITEM(list.as_ptr(), ffi::Py_ssize_t::try_from(index).ok()?) };
    // SAFETY: the list has a reference to its element.
    Some(unsafe { Borrowed::from_ptr(list.py(), object) })
}

/// Returns an element of a list that may change at any time, also in other threads. `None` after its end.
///
/// # Safety
/// None, but in builds with a global interpreter lock there is.
#[cfg(Py_GIL_DISABLED)]
pub unsafe fn element<'c, 'py>(list: &'c Bound<'py, PyList>, index: usize) -> Option<Item<'c, 'py>> {
    use pyo3::types::PyListMethods;
    list.get_item(index).ok()
}

/// Returns the next member of a dictionary that may change at any time. `position` begins with 0.
///
/// # Safety
/// After code of Python has run, key and value must not be used any more.
#[inline(always)]
pub unsafe fn next_member<'c, 'py>(
    dict: &'c Bound<'py, PyDict>,
    position: &mut ffi::Py_ssize_t,
) -> Option<(Item<'c, 'py>, Item<'c, 'py>)> {
    #[cfg(Py_GIL_DISABLED)]
    return pyo3::sync::critical_section::with_critical_section(dict, || next_locked_member(dict, position));
    #[cfg(not(Py_GIL_DISABLED))]
    next_locked_member(dict, position)
}

#[inline(always)]
fn next_locked_member<'c, 'py>(
    dict: &'c Bound<'py, PyDict>,
    position: &mut ffi::Py_ssize_t,
) -> Option<(Item<'c, 'py>, Item<'c, 'py>)> {
    let py = dict.py();
    let (mut key, mut value) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the object is a dictionary, which no other thread changes now, and the position is one that this function has set.
    let found = unsafe { ffi::PyDict_Next(dict.as_ptr(), position, &raw mut key, &raw mut value) };
    if found == 0 {
        return None;
    }
    // SAFETY: the dictionary has a reference to its key.
    let key = unsafe { Borrowed::from_ptr(py, key) };
    // SAFETY: it has one to the value, too.
    let value = unsafe { Borrowed::from_ptr(py, value) };
    #[cfg(Py_GIL_DISABLED)]
    let (key, value) = (key.to_owned(), value.to_owned());
    Some((key, value))
}

/// Switches the collector off while objects are made, none of which can be garbage yet. Later versions of Python collect only
/// between instructions, and not while objects are made.
pub struct NoCollector {
    #[cfg(not(Py_3_12))]
    was_enabled: c_int,
}

impl NoCollector {
    /// Switches it off until this is dropped.
    #[inline]
    pub fn new(_: Python<'_>) -> Self {
        Self {
            // SAFETY: the thread is attached.
            #[cfg(not(Py_3_12))]
            was_enabled: unsafe { ffi::PyGC_Disable() },
        }
    }
}

#[cfg(not(Py_3_12))]
impl Drop for NoCollector {
    fn drop(&mut self) {
        if self.was_enabled != 0 {
            // SAFETY: it is dropped where it was made, in an attached thread.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}
