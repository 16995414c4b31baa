//! What several resources have in common.

use serde::Deserialize;
use serde::Serialize;

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extension: Vec<Extension>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    city: String,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_code: Option<String>,
    country: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Amount {
    category: Concept,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<Money>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Coding {
    system: String,
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Concept {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    coding: Vec<Coding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    sequence: u32,
    diagnosis_reference: Reference,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    r#type: Vec<Concept>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Extension {
    url: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extension: Vec<Extension>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_coding: Option<Coding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_string: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_address: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_decimal: Option<f64>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct HumanName {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#use: Option<String>,
    family: String,
    given: Vec<String>,
    prefix: Vec<String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Identifier {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<Concept>,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#use: Option<String>,
    system: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Insurance {
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u32>,
    focal: bool,
    coverage: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Money {
    value: f64,
    currency: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Narrative {
    status: String,
    div: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Period {
    start: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Reference {
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
}
