//! Passes on the version of Python, as `cfg(Py_3_12)`, and whether it has a global interpreter lock.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
