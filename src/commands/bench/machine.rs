//! The machine and the time of a run, from files that any user can read. A fact that the system does not provide is left out.

#![forbid(unsafe_code)]

use crate::figures::Short;
use crate::figures::Size;
use fjson::Isa;
use std::env;
use std::fs;
use std::thread;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub memory: Option<usize>,
    pub system: String,
    /// Available kernels.
    pub kernels: Vec<Isa>,
    /// Average number of running programs in the minute before.
    pub load: Option<f64>,
    /// CPU frequency governor.
    pub governor: Option<String>,
    /// Seconds since 1970.
    pub time: u64,
    pub optimized: bool,
}

impl Machine {
    pub fn here() -> Self {
        let line = |path: &str| Some(fs::read_to_string(path).ok()?.trim().to_owned());
        let release = line("/proc/sys/kernel/osrelease").map(|release| format!(" {release}")).unwrap_or_default();
        Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| env::consts::ARCH.to_owned()),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory: field("/proc/meminfo", "MemTotal")
                .and_then(|size| size.strip_suffix(" kB")?.parse::<usize>().ok())
                .and_then(|kibibytes| kibibytes.checked_mul(1024)),
            system: format!("{}{release}, {}", env::consts::OS, env::consts::ARCH),
            kernels: Isa::available().collect(),
            load: line("/proc/loadavg").and_then(|loads| loads.split(' ').next()?.parse().ok()),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            time: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
            optimized: !cfg!(debug_assertions),
        }
    }

    /// Returns everything as names and values.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let kernels = self.kernels.iter().map(|isa| isa.name()).collect::<Vec<_>>().join(", ");
        let mut facts = vec![("Processor", self.processor.clone()), ("Cores", self.cores.to_string())];
        facts.extend(self.memory.map(|memory| ("Memory", Size(memory).to_string())));
        facts.push(("System", self.system.clone()));
        facts.push(("Kernels", kernels));
        facts.extend(self.governor.clone().map(|governor| ("Clock rate", format!("governor {governor}"))));
        facts.extend(self.load.map(|load| ("Load before", format!("{load:.2}"))));
        facts.push(("fjson", env!("CARGO_PKG_VERSION").to_owned()));
        facts.push(("Time", format!("{} UTC", utc(self.time))));
        facts
    }

    /// Returns reasons why the figures may not be reliable.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.optimized {
            warnings.push("this fjson was built without optimization, so its figures are meaningless".to_owned());
        }
        if let Some(load) = self.load.filter(|&load| load > 0.5) {
            let cores = self.cores;
            let plural = if cores == 1 { "" } else { "s" };
            warnings.push(format!(
                "other programs were running before the start: load {} on {cores} core{plural}",
                Short(load)
            ));
        }
        if let Some(governor) = self.governor.as_deref().filter(|&governor| governor == "powersave") {
            warnings.push(format!("the governor `{governor}` may reduce the clock rate"));
        }
        warnings
    }
}

/// Returns the first value of a name in a file of lines `name : value`.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    fields
        .map(|(name, value)| (name.trim(), value.trim().to_owned()))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

/// Formats seconds since 1970 as date and time of day (RFC 3339).
///
/// Days are counted in years that begin in March, so that the leap day is the last day of a year.
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, turn) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + turn;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", second / 3600, second / 60 % 60)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn machine() -> Machine {
        Machine {
            processor: "Example 9000 <fast>".to_owned(),
            cores: 8,
            memory: Some(16 << 30),
            system: "linux 6.1, x86_64".to_owned(),
            kernels: vec![Isa::Avx512, Isa::Avx2, Isa::Portable],
            load: Some(0.25),
            governor: None,
            time: 1_795_176_000,
            optimized: true,
        }
    }

    #[test]
    fn dates() {
        let expected = [
            (0, "1970-01-01 00:00"),
            (951_782_400, "2000-02-29 00:00"),
            (951_868_800, "2000-03-01 00:00"),
            (1_735_689_599, "2024-12-31 23:59"),
            (1_795_176_000, "2026-11-20 12:00"),
            (4_107_542_400, "2100-03-01 00:00"),
        ];
        for (seconds, date) in expected {
            assert_eq!(utc(seconds), date);
        }
    }

    #[test]
    fn a_busy_machine_and_a_slow_build_have_warnings() {
        assert_eq!(machine().warnings(), [""; 0]);
        let busy = Machine { load: Some(1.5), governor: Some("powersave".to_owned()), optimized: false, ..machine() };
        assert_eq!(busy.warnings().len(), 3);
    }
}
