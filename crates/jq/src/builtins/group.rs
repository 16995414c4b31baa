//! Sorting and grouping by keys.

#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::value::Comparison;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Text;
use crate::value::Value;
use crate::value::compare;
use crate::value::equal;

type Output = Result<Value, Error>;

/// A key and what has it.
pub(crate) type Keyed = (Value, Value);

/// Sorts by key; what has equal keys keeps its order.
fn sort_items(items: &mut [Keyed]) -> Result<(), Error> {
    if items.iter().all(|item| item.0.as_plain_number().is_some_and(|number| !number.is_nan())) {
        let number = |item: &Keyed| item.0.as_plain_number().unwrap_or_default();
        items.sort_by(|left, right| number(left).partial_cmp(&number(right)).unwrap_or(Ordering::Equal));
        return Ok(());
    }
    let mut sorting = Comparison::for_sorting();
    items.sort_by(|left, right| sorting.order(&left.0, &right.0));
    sorting.finish()
}

/// Returns what is given, sorted by key.
///
/// # Errors
/// If keys are nested too deep.
pub(crate) fn sort_by(mut items: Vec<Keyed>) -> Output {
    sort_items(&mut items)?;
    Ok(items.into_iter().map(|item| item.1).collect())
}

/// Returns an array for each key, sorted by key.
///
/// # Errors
/// If keys are nested too deep.
pub(crate) fn group_by(items: Vec<Keyed>) -> Output {
    Ok(grouped(items)?.into_iter().map(Value::from).collect())
}

/// Returns the first one for each key, sorted by key.
///
/// # Errors
/// If keys are nested too deep.
pub(crate) fn unique_by(items: Vec<Keyed>) -> Output {
    Ok(grouped(items)?.into_iter().filter_map(|group| group.into_iter().next()).collect())
}

fn grouped(mut items: Vec<Keyed>) -> Result<Vec<Vec<Value>>, Error> {
    if items.iter().all(|item| item.0.kind() == Kind::String) {
        return Ok(grouped_by_text(items));
    }
    sort_items(&mut items)?;
    let mut groups: Vec<Vec<Value>> = Vec::new();
    let mut last: Option<Value> = None;
    for (key, value) in items {
        match (&last, groups.last_mut()) {
            (Some(last), Some(group)) if equal(last, &key)? => group.push(value),
            _ => {
                groups.push(vec![value]);
                last = Some(key);
            }
        }
    }
    Ok(groups)
}

/// Groups by strings with a hash table: usually there are few groups, and only these need to be sorted.
fn grouped_by_text(items: Vec<Keyed>) -> Vec<Vec<Value>> {
    let mut groups: Vec<(Text, Vec<Value>)> = Vec::new();
    let mut places: HashMap<Text, usize, RandomState> = HashMap::default();
    for (key, value) in items {
        if let Some(&place) = places.get(&*key.as_str().unwrap_or_default()) {
            groups[place].1.push(value);
        } else if let Ok(key) = key.into_text() {
            places.insert(key.clone(), groups.len());
            groups.push((key, vec![value]));
        }
    }
    // mutant:
    groups.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    groups.into_iter().map(|group| group.1).collect()
}

/// Returns the first one with the least key; `null` if there is none.
///
/// # Errors
/// If keys are nested too deep.
pub(crate) fn min_by(items: Vec<Keyed>) -> Output {
    extreme(items, true)
}

/// Returns the last one with the greatest key; `null` if there is none.
///
/// # Errors
/// If keys are nested too deep.
pub(crate) fn max_by(items: Vec<Keyed>) -> Output {
    extreme(items, false)
}

fn extreme(items: Vec<Keyed>, is_least: bool) -> Output {
    let mut best: Option<Keyed> = None;
    for item in items {
        let is_better = match &best {
            Some(best) => compare(&item.0, &best.0)?.is_lt() == is_least,
            None => true,
        };
        if is_better {
            best = Some(item);
        }
    }
    Ok(best.map_or(Value::NULL, |best| best.1))
}
