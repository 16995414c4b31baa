//! The types of the data sets, and of the documents that other projects measure.
//!
//! Fields have the order of the documents, so that what is written is the document again, minified. A library may leave out
//! whitespace, but must write every field.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::Serialize;

use crate::fhir::Resource;

/// canada.json: the border of Canada.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Canada {
    r#type: String,
    features: Vec<Feature>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Feature {
    r#type: String,
    properties: BTreeMap<String, String>,
    geometry: Geometry,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Geometry {
    r#type: String,
    coordinates: Vec<Vec<(f64, f64)>>,
}

/// citm_catalog.json: events and their performances.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    area_names: BTreeMap<u32, String>,
    audience_sub_category_names: BTreeMap<u32, String>,
    block_names: BTreeMap<u32, String>,
    events: BTreeMap<u32, Event>,
    performances: Vec<Performance>,
    seat_category_names: BTreeMap<u32, String>,
    sub_topic_names: BTreeMap<u32, String>,
    subject_names: BTreeMap<u32, String>,
    topic_names: BTreeMap<u32, String>,
    topic_sub_topics: BTreeMap<u32, Vec<u32>>,
    venue_names: BTreeMap<String, String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    description: Option<String>,
    id: u32,
    logo: Option<String>,
    name: String,
    sub_topic_ids: Vec<u32>,
    subject_code: Option<String>,
    subtitle: Option<String>,
    topic_ids: Vec<u32>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Performance {
    event_id: u32,
    id: u32,
    logo: Option<String>,
    name: Option<String>,
    prices: Vec<Price>,
    seat_categories: Vec<SeatCategory>,
    seat_map_image: Option<String>,
    start: u64,
    venue_code: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Price {
    amount: u32,
    audience_sub_category_id: u32,
    seat_category_id: u32,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SeatCategory {
    areas: Vec<Area>,
    seat_category_id: u32,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Area {
    area_id: u32,
    block_ids: Vec<u32>,
}

/// golang_source.json: a tree of folders and files.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Sources {
    tree: Folder,
    username: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Folder {
    name: String,
    kids: Vec<Folder>,
    cl_weight: f64,
    touches: u32,
    min_t: u64,
    max_t: u64,
    mean_t: u64,
}

/// synthea_fhir.json: medical records.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    resource_type: String,
    r#type: String,
    entry: Vec<Entry>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    full_url: String,
    resource: Resource,
    request: Request,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Request {
    method: String,
    url: String,
}

/// string_unicode.json: text in many scripts.
pub type Scripts = BTreeMap<String, String>;

/// Three fields, as kowito-json measures.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Three {
    pub id: u64,
    pub name: String,
    pub active: bool,
}

/// Seven fields, as kowito-json measures.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Seven {
    pub id: u64,
    pub name: String,
    pub email: String,
    pub age: u32,
    pub active: bool,
    pub score: f64,
    pub city: String,
}

impl Seven {
    /// Returns a record; records differ in a few fields.
    pub fn record(id: u32) -> Self {
        Self {
            id: id.into(),
            name: "Alice Liddell".to_owned(),
            email: "alice@example.com".to_owned(),
            age: 33,
            active: id.is_multiple_of(2),
            score: 98.6 + f64::from(id),
            city: "Zürich".to_owned(),
        }
    }
}

/// Eight numbers, as kowito-json measures.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Eight {
    pub a: u64,
    pub b: i64,
    pub c: u32,
    pub d: i32,
    pub e: f64,
    pub f: f64,
    pub g: u64,
    pub h: f64,
}

/// One long text, as kowito-json and RustyJson measure.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Body {
    pub body: String,
}

/// A user of the long array that RustyJson measures.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct User {
    pub id: u64,
    pub name: String,
    pub email: String,
    pub active: bool,
    pub verified: bool,
    pub score: f64,
    pub tags: Vec<String>,
}

/// The same with text that is borrowed from the document.
#[derive(PartialEq, Deserialize)]
pub struct BorrowedUser<'a> {
    pub id: u64,
    #[serde(borrow)]
    pub name: &'a str,
    pub email: &'a str,
    pub active: bool,
    pub verified: bool,
    pub score: f64,
    pub tags: Vec<&'a str>,
}

/// Two of the seven fields.
#[derive(PartialEq, Deserialize)]
pub struct TwoFields<'a> {
    pub id: u64,
    #[serde(borrow)]
    pub name: &'a str,
}

/// Returns users that always are the same.
pub fn users(count: u64) -> Vec<User> {
    const NAMES: [&str; 5] = ["Ada Lovelace", "Grace Hopper", "José García", "李小龍", "Edsger W. Dijkstra"];
    const TAGS: [&str; 6] = ["new", "beta", "mobile", "trial", "admin", "eu-west"];
    let mut state = 1_u64;
    let mut below = move |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let user = |id| User {
        id,
        name: NAMES[below(5) as usize].to_owned(),
        email: format!("user{id}@example.com"),
        active: below(2) == 0,
        verified: below(3) == 0,
        score: below(10_000_000) as f64 / 100.0,
        tags: (0..below(4)).map(|_| TAGS[below(6) as usize].to_owned()).collect(),
    };
    (0..count).map(user).collect()
}
