//! The structure of documents: which paths there are, and which values are there.

#![forbid(unsafe_code)]

mod collector;
mod node;
mod strings;
mod tree;

use crate::error::Error;
use crate::index::Index;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel;
use crate::positions::List;
use crate::scalar::append_member;
use crate::stats::Containers;
use crate::stats::Numbers;
use collector::Collector;
use node::Members;
use node::NO_NODE;
use node::NodeId;
use node::StepFromParent;
use node::StructureNode;
use std::iter;
use std::mem;
use std::ops::ControlFlow;
use tree::ROOT;
use tree::Settings;
use tree::Tree;

pub use node::Texts;

/// Number of levels of a structure, unless it is set.
const DEFAULT_LEVELS: u64 = 32;

/// Maximum number of levels.
const MAX_LEVELS: u64 = 256;

/// Number of different keys above which an object may be a map, unless it is set.
const DEFAULT_MAX_KEYS: usize = 50;

/// Maximum of that number.
const MOST_KEYS: usize = 10_000;

/// The structure of documents: the paths in them, and for each path the types, sizes and ranges of its values.
///
/// All elements of an array have one path, such as `$.users[*]`. So do all members of an object with many different keys, which is
/// taken for a map from keys to values, such as `$.prices.*`: an object with more than 1,000 different keys or a key of more than
/// 256 bytes, and after [`merge_maps`](Self::merge_maps) smaller ones. Different keys are those of all objects with the same path.
///
/// Memory is bounded by [`max_memory`](Options::max_memory) for the least and the greatest numbers, and by about 40 MiB for
/// everything else: there are at most 50,000 paths. If there would be more, objects with fewer keys become maps, first those in which
/// most keys are rare. If that is not enough, values with further paths are only [counted](Self::unlisted_values). The result does not
/// depend on the number of threads.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Options, Structure};
///
/// let mut structure = Structure::new();
/// let text = r#"{"users": [{"id": 7, "name": "Ada"}, {"id": 12}]}"#;
/// structure.read(text, &Options::new(), &mut |_| ControlFlow::Break(()))?;
/// let paths: Vec<_> = structure.places().map(|place| place.path()).collect();
/// assert_eq!(paths, ["$", "$.users", "$.users[*]", "$.users[*].id", "$.users[*].name"]);
/// let name = structure.places().last().expect("a place");
/// assert_eq!((name.strings().count, name.present(), name.parents()), (1, 1, 2));
/// assert_eq!(name.example(), Some("\"Ada\""));
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Structure {
    documents: u64,
    invalid: u64,
    bytes: u64,
    tree: Tree,
}

impl Default for Structure {
    fn default() -> Self {
        let settings = Settings { levels: DEFAULT_LEVELS, max_keys: DEFAULT_MAX_KEYS, notes_strings: false };
        Self { documents: 0, invalid: 0, bytes: 0, tree: Tree::new(settings, 0) }
    }
}

impl Structure {
    /// Returns an empty structure of up to 32 levels.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of steps of a path, up to 256. Values that are nested more deeply are only
    /// [counted](Self::deeper_values). To be set before anything is read.
    #[must_use]
    pub fn levels(mut self, levels: u64) -> Self {
        self.tree.settings.levels = levels.min(MAX_LEVELS);
        self
    }

    /// Sets the number of different keys above which [`merge_maps`](Self::merge_maps) may take objects for maps, up to 10,000; the
    /// default is 50. If it is above 1,000, objects with fewer keys are never maps. To be set before anything is read.
    #[must_use]
    pub fn max_keys(mut self, max_keys: usize) -> Self {
        self.tree.settings.max_keys = max_keys.min(MOST_KEYS);
        self
    }

    /// Notes what the strings at each place have in common: their [format](Place::format), and which they are
    /// [if there are few](Place::string_values). That takes up to 50 MiB more. To be called before anything is read.
    #[must_use]
    pub fn note_strings(mut self) -> Self {
        self.tree.settings.notes_strings = true;
        self
    }

    /// Adds the structure of all documents of `input`. Calls `on_error` for each invalid document, like
    /// [`validate_each`](crate::validate_each); its values are counted up to the error.
    ///
    /// # Errors
    /// If reading fails, or if a string or number, or the least and greatest numbers together, need more than
    /// [`Options::max_memory`]. The values before the failure are counted, but not the documents and bytes of the input.
    pub fn read<'a>(
        &mut self,
        input: impl Into<Input<'a>>,
        options: &Options,
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        let (limit, settings) = (options.max_memory, self.tree.settings);
        let collector = Collector::new(mem::replace(&mut self.tree, Tree::new(settings, 0)), limit);
        let mut index = Index::without_separators(collector, List::default(), limit);
        let result = parallel::scan(&mut input.into(), options, &mut index, on_error);
        self.tree = index.visitor.into_tree();
        let summary = result?;
        self.documents += summary.documents;
        self.invalid += summary.invalid;
        self.bytes += summary.bytes;
        Ok(summary)
    }

    /// Takes objects for maps that have more different keys than [`max_keys`](Self::max_keys) and look like it: if there are several
    /// objects with this path, a key is on average in less than half of them; if there is one, all its members have the same type,
    /// apart from `null`.
    pub fn merge_maps(&mut self) {
        self.tree.make_maps(self.tree.settings.max_keys, true);
        self.tree.settle();
    }

    /// Returns the number of documents, including invalid ones.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns the number of invalid documents.
    #[must_use]
    pub fn invalid(&self) -> u64 {
        self.invalid
    }

    /// Returns the number of input bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of values whose path is not listed, because there are too many paths.
    #[must_use]
    pub fn unlisted_values(&self) -> u64 {
        self.tree.unlisted
    }

    /// Returns the number of values whose path is not listed, because it has too many [levels](Self::levels).
    #[must_use]
    pub fn deeper_values(&self) -> u64 {
        self.tree.deeper
    }

    /// Returns the place of the documents.
    #[must_use]
    pub fn root(&self) -> Place<'_> {
        Place { tree: &self.tree, node: ROOT }
    }

    /// Returns all places, each before those in it, in the order of their first values.
    pub fn places(&self) -> impl Iterator<Item = Place<'_>> {
        let mut pending = vec![self.root()];
        iter::from_fn(move || {
            let place = pending.pop()?;
            pending.extend(place.children().into_iter().rev());
            Some(place)
        })
    }
}

/// How values are reached from those around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<'s> {
    /// They are documents.
    Root,
    /// They are elements of arrays.
    Element,
    /// They are members of [maps](Place::is_map).
    AnyMember,
    /// They are members with this key, without escapes. A lone surrogate takes three bytes, as other characters of its size.
    Member(&'s [u8]),
}

/// The values with one path in a [`Structure`].
#[derive(Clone, Copy)]
pub struct Place<'s> {
    tree: &'s Tree,
    node: NodeId,
}

impl std::fmt::Debug for Place<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Place")
            .field("path", &self.path())
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

impl<'s> Place<'s> {
    fn get(&self) -> &'s StructureNode {
        self.tree.node(self.node)
    }

    fn parent(&self) -> Option<Self> {
        let parent = self.get().parent;
        (parent != NO_NODE).then_some(Self { tree: self.tree, node: parent })
    }

    /// Returns the last step of the path.
    #[must_use]
    pub fn step(&self) -> Step<'s> {
        match &self.get().step {
            StepFromParent::Root => Step::Root,
            StepFromParent::Element => Step::Element,
            StepFromParent::AnyMember => Step::AnyMember,
            StepFromParent::Member(key) => Step::Member(key),
        }
    }

    /// Returns the path as a JSONPath expression that selects the values. Keys that are not identifiers are in brackets and double
    /// quotes, and a lone surrogate in one, which no query can express, is written as its escape.
    #[must_use]
    pub fn path(&self) -> String {
        let mut places: Vec<_> = iter::successors(Some(*self), Self::parent).collect();
        places.reverse();
        let mut path = String::new();
        for place in places {
            match place.step() {
                Step::Root => path.push('$'),
                Step::Element => path.push_str("[*]"),
                Step::AnyMember => path.push_str(".*"),
                Step::Member(key) => append_member(key, &mut path),
            }
        }
        path
    }

    /// Returns the number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.get().count()
    }

    /// Returns the number of documents, or the number of objects or arrays around the values.
    #[must_use]
    pub fn parents(&self) -> u64 {
        match (self.parent(), self.step()) {
            (None, _) => self.count(),
            (Some(parent), Step::Element) => parent.arrays().count,
            (Some(parent), _) => parent.objects().count,
        }
    }

    /// Returns how many of the [`parents`](Self::parents) have at least one of the values.
    #[must_use]
    pub fn present(&self) -> u64 {
        let non_empty = |containers: &Containers| containers.count - containers.empty;
        match (self.parent(), self.step()) {
            (None, _) => self.count(),
            (Some(parent), Step::Element) => non_empty(parent.arrays()),
            (Some(parent), Step::AnyMember) => non_empty(parent.objects()),
            (Some(_), _) => self.get().present,
        }
    }

    /// Returns statistics of the values that are objects.
    #[must_use]
    pub fn objects(&self) -> &'s Containers {
        &self.get().objects
    }

    /// Returns statistics of the values that are arrays.
    #[must_use]
    pub fn arrays(&self) -> &'s Containers {
        &self.get().arrays
    }

    /// Returns the lengths of the values that are strings.
    #[must_use]
    pub fn strings(&self) -> &'s Texts {
        &self.get().strings
    }

    /// Returns the different values that are strings, without escapes and in the order of their bytes. `None` unless
    /// [`note_strings`](Structure::note_strings) was called and there are strings, at most 16 different ones, each of at most 32 bytes
    /// and without lone surrogates.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Options, Structure};
    ///
    /// let mut structure = Structure::new().note_strings();
    /// structure.read(r#"["red", "blue", "red"]"#, &Options::new(), &mut |_| ControlFlow::Break(()))?;
    /// let element = structure.places().last().expect("a place");
    /// assert_eq!(element.string_values(), Some(vec!["blue", "red"]));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn string_values(&self) -> Option<Vec<&'s str>> {
        self.get().noted.as_ref()?.values()
    }

    /// Returns the format that all values have that are strings, as JSON Schema calls it: `date-time`, `date`, `time`, `uuid`, `ipv4`,
    /// `ipv6`, `email` or `uri`. `None` unless [`note_strings`](Structure::note_strings) was called and there is such a format. Only
    /// usual forms are recognized, which validators agree on: e-mail addresses and URIs have ASCII host names, and seconds are below 60.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Options, Structure};
    ///
    /// let mut structure = Structure::new().note_strings();
    /// structure.read(r#"["2024-12-31", "2025-01-01"]"#, &Options::new(), &mut |_| ControlFlow::Break(()))?;
    /// assert_eq!(structure.places().last().and_then(|place| place.format()), Some("date"));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> Option<&'static str> {
        self.get().noted.as_ref()?.format()
    }

    /// Returns statistics of the values that are numbers.
    #[must_use]
    pub fn numbers(&self) -> &'s Numbers {
        &self.get().numbers
    }

    /// Returns the number of `true` literals.
    #[must_use]
    pub fn trues(&self) -> u64 {
        self.get().trues
    }

    /// Returns the number of `false` literals.
    #[must_use]
    pub fn falses(&self) -> u64 {
        self.get().falses
    }

    /// Returns the number of `null` literals.
    #[must_use]
    pub fn nulls(&self) -> u64 {
        self.get().nulls
    }

    /// Returns an example, as JSON: the first value that is a number, a literal other than `null`, or a string that is not empty. A
    /// number or literal is as in the input. If it has more than 80 bytes, its start is returned as a string that ends in `…`.
    #[must_use]
    pub fn example(&self) -> Option<&'s str> {
        self.get().example.as_ref().map(|example| &*example.text)
    }

    /// Whether the values that are objects are maps: all their members have one path.
    #[must_use]
    pub fn is_map(&self) -> bool {
        matches!(self.get().members, Members::Any(_))
    }

    /// Returns the places of the elements and members, in the order of their first values.
    #[must_use]
    pub fn children(&self) -> Vec<Self> {
        let children = self.get().children().map(|node| Self { tree: self.tree, node });
        // In an invalid document, the value of a key may be missing.
        let mut children: Vec<_> = children.filter(|child| child.count() > 0).collect();
        children.sort_unstable_by_key(|child| child.get().first);
        children
    }
}
