//! A memory map that survives SIGBUS: if its file loses its end, the process gets a flag instead of dying.
//!
//! When another process truncates a mapped file, or the disk under it fails, the kernel answers the next access with
//! SIGBUS, and by default that is death. The handler here puts zero pages where the file is gone, from the page of the
//! fault to the end of the map, sets the map's flag and lets the reader go on. What the reader makes of the zeros does
//! not matter: the flag is read before any verdict is given, and then there is none.
//!
//! Why this is sound enough:
//! * The handler does only what a signal handler may: it reads atomics and calls `mmap` and `sigaction`, plain system
//!   calls. It neither allocates nor locks. `mmap` touches `errno` only when it fails, and then the process dies.
//! * It replaces pages only inside a map that is listed. The thread that faults is reading that map through a borrow
//!   of [`Guarded`], so it stays listed and mapped meanwhile; all other entries may come and go, which is why an entry
//!   that is just changing is skipped: it cannot be the one.
//! * Several threads may fault in one map at once. Each puts zeros from its own fault to the end; the kernel makes each
//!   replacement one step, and zeros over zeros change nothing.
//! * The flag is set before the zeros appear, so whoever reads a zero also finds the flag.
//! * Any other SIGBUS goes to whoever was asked before us, with what the kernel told us, and we stay where we are. Only where
//!   that is the default action, which ends the process, we make way for it.
//!
//! That bytes change under a `&[u8]` is outside what Rust allows; the caller of [`Input::map`](crate::Input::map)
//! vouches for that. The guard is for when the caller was wrong.

#![expect(unsafe_code, reason = "signal handling and memory maps are system calls")]

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

/// A map the handler knows.
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

    /// Whether a part of the file was gone when it was read.
    pub(super) fn was_hit(&self) -> bool {
        // A fault comes in the order of the reads: the compiler must not move one of them behind this line.
        compiler_fence(SeqCst);
        self.slot.hit.load(SeqCst)
    }

    /// Takes the pages of `range` out of this process's memory; they come back when they are read.
    pub(super) fn give_back(&self, range: Range<usize>) {
        // SAFETY: DontNeed loses only what was written to private pages. The map is read-only and shared, so the next
        // read finds the file's bytes again; zero pages put there by the handler come back as zero pages.
        let result = unsafe { self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len()) };
        // Only an advice: where it is refused (locked memory) the pages stay, and the answer is the same.
        drop(result);
    }
}

impl Drop for Guarded {
    /// Delists the map; it is unmapped after that, when the field is dropped.
    fn drop(&mut self) {
        self.slot.publish(0..0);
        self.slot.taken.store(false, SeqCst);
    }
}

/// When the file's attributes last changed: unlike the time of the last write nobody can set it back.
pub(super) fn change_time(metadata: &Metadata) -> (i64, i64) {
    (metadata.ctime(), metadata.ctime_nsec())
}

/// One entry of the list of live maps. Entries are reused but never freed: the handler may walk the list at any time.
struct Slot {
    taken: AtomicBool,
    /// Odd while `start` and `end` change.
    version: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    hit: AtomicBool,
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
            hit: AtomicBool::new(false),
            next: OnceLock::new(),
        }
    }

    /// Only for the one who has taken the slot.
    fn publish(&self, range: Range<usize>) {
        self.version.fetch_add(1, SeqCst);
        self.start.store(range.start, SeqCst);
        self.end.store(range.end, SeqCst);
        self.hit.store(false, SeqCst);
        self.version.fetch_add(1, SeqCst);
    }

    /// Nothing if it changed while it was read: start and end might then belong to different maps.
    fn range(&self) -> Option<Range<usize>> {
        let version = self.version.load(SeqCst);
        let range = self.start.load(SeqCst)..self.end.load(SeqCst);
        (version.is_multiple_of(2) && self.version.load(SeqCst) == version).then_some(range)
    }
}

/// The first free slot, or a new one at the end of the list.
fn claim() -> &'static Slot {
    let mut slot = &FIRST;
    while slot.taken.swap(true, SeqCst) {
        slot = slot.next.get_or_init(|| Box::new(Slot::new()));
    }
    slot
}

/// The slot whose map `address` lies in, and the end of that map.
fn find(address: usize) -> Option<(&'static Slot, usize)> {
    iter::successors(Some(&FIRST), |slot| slot.next.get().map(Box::as_ref))
        .find_map(|slot| slot.range().filter(|range| range.contains(&address)).map(|range| (slot, range.end)))
}

static INSTALL: Once = Once::new();

/// What the process does with SIGBUS beside us: the handler (or `SIG_DFL`, or `SIG_IGN`) and its flags.
static PREVIOUS: (AtomicUsize, AtomicI32) = (AtomicUsize::new(libc::SIG_DFL), AtomicI32::new(0));

/// The size of a page.
static PAGE: AtomicUsize = AtomicUsize::new(4096);

fn install() {
    // SAFETY: sysconf only reads.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    PAGE.store(usize::try_from(page).unwrap_or(4096), SeqCst);
    let mut previous = default_action();
    // SAFETY: this only asks. What is known before our handler is there, the first signal finds.
    unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut previous) };
    chain_to(&previous);
    let mut action = ours();
    action.sa_mask = previous.sa_mask;
    // SAFETY: the handler does only what a handler may (see above), and has the arguments SA_SIGINFO stands for. The
    // call cannot fail: SIGBUS may be caught.
    unsafe { libc::sigaction(libc::SIGBUS, &raw const action, &raw mut previous) };
    chain_to(&previous);
}

/// Has a SIGBUS that is not ours go there.
fn chain_to(action: &libc::sigaction) {
    if action.sa_sigaction != ours().sa_sigaction {
        PREVIOUS.1.store(action.sa_flags, SeqCst);
        PREVIOUS.0.store(action.sa_sigaction, SeqCst);
    }
}

/// Our handler: on the alternative stack, because an earlier handler may be there to report that the stack is full.
fn ours() -> libc::sigaction {
    let mut action = default_action();
    action.sa_sigaction = on_sigbus as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    action
}

/// Default action, no flags, no other signals held back.
fn default_action() -> libc::sigaction {
    // SAFETY: a C structure of integers and a nullable function pointer, for which zero is a value: SIG_DFL.
    unsafe { mem::zeroed() }
}

extern "C" fn on_sigbus(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid structure to a handler installed with SA_SIGINFO.
    let told = unsafe { &*info };
    // SAFETY: only used if the signal is a fault, for which the kernel fills in the address.
    let (code, address) = (told.si_code, unsafe { told.si_addr() });
    if code == libc::BUS_ADRERR && replace(address) {
        return;
    }
    let (handler, flags) = (PREVIOUS.0.load(SeqCst), PREVIOUS.1.load(SeqCst));
    // What a process has sent has a code up to 0; a fault comes again as soon as we return.
    let is_fault = code > 0;
    if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        if is_fault || handler == libc::SIG_DFL {
            let action = default_action();
            // SAFETY: the default action, which ends the process. A fault cannot be ignored.
            unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
        }
        if !is_fault && handler == libc::SIG_DFL {
            // SAFETY: raise may be called in a handler; the signal is held back until the handler returns.
            unsafe { libc::raise(signal) };
        }
        return;
    }
    if flags & libc::SA_SIGINFO == 0 {
        // SAFETY: it was installed as a handler without SA_SIGINFO, which takes the signal alone.
        let handler = unsafe { mem::transmute::<usize, extern "C" fn(libc::c_int)>(handler) };
        handler(signal);
    } else {
        type Informed = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
        // SAFETY: it was installed as a handler with SA_SIGINFO, which takes these.
        let handler = unsafe { mem::transmute::<usize, Informed>(handler) };
        handler(signal, info, context);
    }
    if !is_fault {
        // It may have made way for another, as that of Rust's runtime does: then we are in front of that one.
        let (mut now, action) = (default_action(), ours());
        // SAFETY: as when it was installed first.
        unsafe { libc::sigaction(signal, &raw const action, &raw mut now) };
        chain_to(&now);
    }
}

/// Puts zeros from the page of `address` to the end of its map and sets the flag; false if it lies in no listed map.
fn replace(address: *mut libc::c_void) -> bool {
    let Some((slot, end)) = find(address.addr()) else { return false };
    slot.hit.store(true, SeqCst);
    let page = address.map_addr(|address| address & !(PAGE.load(SeqCst) - 1));
    let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: everything from `page` to `end` belongs to one listed map, which is alive because this thread is reading
    // it; nobody else has a claim on these pages, and who reads them needs no more than that they can be read.
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

    /// A file of `length` times `x` and its map.
    fn mapped(length: usize) -> (File, Mmap) {
        let file = file(&vec![b'x'; length]);
        // SAFETY: nobody else knows the file; the tests that write to it want to see what happens.
        let map = unsafe { Mmap::map(&file) }.expect("maps");
        (file, map)
    }

    fn count(bytes: &[u8], byte: u8) -> usize {
        memchr::memchr_iter(byte, bytes).count()
    }

    #[test]
    fn what_was_cut_off_reads_as_zeros() {
        let (file, map) = mapped(1_000_001);
        let (_other_file, other) = mapped(10_000);
        let (guarded, other) = (Guarded::new(map), Guarded::new(other));
        assert_eq!(count(guarded.bytes(), b'x'), 1_000_001);
        let page = PAGE.load(SeqCst);
        file.set_len(page as u64 + 1).expect("truncates");
        // The rest of the last page is zero because the kernel clears it.
        assert_eq!(guarded.bytes()[page], b'x');
        assert!(!guarded.was_hit(), "what is left is still the file");
        assert_eq!(count(guarded.bytes(), 0), 1_000_001 - page - 1);
        assert_eq!(count(guarded.bytes(), b'x'), page + 1);
        assert!(guarded.was_hit());
        guarded.give_back(0..guarded.bytes().len());
        assert_eq!(count(guarded.bytes(), 0), 1_000_001 - page - 1);
        assert!(!other.was_hit());
    }

    #[test]
    fn many_threads_and_maps_at_once() {
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
                        assert_eq!(guarded.was_hit(), round % 2 == 0);
                    }
                });
            }
        });
    }

    /// Reads a guarded map whose file is cut short, which must not kill.
    fn survive_a_cut() {
        let (file, map) = mapped(5000);
        let guarded = Guarded::new(map);
        file.set_len(0).expect("truncates");
        assert_eq!((count(guarded.bytes(), 0), guarded.was_hit()), (5000, true));
    }

    fn raise() {
        // SAFETY: raise has no conditions.
        assert_eq!(unsafe { libc::raise(libc::SIGBUS) }, 0);
    }

    /// Calls of the handlers below.
    static CALLS: AtomicUsize = AtomicUsize::new(0);

    extern "C" fn plain(signal: libc::c_int) {
        assert_eq!(signal, libc::SIGBUS);
        CALLS.fetch_add(1, SeqCst);
    }

    extern "C" fn informed(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: the kernel's structure, passed on.
        let told = unsafe { &*info };
        assert!(signal == libc::SIGBUS && told.si_signo == signal && !context.is_null());
        CALLS.fetch_add(1, SeqCst);
    }

    /// Has this process ask so for SIGBUS before there is a guard.
    fn ask(handler: usize, flags: libc::c_int) {
        let mut action = default_action();
        (action.sa_sigaction, action.sa_flags) = (handler, flags);
        // SAFETY: a handler of the form that the flags tell, or the default action.
        unsafe { libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) };
    }

    /// A guard between signals that are for others, which hear of all of them.
    fn chain() {
        for calls in 1..=3 {
            survive_a_cut();
            raise();
            assert_eq!(CALLS.load(SeqCst), calls);
        }
        survive_a_cut();
    }

    /// What a child process does, and whether it is to die of SIGBUS.
    const ROLES: [(&str, bool, fn()); 7] = [
        ("a fault in a map that is not ours", true, || {
            ask(libc::SIG_DFL, 0);
            survive_a_cut();
            let (file, map) = mapped(5000);
            file.set_len(0).expect("truncates");
            assert_ne!(map[0], b'x', "read a file that is gone");
        }),
        ("a fault in a map that is not ours, with the handler of Rust's runtime", true, || {
            survive_a_cut();
            let (file, map) = mapped(5000);
            file.set_len(0).expect("truncates");
            assert_ne!(map[0], b'x', "read a file that is gone");
        }),
        ("a signal from a process", true, || {
            ask(libc::SIG_DFL, 0);
            survive_a_cut();
            raise();
        }),
        ("signals that are ignored", false, || {
            ask(libc::SIG_IGN, 0);
            survive_a_cut();
            raise();
            survive_a_cut();
        }),
        ("signals for a handler", false, || {
            ask(plain as *const () as usize, 0);
            chain();
        }),
        ("signals for a handler that is told more", false, || {
            ask(informed as *const () as usize, libc::SA_SIGINFO);
            chain();
        }),
        // That one makes way for the default action when it is called, and the signal is lost.
        ("two signals for the handler of Rust's runtime", true, || {
            survive_a_cut();
            raise();
            survive_a_cut();
            raise();
        }),
    ];

    #[test]
    fn any_other_sigbus_goes_where_it_went_before() {
        const ROLE: &str = "FJSON_TEST_SIGBUS";
        if let Ok(role) = env::var(ROLE) {
            let (.., play) = ROLES.iter().find(|(name, ..)| *name == role).expect("a known role");
            return play();
        }
        for (name, dies, _) in ROLES {
            let module = module_path!().split_once("::").expect("a path").1;
            let test = [module, "::any_other_sigbus_goes_where_it_went_before"].concat();
            let mut child = Command::new(env::current_exe().expect("a test binary"));
            let output = child.args(["--exact", &test]).env(ROLE, name).output().expect("runs");
            assert_eq!(output.status.signal(), dies.then_some(libc::SIGBUS), "{name}: {output:?}");
            assert_eq!(output.status.success(), !dies, "{name}: {output:?}");
        }
    }
}
