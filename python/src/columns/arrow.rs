//! The C data interface of Arrow: how columns get to other libraries without being copied.
//!
//! The structs and the rules of who frees what are those of <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! `CStreamInterface.html`. Each struct has a function `release`, which whoever owns the struct calls once. An owner that moves it leaves
//! `release` empty behind. Buffers are shared: those of a batch are freed when the last struct that refers to them is released.

use std::ffi::CString;
use std::ffi::c_char;
use std::ffi::c_int;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use crate::columns::build::Column;
use crate::columns::build::Data;
use crate::columns::kind::Keys;
use crate::columns::kind::Kind;
use crate::columns::kind::Zone;

/// The type of a column or of a batch.
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// The values of a column or of a batch.
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// Batches, one after the other.
#[repr(C)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// A flag of a schema: values may be null.
const NULLABLE: i64 = 2;

/// What a consumer is told if the next batch cannot be had. The message says why.
const EINVAL: c_int = 22;

// SAFETY: the structs own what they point to, and nothing in it belongs to a thread.
unsafe impl Send for ArrowSchema {}
// SAFETY: as above; buffers are shared with other structs, and never change.
unsafe impl Send for ArrowArray {}
// SAFETY: as above.
unsafe impl Send for ArrowArrayStream {}

/// A finished column. Its buffers do not change any more.
pub struct Finished {
    length: usize,
    nulls: usize,
    buffers: Vec<Buffer>,
    children: Vec<Arc<Finished>>,
}

enum Buffer {
    /// There is none, because no value is null.
    None,
    Bytes(Vec<u8>),
    Words(Vec<u64>),
    Ends(Vec<i32>),
}

impl Buffer {
    fn start(&self) -> *const c_void {
        match self {
            Self::None => ptr::null(),
            Self::Bytes(bytes) => bytes.as_ptr().cast(),
            Self::Words(words) => words.as_ptr().cast(),
            Self::Ends(ends) => ends.as_ptr().cast(),
        }
    }
}

impl Finished {
    /// Finishes the columns of a batch, which have the same length.
    pub fn batch(columns: Vec<Column>, length: usize) -> Arc<Self> {
        let children = columns.into_iter().map(Self::column).collect();
        Arc::new(Self { length, nulls: 0, buffers: vec![Buffer::None], children })
    }

    fn column(column: Column) -> Arc<Self> {
        let length = column.valid.len();
        let nulls = length - column.valid.iter().map(|valid| usize::from(*valid)).sum::<usize>();
        let validity = if nulls == 0 { Buffer::None } else { Buffer::Bytes(bits(&column.valid)) };
        let (mut buffers, mut children) = (vec![validity], Vec::new());
        match column.data {
            Data::Bits(values) => buffers.push(Buffer::Bytes(bits(&values))),
            Data::Words(values) => buffers.push(Buffer::Words(values)),
            Data::Days(values) => buffers.push(Buffer::Ends(values)),
            Data::Text(ends, text) => buffers.extend([Buffer::Ends(ends), Buffer::Bytes(text)]),
            Data::Lists(ends, items) => {
                buffers.push(Buffer::Ends(ends));
                children.push(Self::column(*items));
            }
            Data::Structs(columns) => children.extend(columns.into_iter().map(Self::column)),
        }
        Arc::new(Self { length, nulls, buffers, children })
    }

    /// Returns the number of values.
    pub fn length(&self) -> usize {
        self.length
    }
}

/// Returns a bit for each byte, which is 0 or 1.
fn bits(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(8).map(|chunk| chunk.iter().rev().fold(0, |bits, byte| bits << 1 | byte)).collect()
}

/// What the pointers of a schema refer to.
struct SchemaParts {
    _format: CString,
    _name: CString,
    children: Vec<*mut ArrowSchema>,
}

impl ArrowSchema {
    /// Returns the schema of batches.
    pub fn of_batch(names: &Keys, kinds: &[Kind]) -> Self {
        Self::new("", "+s".to_owned(), Self::fields(names, kinds), 0)
    }

    fn fields(names: &Keys, kinds: &[Kind]) -> Vec<Self> {
        names.names().iter().zip(kinds).map(|(name, kind)| Self::of_column(name, kind)).collect()
    }

    fn of_column(name: &str, kind: &Kind) -> Self {
        let children = match kind {
            Kind::List(items) => vec![Self::of_column("item", items)],
            Kind::Struct(fields) => Self::fields(&fields.keys, &fields.kinds),
            _ => Vec::new(),
        };
        Self::new(name, format(kind), children, NULLABLE)
    }

    fn new(name: &str, format: String, children: Vec<Self>, flags: i64) -> Self {
        // Names with a NUL were refused before.
        let (format, name) = (CString::new(format).unwrap_or_default(), CString::new(name).unwrap_or_default());
        let (format_start, name_start) = (format.as_ptr(), name.as_ptr());
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut parts = Box::new(SchemaParts { _format: format, _name: name, children });
        Self {
            format: format_start,
            name: name_start,
            metadata: ptr::null(),
            flags,
            n_children: count(parts.children.len()),
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

/// Returns how Arrow calls a type.
fn format(kind: &Kind) -> String {
    let format = match kind {
        Kind::Bool => "b",
        Kind::Int64 => "l",
        Kind::UInt64 => "L",
        Kind::Float64 => "g",
        Kind::String | Kind::Json => "u",
        Kind::Date => "tdD",
        Kind::List(_) => "+l",
        Kind::Struct(_) => "+s",
        Kind::Timestamp(unit, zone) => {
            let zone = if *zone == Zone::Utc { "UTC" } else { "" };
            return format!("ts{}:{zone}", &unit.name()[..1]);
        }
    };
    format.to_owned()
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller owns the struct, which nobody else uses now.
    let schema = unsafe { &mut *schema };
    schema.release = None;
    // SAFETY: it was made by `ArrowSchema::new`, and is freed once, because `release` is empty from now on.
    let parts = unsafe { Box::from_raw(schema.private_data.cast::<SchemaParts>()) };
    for child in parts.children {
        // SAFETY: it was made by `ArrowSchema::new`. Dropping it releases it, unless it was moved.
        drop(unsafe { Box::from_raw(child) });
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the struct has not been released or moved.
            unsafe { release(self) };
        }
    }
}

/// What the pointers of an array refer to.
struct ArrayParts {
    _finished: Arc<Finished>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
}

impl ArrowArray {
    /// Returns an array that shares the buffers of a column or batch.
    pub fn new(finished: &Arc<Finished>) -> Self {
        let children = finished.children.iter().map(|child| Box::into_raw(Box::new(Self::new(child)))).collect();
        let mut parts = Box::new(ArrayParts {
            buffers: finished.buffers.iter().map(Buffer::start).collect(),
            children,
            _finished: Arc::clone(finished),
        });
        Self {
            length: count(finished.length),
            null_count: count(finished.nulls),
            offset: 0,
            n_buffers: count(parts.buffers.len()),
            n_children: count(parts.children.len()),
            buffers: parts.buffers.as_mut_ptr(),
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(parts).cast(),
        }
    }

    /// Returns what stands for the end of a stream: an array that is released.
    fn end() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the caller owns the struct, which nobody else uses now.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: it was made by `ArrowArray::new`, and is freed once, because `release` is empty from now on.
    let parts = unsafe { Box::from_raw(array.private_data.cast::<ArrayParts>()) };
    for child in parts.children {
        // SAFETY: it was made by `ArrowArray::new`. Dropping it releases it, unless it was moved.
        drop(unsafe { Box::from_raw(child) });
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the struct has not been released or moved.
            unsafe { release(self) };
        }
    }
}

/// Where a stream gets its batches from.
pub trait Batches: Send {
    fn schema(&self) -> ArrowSchema;

    /// Returns the next batch, `None` after the last one, or why there is none.
    fn next(&mut self) -> Result<Option<Arc<Finished>>, String>;
}

/// What a stream owns.
struct StreamParts {
    batches: Box<dyn Batches>,
    error: CString,
}

impl ArrowArrayStream {
    pub fn new(batches: impl Batches + 'static) -> Self {
        let parts = Box::new(StreamParts { batches: Box::new(batches), error: CString::default() });
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

/// Returns the parts of a stream.
///
/// # Safety
/// The stream must be one of [`ArrowArrayStream::new`] that is not released, and nobody else may use it meanwhile.
unsafe fn parts<'s>(stream: *mut ArrowArrayStream) -> &'s mut StreamParts {
    // SAFETY: this is required of the caller.
    let data = unsafe { (*stream).private_data };
    // SAFETY: `ArrowArrayStream::new` has made it of a box, which is freed by `release_stream` only.
    unsafe { &mut *data.cast::<StreamParts>() }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: consumers call this for streams that they own, on one thread at a time.
    let parts = unsafe { parts(stream) };
    // SAFETY: `out` is memory of the caller for a struct, without one.
    unsafe { out.write(parts.batches.schema()) };
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: consumers call this for streams that they own, on one thread at a time.
    let parts = unsafe { parts(stream) };
    let array = match parts.batches.next() {
        Ok(Some(batch)) => ArrowArray::new(&batch),
        Ok(None) => ArrowArray::end(),
        Err(message) => {
            parts.error = CString::new(message.replace('\0', " ")).unwrap_or_default();
            return EINVAL;
        }
    };
    // SAFETY: `out` is memory of the caller for a struct, without one.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: consumers call this for streams that they own, on one thread at a time.
    let parts = unsafe { parts(stream) };
    if parts.error.is_empty() { ptr::null() } else { parts.error.as_ptr() }
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller owns the struct, which nobody else uses now.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: it was made by `ArrowArrayStream::new`, and is freed once, because `release` is empty from now on.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<StreamParts>()) });
}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the struct has not been released or moved.
            unsafe { release(self) };
        }
    }
}
