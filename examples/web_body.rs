//! Answers requests with JSON bodies, as a web service does: one parser and one buffer for all requests, so that most of them
//! allocate nothing but the list of items.
//!
//! ```sh
//! echo '{"user": "Ada", "items": [{"price": 2.5, "count": 2}]}' | cargo run --example web_body
//! ```

use std::io;
use std::io::BufRead;
use std::io::Write;

use fjson::ErrorKind;
use fjson::Parser;
use fjson::Writer;
use serde::Deserialize;
use serde::Serialize;

/// An order. The name is borrowed from the request unless it has escapes.
#[derive(Deserialize)]
struct Order<'r> {
    #[serde(borrow)]
    user: std::borrow::Cow<'r, str>,
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    price: f64,
    count: u32,
}

#[derive(Serialize)]
struct Receipt<'r> {
    user: &'r str,
    total: f64,
}

/// What is used again for each request.
#[derive(Default)]
pub struct Service {
    parser: Parser,
    response: Vec<u8>,
}

impl Service {
    /// Returns the status and the body of the response.
    pub fn answer(&mut self, request: &[u8]) -> (u16, &[u8]) {
        self.response.clear();
        let status = match self.parser.read::<Order>(request) {
            Ok(order) => {
                let total = order.items.iter().map(|item| item.price * f64::from(item.count)).sum();
                let receipt = Receipt { user: &order.user, total };
                fjson::to_end_of(&mut self.response, &receipt).map_or(500, |()| 200)
            }
            Err(error) => {
                write_error(&error, &mut self.response);
                // The text is not JSON, or not an order.
                if error.kind() == ErrorKind::Data { 422 } else { 400 }
            }
        };
        (status, &self.response)
    }
}

fn write_error(error: &fjson::Error, response: &mut Vec<u8>) {
    let mut writer = Writer::new(response);
    writer.begin_object().name("error").value(error.to_string());
    writer.name("pointer").value(error.pointer()).end();
    // These calls cannot be wrong.
    writer.finish().ok();
}

fn main() -> io::Result<()> {
    let mut service = Service::default();
    for request in io::stdin().lock().lines() {
        let (status, body) = service.answer(request?.as_bytes());
        let mut output = io::stdout().lock();
        write!(output, "{status} ")?;
        output.write_all(body)?;
        writeln!(output)?;
    }
    Ok(())
}
