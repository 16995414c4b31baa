//! The resources of synthea_fhir.json: medical records in the form of FHIR R4.
//!
//! What is missing from some objects of a kind in the document is optional.

mod datatypes;

use datatypes::Address;
use datatypes::Amount;
use datatypes::Coding;
use datatypes::Concept;
use datatypes::Diagnosis;
use datatypes::Extension;
use datatypes::HumanName;
use datatypes::Identifier;
use datatypes::Insurance;
use datatypes::Money;
use datatypes::Narrative;
use datatypes::Period;
use datatypes::Quantity;
use datatypes::Reference;
use serde::Deserialize;
use serde::Serialize;

/// A record of any kind.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(tag = "resourceType")]
pub enum Resource {
    Patient(Box<Patient>),
    Organization(Box<Organization>),
    Practitioner(Box<Practitioner>),
    Encounter(Box<Encounter>),
    Condition(Box<Condition>),
    Claim(Box<Claim>),
    ExplanationOfBenefit(Box<ExplanationOfBenefit>),
    CareTeam(Box<CareTeam>),
    CarePlan(Box<CarePlan>),
    MedicationRequest(Box<MedicationRequest>),
    Goal(Box<Goal>),
    Observation(Box<Observation>),
    Procedure(Box<Procedure>),
    ImagingStudy(Box<ImagingStudy>),
    Immunization(Box<Immunization>),
    DiagnosticReport(Box<DiagnosticReport>),
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Patient {
    id: String,
    text: Narrative,
    extension: Vec<Extension>,
    identifier: Vec<Identifier>,
    name: Vec<HumanName>,
    telecom: Vec<Identifier>,
    gender: String,
    birth_date: String,
    deceased_date_time: String,
    address: Vec<Address>,
    marital_status: Concept,
    multiple_birth_boolean: bool,
    communication: Vec<Communication>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Organization {
    id: String,
    identifier: Vec<Identifier>,
    active: bool,
    r#type: Vec<Concept>,
    name: String,
    telecom: Vec<Identifier>,
    address: Vec<Address>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Practitioner {
    id: String,
    identifier: Vec<Identifier>,
    active: bool,
    name: Vec<HumanName>,
    telecom: Vec<Identifier>,
    address: Vec<Address>,
    gender: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Encounter {
    id: String,
    status: String,
    class: Coding,
    r#type: Vec<Concept>,
    subject: Reference,
    participant: Vec<EncounterParticipant>,
    period: Period,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reason_code: Vec<Concept>,
    service_provider: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    id: String,
    clinical_status: Concept,
    verification_status: Concept,
    code: Concept,
    subject: Reference,
    encounter: Reference,
    onset_date_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    abatement_date_time: Option<String>,
    recorded_date: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    id: String,
    status: String,
    r#type: Concept,
    r#use: String,
    patient: Reference,
    billable_period: Period,
    created: String,
    provider: Reference,
    priority: Concept,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    diagnosis: Vec<Diagnosis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prescription: Option<Reference>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    supporting_info: Vec<SupportingInfo>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    procedure: Vec<ClaimProcedure>,
    insurance: Vec<Insurance>,
    item: Vec<ClaimItem>,
    total: Money,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplanationOfBenefit {
    id: String,
    contained: Vec<Contained>,
    identifier: Vec<Identifier>,
    status: String,
    r#type: Concept,
    r#use: String,
    patient: Reference,
    billable_period: Period,
    created: String,
    insurer: Reference,
    provider: Reference,
    referral: Reference,
    claim: Reference,
    outcome: String,
    care_team: Vec<BenefitProvider>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    diagnosis: Vec<Diagnosis>,
    insurance: Vec<Insurance>,
    item: Vec<BenefitItem>,
    total: Vec<Amount>,
    payment: Payment,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CareTeam {
    id: String,
    status: String,
    subject: Reference,
    encounter: Reference,
    period: Period,
    participant: Vec<CareTeamMember>,
    reason_code: Vec<Concept>,
    managing_organization: Vec<Reference>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CarePlan {
    id: String,
    text: Narrative,
    status: String,
    intent: String,
    category: Vec<Concept>,
    subject: Reference,
    encounter: Reference,
    period: Period,
    care_team: Vec<Reference>,
    addresses: Vec<Reference>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    goal: Vec<Reference>,
    activity: Vec<Activity>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MedicationRequest {
    id: String,
    status: String,
    intent: String,
    medication_codeable_concept: Concept,
    subject: Reference,
    encounter: Reference,
    authored_on: String,
    requester: Reference,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reason_reference: Vec<Reference>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dosage_instruction: Vec<Dosage>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Goal {
    id: String,
    lifecycle_status: String,
    achievement_status: Concept,
    description: Concept,
    subject: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    id: String,
    status: String,
    category: Vec<Concept>,
    code: Concept,
    subject: Reference,
    encounter: Reference,
    effective_date_time: String,
    issued: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_quantity: Option<Quantity>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    component: Vec<Component>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_codeable_concept: Option<Concept>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Procedure {
    id: String,
    status: String,
    code: Concept,
    subject: Reference,
    encounter: Reference,
    performed_period: Period,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reason_reference: Vec<Reference>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImagingStudy {
    id: String,
    identifier: Vec<Identifier>,
    status: String,
    subject: Reference,
    encounter: Reference,
    started: String,
    number_of_series: u32,
    number_of_instances: u32,
    series: Vec<Series>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Immunization {
    id: String,
    status: String,
    vaccine_code: Concept,
    patient: Reference,
    encounter: Reference,
    occurrence_date_time: String,
    primary_source: bool,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiagnosticReport {
    id: String,
    status: String,
    category: Vec<Concept>,
    code: Concept,
    subject: Reference,
    encounter: Reference,
    effective_date_time: String,
    issued: String,
    result: Vec<Reference>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Activity {
    detail: ActivityDetail,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct ActivityDetail {
    code: Concept,
    status: String,
    location: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BenefitItem {
    sequence: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    diagnosis_sequence: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    information_sequence: Vec<u32>,
    category: Concept,
    product_or_service: Concept,
    serviced_period: Period,
    location_codeable_concept: Concept,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    encounter: Vec<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<Money>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    adjudication: Vec<Amount>,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct BenefitProvider {
    sequence: u32,
    provider: Reference,
    role: Concept,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct CareTeamMember {
    role: Vec<Concept>,
    member: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimItem {
    sequence: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    diagnosis_sequence: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    procedure_sequence: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    information_sequence: Vec<u32>,
    product_or_service: Concept,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    encounter: Vec<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<Money>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimProcedure {
    sequence: u32,
    procedure_reference: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Communication {
    language: Concept,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    code: Concept,
    value_quantity: Quantity,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contained {
    resource_type: String,
    id: String,
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester: Option<Reference>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    performer: Vec<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<Concept>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beneficiary: Option<Reference>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    payor: Vec<Reference>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dosage {
    sequence: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
    as_needed_boolean: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dose_and_rate: Vec<Dose>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dose {
    r#type: Concept,
    dose_quantity: Quantity,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct EncounterParticipant {
    individual: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    uid: String,
    sop_class: Coding,
    number: u32,
    title: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Payment {
    amount: Money,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeat {
    frequency: u32,
    period: f64,
    period_unit: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    uid: String,
    number: u32,
    modality: Coding,
    number_of_instances: u32,
    body_site: Coding,
    started: String,
    instance: Vec<Instance>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SupportingInfo {
    sequence: u32,
    category: Concept,
    value_reference: Reference,
}

#[derive(PartialEq, Serialize, Deserialize)]
pub struct Timing {
    repeat: Repeat,
}
