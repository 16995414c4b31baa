//! Arrays and scalars of numpy, read through the buffer protocol.

#![forbid(unsafe_code)]

use pyo3::buffer::Element;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use pyo3::types::PyType;

use crate::dump::Dumper;
use crate::dump::Written;
use crate::dump::datetime::Moment;

/// What arrays and scalars are instances of.
struct Classes {
    array: Py<PyType>,
    scalar: Py<PyType>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

/// Returns the classes if numpy has been imported by anyone.
fn classes(py: Python<'_>) -> Option<&Classes> {
    if let Some(classes) = CLASSES.get(py) {
        return Some(classes);
    }
    let modules = py.import("sys").and_then(|sys| sys.getattr("modules")).ok()?;
    let numpy = modules.get_item("numpy").ok()?;
    let class = |name| numpy.getattr(name).ok()?.cast_into::<PyType>().ok().map(Bound::unbind);
    let made = Classes { array: class("ndarray")?, scalar: class("generic")? };
    Some(CLASSES.get_or_init(py, || made))
}

/// Units of time that are not supported, because so few moments of 64 bits have four digits of a year.
const TOO_FINE: [(&str, &str); 3] = [
    ("ps", "unsupported numpy.datetime64 unit: picoseconds"),
    ("fs", "unsupported numpy.datetime64 unit: femtoseconds"),
    ("as", "unsupported numpy.datetime64 unit: attoseconds"),
];

const OUT_OF_RANGE: &str = "datetime64 out of range: its year must have four digits";

/// The smallest number of 64 bits stands for no time at all.
const NOT_A_TIME: i64 = i64::MIN;

impl<'py> Dumper<'_, 'py> {
    /// Writes an array or a scalar. `None` if the object is neither, or if `default` is to be asked.
    pub(super) fn numpy(&mut self, object: &Bound<'py, PyAny>) -> Option<Written> {
        let classes = classes(self.py)?;
        let is_array = object.get_type().is(classes.array.bind(self.py));
        if !is_array && !object.is_instance(classes.scalar.bind(self.py)).unwrap_or(false) {
            return None;
        }
        match self.prepare(object, is_array) {
            Ok(array) => Some(self.array(&array, is_array)),
            Err(_) if self.default.is_some() => None,
            Err(Refused::Unsuitable(message)) => Some(Err(self.fail(message))),
            Err(Refused::Python(error)) => Some(Err(self.python(error))),
        }
    }

    /// Returns an array of the same shape whose elements can be read, and what they are.
    fn prepare(&self, object: &Bound<'py, PyAny>, is_array: bool) -> Result<Readable<'py>, Refused> {
        let dtype = object.getattr("dtype")?;
        let (kind, size) = (dtype.getattr("kind")?, dtype.getattr("itemsize")?.extract::<usize>()?);
        let kind = kind.cast::<PyString>().ok().and_then(|kind| kind.to_str().ok()?.chars().next()).unwrap_or('?');
        let numpy = self.py.import("numpy")?;
        // An array of one element for a scalar.
        let array = if is_array { object.clone() } else { numpy.call_method1("array", ([object],))? };
        if is_array {
            if !array.getattr("flags")?.getattr("c_contiguous")?.extract::<bool>()? {
                return Err(Refused::Unsuitable("numpy array is not C contiguous; use ndarray.tolist() in default"));
            }
            if array.getattr("ndim")?.extract::<usize>()? == 0 {
                return Err(Refused::Unsuitable("unsupported datatype in numpy array"));
            }
        }
        if !dtype.getattr("isnative")?.extract::<bool>()? {
            return Err(Refused::Unsuitable("numpy array is not native-endian"));
        }
        let shape = array.getattr("shape")?.extract::<Vec<usize>>()?;
        let (array, element) = match (kind, size) {
            ('b', _) => (array.call_method1("view", ("uint8",))?, Content::Boolean),
            ('i', _) => (array, Content::Signed),
            ('u', _) => (array, Content::Unsigned),
            ('f', 2) => (array.call_method1("astype", ("float32",))?, Content::Single),
            ('f', 4) => (array, Content::Single),
            ('f', 8) => (array, Content::Double),
            ('M', _) => {
                let unit = numpy.call_method1("datetime_data", (&dtype,))?.get_item(0)?;
                let unit = unit.extract::<&str>()?;
                if let Some((_, message)) = TOO_FINE.iter().find(|(name, _)| unit == *name) {
                    return Err(Refused::Unsuitable(message));
                }
                let time = array.call_method1("astype", ("datetime64[us]",))?;
                // numpy does not say that a time has too many microseconds for 64 bits. Those of a finer unit have fewer than before.
                if unit != "ns" {
                    let back = time.call_method1("astype", (&dtype,))?.call_method1("view", ("int64",))?;
                    let same = numpy.call_method1("array_equal", (back, array.call_method1("view", ("int64",))?))?;
                    if !same.extract::<bool>()? {
                        return Err(Refused::Unsuitable(OUT_OF_RANGE));
                    }
                }
                (time.call_method1("view", ("int64",))?, Content::Time)
            }
            _ => return Err(Refused::Unsuitable("unsupported datatype in numpy array")),
        };
        Ok(Readable { array, element, shape, size })
    }

    fn array(&mut self, readable: &Readable<'py>, is_array: bool) -> Written {
        match (readable.element, readable.size) {
            (Content::Boolean, _) => {
                self.elements::<u8>(readable, is_array, |dumper, value| dumper.boolean(value != 0))
            }
            (Content::Signed, 1) => self.elements::<i8>(readable, is_array, integer),
            (Content::Signed, 2) => self.elements::<i16>(readable, is_array, integer),
            (Content::Signed, 4) => self.elements::<i32>(readable, is_array, integer),
            (Content::Signed, _) => self.elements::<i64>(readable, is_array, integer),
            (Content::Unsigned, 1) => self.elements::<u8>(readable, is_array, integer),
            (Content::Unsigned, 2) => self.elements::<u16>(readable, is_array, integer),
            (Content::Unsigned, 4) => self.elements::<u32>(readable, is_array, integer),
            (Content::Unsigned, _) => self.elements::<u64>(readable, is_array, integer),
            (Content::Single, _) => self.elements::<f32>(readable, is_array, |dumper, value| dumper.out.float(value)),
            (Content::Double, _) => self.elements::<f64>(readable, is_array, |dumper, value| dumper.out.float(value)),
            (Content::Time, _) => self.elements::<i64>(readable, is_array, Self::time),
        }
    }

    fn time(&mut self, microseconds: i64) -> Written {
        if microseconds == NOT_A_TIME {
            return Err(self.fail("numpy.datetime64 is not a time"));
        }
        match Moment::since_1970(microseconds) {
            Some(moment) => {
                let mut text = Vec::new();
                moment.push(&mut text, None, self.options);
                self.out.bytes(&text)
            }
            None => Err(self.fail(OUT_OF_RANGE)),
        }
    }

    /// Writes all elements of an array, or the only one of a scalar.
    fn elements<T: Element + Copy>(
        &mut self,
        readable: &Readable<'py>,
        is_array: bool,
        mut write: impl FnMut(&mut Self, T) -> Written,
    ) -> Written {
        let buffer = PyBuffer::<T>::get(&readable.array).map_err(|error| self.python(error))?;
        let copied = buffer.to_vec(self.py).map_err(|error| self.python(error))?;
        let mut values = copied.into_iter();
        if is_array {
            return self.dimension(&readable.shape, &mut values, &mut write);
        }
        values.next().map_or(Ok(()), |value| write(self, value))
    }

    fn dimension<T>(
        &mut self,
        shape: &[usize],
        values: &mut impl Iterator<Item = T>,
        write: &mut impl FnMut(&mut Self, T) -> Written,
    ) -> Written {
        let Some((&count, inner)) = shape.split_first() else {
            return values.next().map_or(Ok(()), |value| write(self, value));
        };
        self.open()?;
        for index in 0..count {
            self.separate(if index == 0 { b'[' } else { b',' })?;
            self.dimension(inner, values, write)?;
        }
        if count == 0 { self.empty(*b"[]") } else { self.close(b']') }
    }
}

/// Writes an integer of any type of numpy.
fn integer<T: Into<i128>>(dumper: &mut Dumper<'_, '_>, value: T) -> Written {
    let value = value.into();
    // All of them have at most 64 bits.
    dumper.out.integer(value < 0, u64::try_from(value.unsigned_abs()).unwrap_or(u64::MAX))
}

/// An array whose elements can be read.
struct Readable<'py> {
    array: Bound<'py, PyAny>,
    element: Content,
    shape: Vec<usize>,
    /// The size of an element in bytes.
    size: usize,
}

/// What the elements of an array are.
#[derive(Clone, Copy)]
enum Content {
    Boolean,
    Signed,
    Unsigned,
    Single,
    Double,
    /// Microseconds since 1970.
    Time,
}

/// Why an array is not written.
enum Refused {
    Unsuitable(&'static str),
    Python(PyErr),
}

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}
