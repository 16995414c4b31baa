//! A memory mapping that survives SIGBUS: if its file is truncated, a flag is set and the process continues.
//!
//! When another process truncates a mapped file, or the disk fails, the kernel answers the next access with SIGBUS, which by
//! default terminates the process. The handler in this module maps zero pages from the faulting page to the end of the mapping,
//! sets the mapping's flag and returns. The reader then reads zeros. Its result does not matter, because the flag is tested
//! before any result is reported.
//!
//! Why this is sound enough:
//! * The handler does only what is allowed in a signal handler: it reads and writes atomics and calls `mmap` and `sigaction`,
//!   which are plain system calls. It neither allocates nor locks. `mmap` changes `errno` only if it fails, and then the process
//!   terminates.
//! * The handler replaces pages only inside a listed mapping. The faulting thread reads that mapping through a borrow of
//!   [`Guarded`], so the mapping stays listed and mapped during the fault. Other entries may be added and removed concurrently.
//!   The handler skips an entry that is being changed, because it cannot be the one that faulted.
//! * Several threads may fault in one mapping at once. Each maps zeros from its own fault to the end. The kernel makes each
//!   replacement atomic, and replacing zeros with zeros changes nothing.
//! * The flag is set before the zeros appear, so a thread that reads a zero also finds the flag set.
//! * Any other SIGBUS is forwarded to the previous handler with its original arguments, and this handler stays installed. Only if
//!   the previous action is the default one, which terminates the process, is this handler replaced by it.
//!
//! Rust does not allow bytes behind a `&[u8]` to change; the caller of [`Input::map`](crate::Input::map) guarantees that they do
//! not. The guard handles the case that this guarantee was wrong.

#![expect(unsafe_code, reason = "signal handling and memory mappings are system calls")]

use memmap2::Mmap;
use memmap2::UncheckedAdvice;

use std::fs::Metadata;
use std::iter;
use std::mem;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::ptr;
use std::sync::Once;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::compiler_fence;

/// A mapping that is listed for the signal handler.
pub(super) struct Guarded {
    map: Mmap,
    slot: &'static Slot,
}

impl Guarded {
    pub(super) fn new(map: Mmap) -> Self {
        INSTALL.call_once(install);
        let slot = claim();
        let start = map.as_ptr().addr();
        slot.publish(start..start + map.len());
        Self { map, slot }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Returns whether an access has faulted because that part of the file was gone.
    pub(super) fn has_faulted(&self) -> bool {
        // Faults occur in the order of the reads, so the compiler must not move any read past this line.
        compiler_fence(SeqCst);
        self.slot.faulted.load(SeqCst)
    }

    /// Removes the pages of `range` from this process's memory. Reading them loads them again.
    pub(super) fn release(&self, range: Range<usize>) {
        // SAFETY: DontNeed discards only data written to private pages. The mapping is read-only and shared, so the next read loads
        // the file's bytes again. Zero pages mapped by the handler are zero again.
        let result = unsafe { self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len()) };
        // This is only advice. If it is refused (locked memory), the pages stay and the results are the same.
        drop(result);
    }
}

impl Drop for Guarded {
    /// Removes the mapping from the list. It is unmapped afterwards, when the field is dropped.
    fn drop(&mut self) {
        self.slot.publish(0..0);
        self.slot.taken.store(false, SeqCst);
    }
}

/// Returns the time of the last change of the file's attributes. Unlike the time of the last write, a process cannot set it.
pub(super) fn change_time(metadata: &Metadata) -> (i64, i64) {
    (metadata.ctime(), metadata.ctime_nsec())
}

/// An entry of the list of live mappings. Entries are reused but never freed, because the handler may traverse the list at any
/// time.
struct Slot {
    taken: AtomicBool,
    /// Odd while `start` and `end` are being changed.
    version: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    faulted: AtomicBool,
    next: OnceLock<Box<Slot>>,
}

static FIRST: Slot = Slot::new();

impl Slot {
    const fn new() -> Self {
        Self {
            taken: AtomicBool::new(false),
            version: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            faulted: AtomicBool::new(false),
            next: OnceLock::new(),
        }
    }

    /// Sets the address range. May be called only by the thread that has taken the slot.
    fn publish(&self, range: Range<usize>) {
        self.version.fetch_add(1, SeqCst);
        self.start.store(range.start, SeqCst);
        self.end.store(range.end, SeqCst);
        self.faulted.store(false, SeqCst);
        self.version.fetch_add(1, SeqCst);
    }

    /// Returns the address range, or `None` if it changed while it was read: start and end might then belong to different mappings.
    fn range(&self) -> Option<Range<usize>> {
        let version = self.version.load(SeqCst);
        let range = self.start.load(SeqCst)..self.end.load(SeqCst);
        (version.is_multiple_of(2) && self.version.load(SeqCst) == version).then_some(range)
    }
}

/// Takes the first free slot, or appends a new one to the list.
fn claim() -> &'static Slot {
    let mut slot = &FIRST;
    while slot.taken.swap(true, SeqCst) {
        slot = slot.next.get_or_init(|| Box::new(Slot::new()));
    }
    slot
}

/// Finds the slot whose mapping contains `address`. Returns it and the end of the mapping.
fn find(address: usize) -> Option<(&'static Slot, usize)> {
    iter::successors(Some(&FIRST), |slot| slot.next.get().map(Box::as_ref))
        .find_map(|slot| slot.range().filter(|range| range.contains(&address)).map(|range| (slot, range.end)))
}

static INSTALL: Once = Once::new();

/// The action for SIGBUS that was installed before ours: the handler (or `SIG_DFL`, or `SIG_IGN`) and its flags.
static PREVIOUS: (AtomicUsize, AtomicI32) = (AtomicUsize::new(libc::SIG_DFL), AtomicI32::new(0));

/// Size of a page in bytes.
static PAGE: AtomicUsize = AtomicUsize::new(4096);

fn install() {
    // SAFETY: sysconf only reads.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    PAGE.store(usize::try_from(page).unwrap_or(4096), SeqCst);
    let mut previous = default_action();
    // SAFETY: this only queries the current action. It is stored before our handler is installed, so that the first signal finds
    // it.
    unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut previous) };
    chain_to(&previous);
    let mut action = ours();
    action.sa_mask = previous.sa_mask;
    // SAFETY: the handler does only what is allowed in a signal handler (see above), and has the arguments that SA_SIGINFO
    // requires. The call cannot fail: SIGBUS may be caught.
    unsafe { libc::sigaction(libc::SIGBUS, &raw const action, &raw mut previous) };
    chain_to(&previous);
}

/// Stores the action to which other SIGBUS signals are forwarded.
fn chain_to(action: &libc::sigaction) {
    if action.sa_sigaction != ours().sa_sigaction {
        PREVIOUS.1.store(action.sa_flags, SeqCst);
        PREVIOUS.0.store(action.sa_sigaction, SeqCst);
    }
}

/// Returns the action with our handler. It runs on the alternative stack, because the previous handler may be one that reports
/// stack overflows.
fn ours() -> libc::sigaction {
    let mut action = default_action();
    action.sa_sigaction = on_sigbus as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    action
}

/// Returns the default action, without flags and without blocked signals.
fn default_action() -> libc::sigaction {
    // SAFETY: a C structure of integers and a nullable function pointer, for which zero is a valid value: SIG_DFL.
    unsafe { mem::zeroed() }
}

extern "C" fn on_sigbus(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid structure to a handler installed with SA_SIGINFO.
    let information = unsafe { &*info };
    // SAFETY: only used if the signal is a fault, for which the kernel fills in the address.
    let (code, address) = (information.si_code, unsafe { information.si_addr() });
    // On macOS, the code of such a fault depends on the processor.
    let is_beyond_end = code == libc::BUS_ADRERR || cfg!(target_vendor = "apple") && code > 0;
    if is_beyond_end && replace(address) {
        return;
    }
    let (handler, flags) = (PREVIOUS.0.load(SeqCst), PREVIOUS.1.load(SeqCst));
    // The code is positive for a fault and at most 0 for a signal sent by a process. A fault occurs again as soon as this handler
    // returns.
    let is_fault = code > 0;
    if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        if is_fault || handler == libc::SIG_DFL {
            let action = default_action();
            // SAFETY: installs the default action, which terminates the process. A fault cannot be ignored.
            unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
        }
        if !is_fault && handler == libc::SIG_DFL {
            // SAFETY: raise may be called in a handler. The signal is blocked until the handler returns.
            unsafe { libc::raise(signal) };
        }
        return;
    }
    if flags & libc::SA_SIGINFO == 0 {
        // SAFETY: it was installed without SA_SIGINFO, so it takes only the signal number.
        let handler = unsafe { mem::transmute::<usize, extern "C" fn(libc::c_int)>(handler) };
        handler(signal);
    } else {
        type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
        // SAFETY: it was installed with SA_SIGINFO, so it takes these arguments.
        let handler = unsafe { mem::transmute::<usize, Handler>(handler) };
        handler(signal, info, context);
    }
    if !is_fault {
        // That handler may have installed another action, as the one of Rust's runtime does. Install ours before that one again.
        let (mut now, action) = (default_action(), ours());
        // SAFETY: the same as for the first installation.
        unsafe { libc::sigaction(signal, &raw const action, &raw mut now) };
        // mutant:
        chain_to(&now);
    }
}

/// Sets the flag of the mapping that contains `address` and maps zeros from the page of `address` to its end. Returns false if no
/// listed mapping contains it or if mapping fails.
fn replace(address: *mut libc::c_void) -> bool {
    let Some((slot, end)) = find(address.addr()) else { return false };
    slot.faulted.store(true, SeqCst);
    let page = address.map_addr(|address| address & !(PAGE.load(SeqCst) - 1));
    let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: everything from `page` to `end` belongs to one listed mapping, which is alive because this thread is reading it. No
    // other code owns these pages, and its readers only need them to be readable.
    let zeros = unsafe { libc::mmap(page, end - page.addr(), libc::PROT_READ, flags, -1, 0) };
    zeros != libc::MAP_FAILED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::tests::file;

    use std::env;
    use std::fs::File;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    use std::thread;

    /// Creates a file of `length` times `x` and its mapping.
    fn mapped(length: usize) -> (File, Mmap) {
        let file = file(&vec![b'x'; length]);
        // SAFETY: no other process can open the file. Some tests write to it on purpose.
        let map = unsafe { Mmap::map(&file) }.expect("maps");
        (file, map)
    }

    fn count(bytes: &[u8], byte: u8) -> usize {
        memchr::memchr_iter(byte, bytes).count()
    }

    #[test]
    fn truncated_pages_read_as_zeros() {
        let (file, map) = mapped(1_000_001);
        let (_other_file, other) = mapped(10_000);
        let (guarded, other) = (Guarded::new(map), Guarded::new(other));
        assert_eq!(count(guarded.bytes(), b'x'), 1_000_001);
        let page = PAGE.load(SeqCst);
        file.set_len(page as u64 + 1).expect("truncates");
        // The rest of the last page is zero because the kernel clears it.
        assert_eq!(guarded.bytes()[page], b'x');
        assert!(!guarded.has_faulted(), "the first two pages are still in the file");
        assert_eq!(count(guarded.bytes(), 0), 1_000_001 - page - 1);
        assert_eq!(count(guarded.bytes(), b'x'), page + 1);
        assert!(guarded.has_faulted());
        guarded.release(0..guarded.bytes().len());
        assert_eq!(count(guarded.bytes(), 0), 1_000_001 - page - 1);
        assert!(!other.has_faulted());
    }

    #[test]
    fn many_threads_and_mappings_at_once() {
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for round in 0..100 {
                        let (file, map) = mapped(300_000);
                        let guarded = &Guarded::new(map);
                        file.set_len(if round % 2 == 0 { 0 } else { 300_000 }).expect("truncates");
                        thread::scope(|scope| {
                            scope.spawn(move || count(guarded.bytes(), b'x'));
                            scope.spawn(move || count(&guarded.bytes()[150_000..], b'x'));
                        });
                        assert_eq!(guarded.has_faulted(), round % 2 == 0);
                    }
                });
            }
        });
    }

    /// Reads a guarded mapping whose file is truncated. The process must survive.
    fn survive_truncation() {
        let (file, map) = mapped(5000);
        let guarded = Guarded::new(map);
        file.set_len(0).expect("truncates");
        assert_eq!((count(guarded.bytes(), 0), guarded.has_faulted()), (5000, true));
    }

    fn raise() {
        // SAFETY: raise has no conditions.
        assert_eq!(unsafe { libc::raise(libc::SIGBUS) }, 0);
    }

    /// Number of calls of the handlers below.
    static CALLS: AtomicUsize = AtomicUsize::new(0);

    extern "C" fn plain(signal: libc::c_int) {
        assert_eq!(signal, libc::SIGBUS);
        CALLS.fetch_add(1, SeqCst);
    }

    extern "C" fn informed(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: the kernel's structure, forwarded by our handler.
        let information = unsafe { &*info };
        assert!(signal == libc::SIGBUS && information.si_signo == signal && !context.is_null());
        CALLS.fetch_add(1, SeqCst);
    }

    /// Installs a handler for SIGBUS before there is a guard.
    fn install_handler(handler: usize, flags: libc::c_int) {
        let mut action = default_action();
        (action.sa_sigaction, action.sa_flags) = (handler, flags);
        // SAFETY: a handler with the arguments that the flags require, or the default action.
        unsafe { libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) };
    }

    /// Alternates guarded faults with other signals, all of which must reach the previous handler.
    fn chain() {
        for calls in 1..=3 {
            survive_truncation();
            raise();
            assert_eq!(CALLS.load(SeqCst), calls);
        }
        survive_truncation();
    }

    /// What a child process does, and whether SIGBUS must terminate it.
    const ROLES: [(&str, bool, fn()); 7] = [
        ("a fault in another mapping", true, || {
            install_handler(libc::SIG_DFL, 0);
            survive_truncation();
            let (file, map) = mapped(5000);
            file.set_len(0).expect("truncates");
            assert_ne!(map[0], b'x', "read a file that is gone");
        }),
        ("a fault in another mapping, with the handler of Rust's runtime", true, || {
            survive_truncation();
            let (file, map) = mapped(5000);
            file.set_len(0).expect("truncates");
            assert_ne!(map[0], b'x', "read a file that is gone");
        }),
        ("a signal from a process", true, || {
            install_handler(libc::SIG_DFL, 0);
            survive_truncation();
            raise();
        }),
        ("signals that are ignored", false, || {
            install_handler(libc::SIG_IGN, 0);
            survive_truncation();
            raise();
            survive_truncation();
        }),
        ("signals for a handler", false, || {
            install_handler(plain as *const () as usize, 0);
            chain();
        }),
        ("signals for a handler with SA_SIGINFO", false, || {
            install_handler(informed as *const () as usize, libc::SA_SIGINFO);
            chain();
        }),
        // That handler installs the default action when it is called, and the signal is lost.
        ("two signals for the handler of Rust's runtime", true, || {
            survive_truncation();
            raise();
            survive_truncation();
            raise();
        }),
    ];

    #[test]
    fn any_other_sigbus_reaches_the_previous_handler() {
        const ROLE: &str = "FJSON_TEST_SIGBUS";
        if let Ok(role) = env::var(ROLE) {
            let (.., play) = ROLES.iter().find(|(name, ..)| *name == role).expect("a known role");
            return play();
        }
        for (name, dies, _) in ROLES {
            let module = module_path!().split_once("::").expect("a path").1;
            let test = [module, "::any_other_sigbus_reaches_the_previous_handler"].concat();
            let mut child = Command::new(env::current_exe().expect("a test binary"));
            let output = child.args(["--exact", &test]).env(ROLE, name).output().expect("runs");
            assert_eq!(output.status.signal(), dies.then_some(libc::SIGBUS), "{name}: {output:?}");
            assert_eq!(output.status.success(), !dies, "{name}: {output:?}");
        }
    }
}
