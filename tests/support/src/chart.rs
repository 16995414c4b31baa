//! The picture of README.md: bars from the measurements in `benches/tools.json`, for a light and for a dark page.

use serde_json::Value;
use std::fmt;
use std::fmt::Write;

/// Width of the picture, and where the bars begin and end.
const WIDTH: f64 = 760.0;
const START: f64 = 176.0;
const END: f64 = 690.0;

/// Height of a bar with its gap, and of the heading of a group.
const ROW: f64 = 20.0;
const HEADING: f64 = 34.0;

/// The tasks of `benches/tools`, with their headings.
const TASKS: [(&str, &str); 4] = [
    ("validate", "Check"),
    ("minify", "Minify"),
    ("pretty", "Pretty-print"),
    ("query", "Print one member of each record"),
];

/// Colors of text, captions, bars, and bars of fjson: those of the page of `fjson bench --report`.
struct Colors {
    text: &'static str,
    caption: &'static str,
    bar: &'static str,
    own: &'static str,
}

const LIGHT: Colors = Colors { text: "#1c1c1a", caption: "#5d5c57", bar: "#b9b7ae", own: "#2463c9" };
const DARK: Colors = Colors { text: "#edece8", caption: "#a7a59e", bar: "#5c5b55", own: "#6ea4f4" };

/// Draws the picture as SVG.
///
/// # Panics
/// If the data is not what `benches/tools` writes.
#[must_use]
pub fn draw(data: &Value, is_dark: bool) -> String {
    let colors = if is_dark { DARK } else { LIGHT };
    let bytes = data["bytes"].as_f64().expect("a size");
    let results = data["results"].as_array().expect("a list of results");
    let speed = |result: &Value| bytes / 1e9 / result["seconds"].as_f64().expect("a time");
    let longest = results.iter().map(speed).fold(0.0, f64::max);
    let (mut bars, mut y) = (String::new(), 8.0);
    for (task, heading) in TASKS {
        let mut rows: Vec<_> = results.iter().filter(|result| result["task"] == task).collect();
        rows.sort_by(|left, right| speed(right).total_cmp(&speed(left)));
        y += HEADING;
        text(&mut bars, 12.0, y - 10.0, &colors, "heading", heading);
        for result in rows {
            bar(&mut bars, y, &colors, (name(result, data), speed(result), longest));
            y += ROW;
        }
    }
    let caption = format!(
        "GB/s of processor time, whole programs on {:.0} MB of records, fjson on one thread. {}, {}.",
        bytes / 1e6,
        data["processor"].as_str().expect("a processor"),
        data["date"].as_str().expect("a date"),
    );
    y += 28.0;
    text(&mut bars, 12.0, y - 8.0, &colors, "caption", &caption);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{y}\" viewBox=\"0 0 {WIDTH} {y}\" role=\"img\">\n\
         <title>Speed of fjson and of other programs</title>\n\
         <style>text{{font:13px system-ui,sans-serif}}.heading{{font-weight:600}}.caption{{font-size:12px}}.name,.value{{font-size:12.5px}}</style>\n\
         {bars}</svg>\n"
    )
}

/// Returns the name of a program with its version.
fn name(result: &Value, data: &Value) -> String {
    let program = result["program"].as_str().expect("a name");
    let version = data["versions"][program].as_str().unwrap_or_default();
    let shown = if program == "python3" { "json.tool" } else { program };
    format!("{shown} {version}").trim_end().to_owned()
}

fn bar(svg: &mut String, y: f64, colors: &Colors, (name, speed, longest): (String, f64, f64)) {
    let is_own = name.starts_with("fjson");
    let (fill, length) = (if is_own { colors.own } else { colors.bar }, (END - START) * speed / longest);
    text(svg, 24.0, y + 13.0, colors, "name", &name);
    // A short bar is drawn wide enough to be visible.
    let length = length.max(1.5);
    writeln!(
        svg,
        "<rect x=\"{START}\" y=\"{:.1}\" width=\"{length:.1}\" height=\"14\" rx=\"2\" fill=\"{fill}\"/>",
        y + 2.0
    )
    .expect(WRITTEN);
    text(svg, START + length + 6.0, y + 13.0, colors, "value", &Speed(speed).to_string());
}

fn text(svg: &mut String, x: f64, y: f64, colors: &Colors, class: &str, content: &str) {
    let fill = if class == "caption" { colors.caption } else { colors.text };
    let content = content.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" fill=\"{fill}\">{content}</text>").expect(WRITTEN);
}

const WRITTEN: &str = "a string can be written";

/// Displays with two significant digits.
struct Speed(f64);

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            speed if speed >= 9.95 => write!(f, "{speed:.0}"),
            speed if speed >= 0.995 => write!(f, "{speed:.1}"),
            speed if speed >= 0.0995 => write!(f, "{speed:.2}"),
            speed => write!(f, "{speed:.3}"),
        }
    }
}
