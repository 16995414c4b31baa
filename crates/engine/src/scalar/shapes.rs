//! The keys of earlier objects, as a prediction for later ones.
//!
//! The records of a log, and the objects of an array, mostly have the same keys in the same order. So the keys of an object that has
//! been checked are kept as its *shape*, at the place of the object: under a key of the shape of the object around it. The next
//! object at this place is compared with it, eight bytes at a time. As the keys of a shape differ from each other, so do those of an
//! object that has some of them in the same order, and neither hashes nor other comparisons are needed.
//!
//! A wrong prediction costs time, but never changes a result.

#![forbid(unsafe_code)]

/// The shape around the root, which has a single place.
const ROOT: usize = 0;

/// Maximum number of shapes. Documents with more different places are rare, and each takes memory.
const MAX_SHAPES: usize = 1024;

/// Number of objects in a row that may have other keys before a shape is no longer predicted.
const MAX_MISSES: u32 = 1;

/// Number of keys of a shape that an object may omit in a row.
const MAX_OMITTED: usize = 8;

/// All shapes.
pub(crate) struct Shapes {
    all: Vec<Shape>,
}

#[derive(Default)]
struct Shape {
    keys: Vec<ShapeKey>,
    /// The keys with their closing quotes.
    text: Vec<u8>,
    /// Number of objects since the last one that had only keys of this shape.
    misses: u32,
}

/// A key of a shape. Its text includes the closing quote.
struct ShapeKey {
    /// The first eight bytes, padded with zeros.
    first_word: u64,
    /// Which bits of that are part of the text.
    mask: u64,
    start: usize,
    end: usize,
    /// The shape of objects in the value of this key.
    inner: Option<usize>,
}

/// A place in a shape: the value of one of its keys.
#[derive(Clone, Copy)]
struct KeyPlace {
    shape: usize,
    key: usize,
}

/// The prediction for an open object.
#[derive(Clone, Copy)]
pub(crate) struct Prediction {
    /// Where the object is, if the object around it has its shape.
    place: Option<KeyPlace>,
    /// The shape that is predicted, if any.
    shape: Option<usize>,
    /// Index of the key of the shape that may be next.
    next: usize,
    /// Whether all keys so far are in the shape, in its order.
    holds: bool,
}

impl Prediction {
    /// The prediction around the root.
    pub(crate) const OUTERMOST: Self = Self { place: None, shape: Some(ROOT), next: 1, holds: true };

    /// Returns the shape, if one is predicted and all keys so far are in it.
    #[inline]
    pub(crate) fn shape(&self) -> Option<usize> {
        self.shape.filter(|_| self.holds)
    }

    /// Whether no shape is predicted, but the keys of the object may become one.
    pub(crate) fn is_new(&self) -> bool {
        self.place.is_some() && self.shape.is_none()
    }

    /// Gives up the shape.
    pub(crate) fn give_up(&mut self) {
        self.holds = false;
    }
}

impl Shapes {
    /// Maximum number of keys of a shape.
    pub(crate) const MAX_KEYS: usize = 256;

    /// Maximum number of bytes of its keys.
    pub(crate) const MAX_BYTES: usize = 4096;

    pub(crate) fn new() -> Self {
        let mut root = Shape::default();
        root.push(b"");
        Self { all: vec![root] }
    }

    /// Returns a value without any shapes.
    pub(crate) fn none() -> Self {
        Self { all: Vec::new() }
    }

    /// Returns a prediction for objects whose members are all at one place, whatever their keys are.
    pub(crate) fn of_map(&mut self) -> Prediction {
        if self.all.len() >= MAX_SHAPES {
            return Prediction { place: None, shape: None, next: 0, holds: false };
        }
        let mut shape = Shape::default();
        shape.push(b"");
        self.all.push(shape);
        Prediction { shape: Some(self.all.len() - 1), ..Prediction::OUTERMOST }
    }

    /// Returns the number of keys of a shape.
    pub(crate) fn length(&self, shape: usize) -> usize {
        self.all.get(shape).map_or(0, |shape| shape.keys.len())
    }

    /// Returns the prediction for an object in the value of the last key of the object around it.
    #[inline]
    pub(crate) fn predict(&self, around: &Prediction) -> Prediction {
        let place = around.shape().map(|shape| KeyPlace { shape, key: around.next.wrapping_sub(1) });
        let shape = place.and_then(|place| self.at(place));
        Prediction { place, shape, next: 0, holds: shape.is_some() }
    }

    /// Returns the shape of objects at a place, unless it has been refuted.
    #[inline]
    fn at(&self, place: KeyPlace) -> Option<usize> {
        let shape = self.all.get(place.shape)?.keys.get(place.key)?.inner?;
        (self.all.get(shape)?.misses <= MAX_MISSES).then_some(shape)
    }

    /// Searches the predicted shape for the key in `text` that follows the opening quote before `start`. Returns its index and the
    /// length of the key. If it is not there, the object does not have the shape.
    #[inline(always)]
    pub(crate) fn find_next(&self, prediction: &mut Prediction, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let found = prediction.shape().and_then(|shape| self.find(shape, prediction.next, text, start));
        // mutant:
        prediction.holds = found.is_some();
        if let Some((index, _)) = found {
            // mutant:
            prediction.next = index + 1;
        }
        found
    }

    /// Searches a shape, from its key `next` on, for the key in `text` that follows the opening quote before `start`. Returns its
    /// index and the length of the key.
    #[inline(always)]
    fn find(&self, shape: usize, next: usize, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let shape = self.all.get(shape)?;
        let first_word = word(text, start);
        let key = shape.keys.get(next)?;
        if shape.is_same(key, first_word, text, start) {
            return Some((next, key.end - key.start - 1));
        }
        shape.find_after(next, first_word, text, start)
    }

    /// Makes the keys of an object, which have no escapes, the shape at its place. An object that lacks keys of the present shape
    /// replaces it only if the one before did not match it either. Returns the shape if it has changed.
    pub(crate) fn learn<'k>(
        &mut self,
        prediction: &Prediction,
        keys: impl ExactSizeIterator<Item = &'k [u8]>,
    ) -> Option<usize> {
        if keys.len() == 0 || keys.len() > Self::MAX_KEYS {
            return None;
        }
        let count = self.all.len();
        let place = prediction.place?;
        let key = self.all.get_mut(place.shape)?.keys.get_mut(place.key)?;
        let index = match key.inner {
            Some(index) => index,
            None if count < MAX_SHAPES => {
                key.inner = Some(count);
                self.all.push(Shape::default());
                count
            }
            None => return None,
        };
        let shape = &mut self.all[index];
        shape.misses += 1;
        if keys.len() < shape.keys.len() && shape.misses <= MAX_MISSES {
            return None;
        }
        // The places keep their inner shapes, which are only predictions.
        let inner: Vec<_> = shape.keys.drain(..).map(|key| key.inner).collect();
        shape.text.clear();
        shape.misses = 0;
        for key in keys {
            if shape.text.len() + key.len() > Self::MAX_BYTES {
                break;
            }
            shape.push(key);
        }
        for (key, inner) in shape.keys.iter_mut().zip(inner) {
            key.inner = inner;
        }
        Some(index)
    }

    /// Records whether an object had only keys of the predicted shape, if one was predicted.
    #[inline]
    pub(crate) fn record(&mut self, prediction: &Prediction) {
        if let Some(shape) = prediction.shape.and_then(|shape| self.all.get_mut(shape)) {
            shape.misses = if prediction.holds { 0 } else { shape.misses + 1 };
        }
    }
}

/// Returns the eight bytes at `at`, or as many as there are.
#[inline(always)]
pub(crate) fn word(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

impl Shape {
    /// Whether the key in `text` that follows the opening quote before `start` is this one. `first_word` is [`word`] of `start`.
    #[inline(always)]
    fn is_same(&self, key: &ShapeKey, first_word: u64, text: &[u8], start: usize) -> bool {
        // mutant: true
        (first_word ^ key.first_word) & key.mask == 0
            && (key.end - key.start <= 8
                || text.get(start + 8..start + key.end - key.start) == Some(&self.text[key.start + 8..key.end]))
    }

    /// Searches the keys after `omitted`.
    #[cold]
    fn find_after(&self, omitted: usize, first_word: u64, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let mut candidates = self.keys.iter().enumerate().skip(omitted + 1).take(MAX_OMITTED);
        let (index, key) = candidates.find(|(_, key)| self.is_same(key, first_word, text, start))?;
        Some((index, key.end - key.start - 1))
    }

    fn push(&mut self, key: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(key);
        self.text.push(b'"');
        let end = self.text.len();
        let mask = if end - start < 8 { (1 << (8 * (end - start))) - 1 } else { u64::MAX };
        let first_word = word(&self.text, start) & mask;
        self.keys.push(ShapeKey { first_word, mask, start, end, inner: None });
    }
}

#[cfg(test)]
mod tests {
    use super::Prediction;
    use super::Shapes;

    fn learned(keys: &[&str]) -> (Shapes, usize) {
        let mut shapes = Shapes::new();
        let prediction = shapes.predict(&Prediction::OUTERMOST);
        assert!(prediction.is_new());
        shapes.learn(&prediction, keys.iter().map(|key| key.as_bytes()));
        let shape = shapes.predict(&Prediction::OUTERMOST).shape().expect("a shape");
        (shapes, shape)
    }

    #[test]
    fn a_key_is_found_from_a_place_on() {
        let keys = ["", "a", "ab", "seven77", "eight888", "a key of more than sixteen bytes"];
        let (shapes, shape) = learned(&keys);
        for next in 0..keys.len() {
            for (index, key) in keys.iter().enumerate() {
                for text in [format!("{key}\""), format!("{key}\":12345678901234567890")] {
                    let expected = (index >= next).then_some((index, key.len()));
                    assert_eq!(shapes.find(shape, next, text.as_bytes(), 0), expected, "{key}");
                }
                let longer = format!("{key}x\": 1");
                assert_eq!(shapes.find(shape, next, longer.as_bytes(), 0), None, "{longer}");
                assert_eq!(shapes.find(shape, next, key.as_bytes(), 0), None, "{key} without a quote");
            }
        }
    }

    #[test]
    fn one_object_with_fewer_keys_does_not_replace_a_shape() {
        let (mut shapes, shape) = learned(&["a", "b"]);
        shapes.learn(&shapes.predict(&Prediction::OUTERMOST), [&b"c"[..]].into_iter());
        assert!(shapes.find(shape, 0, b"a\"", 0).is_some());
        shapes.learn(&shapes.predict(&Prediction::OUTERMOST), [&b"c"[..]].into_iter());
        assert!(shapes.find(shape, 0, b"a\"", 0).is_none());
        assert!(shapes.find(shape, 0, b"c\"", 0).is_some());
    }

    #[test]
    fn a_shape_is_refuted_by_two_objects_in_a_row() {
        let (mut shapes, shape) = learned(&["a", "b"]);
        let mut read = |keys: &[&str]| {
            let mut prediction = shapes.predict(&Prediction::OUTERMOST);
            let found =
                keys.iter().filter(|key| shapes.find_next(&mut prediction, format!("{key}\"").as_bytes(), 0).is_some());
            let found = found.count();
            shapes.record(&prediction);
            (found, prediction.shape(), shapes.predict(&Prediction::OUTERMOST).shape())
        };
        assert_eq!(read(&["a", "b"]), (2, Some(shape), Some(shape)));
        assert_eq!(read(&["a", "c", "b"]), (1, None, Some(shape)));
        assert_eq!(read(&["b"]), (1, Some(shape), Some(shape)));
        assert_eq!(read(&["b", "a"]), (1, None, Some(shape)));
        assert_eq!(read(&["c"]), (0, None, None));
    }
}
