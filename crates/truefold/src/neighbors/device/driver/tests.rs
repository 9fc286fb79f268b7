//! What is said where a driver is missing or too old, and whose context a thread has; by functions that stand in for a driver.

use super::*;
use std::cell::RefCell;

thread_local! {
    /// What the driver was asked for, and the contexts of this thread.
    static ASKED: RefCell<(Vec<&'static str>, Vec<usize>)> = RefCell::default();
}

const OWN: usize = 7;

unsafe extern "C" fn begins(_: c_uint) -> Status {
    0
}

unsafe extern "C" fn one(count: *mut c_int) -> Status {
    // SAFETY: it is the caller's number.
    unsafe { *count = 1 };
    0
}

unsafe extern "C" fn none(count: *mut c_int) -> Status {
    // SAFETY: as above.
    unsafe { *count = 0 };
    0
}

unsafe extern "C" fn old(version: *mut c_int) -> Status {
    // SAFETY: as above.
    unsafe { *version = 11_080 };
    0
}

unsafe extern "C" fn recent(version: *mut c_int) -> Status {
    // SAFETY: as above.
    unsafe { *version = 12_040 };
    0
}

unsafe extern "C" fn first(device: *mut c_int, _: c_int) -> Status {
    // SAFETY: as above.
    unsafe { *device = 0 };
    0
}

unsafe extern "C" fn named(name: *mut c_char, _: c_int, _: c_int) -> Status {
    // SAFETY: the caller has room for so many.
    unsafe { std::ptr::copy_nonoverlapping(c"Quadro".as_ptr(), name, 7) };
    0
}

unsafe extern "C" fn of_generation_7(value: *mut c_int, _: c_int, _: c_int) -> Status {
    // SAFETY: as above.
    unsafe { *value = 7 };
    0
}

unsafe extern "C" fn of_generation_9(value: *mut c_int, _: c_int, _: c_int) -> Status {
    // SAFETY: as above.
    unsafe { *value = 9 };
    0
}

unsafe extern "C" fn retained(context: *mut Handle, _: c_int) -> Status {
    // SAFETY: as above; the handle is never followed.
    unsafe { *context = std::ptr::without_provenance_mut(OWN) };
    0
}

unsafe extern "C" fn pushes(context: Handle) -> Status {
    ASKED.with_borrow_mut(|(_, stack)| stack.push(context.addr()));
    0
}

unsafe extern "C" fn pops(_: *mut Handle) -> Status {
    ASKED.with_borrow_mut(|(_, stack)| i32::from(stack.pop() != Some(OWN)))
}

unsafe extern "C" fn loads(_: *mut Handle, _: *const c_void) -> Status {
    ASKED.with_borrow_mut(|(asked, stack)| {
        asked.push("module");
        i32::from(stack.last() != Some(&OWN))
    })
}

unsafe extern "C" fn finds(_: *mut Handle, _: Handle, _: *const c_char) -> Status {
    0
}

unsafe extern "C" fn sets(_: Handle, _: c_int, _: c_int) -> Status {
    0
}

/// Address 64 is in the memory of the first device, 128 in that of another, 256 in that of the processor.
unsafe extern "C" fn lies(value: *mut c_void, which: c_int, address: Address) -> Status {
    let (kind, device) = match address {
        64 => (OF_A_DEVICE, 0),
        128 => (OF_A_DEVICE, 1),
        256 => (1, 0),
        _ => return FAILED,
    };
    // SAFETY: both attributes have numbers of 32 bits, which are the caller's.
    match which {
        MEMORY_KIND => unsafe { *value.cast::<c_uint>() = kind },
        _ => unsafe { *value.cast::<c_int>() = device },
    }
    0
}

unsafe extern "C" fn waits(stream: Handle) -> Status {
    ASKED.with_borrow_mut(|(asked, stack)| {
        asked.push(if stream.addr() == 1 { "default stream" } else { "stream" });
        i32::from(stack.last() != Some(&OWN))
    })
}

/// A driver that has all that a search needs.
fn whole() -> Functions {
    Functions {
        init: begins,
        device_count: one,
        driver_version: recent,
        device: first,
        device_name: named,
        device_attribute: of_generation_9,
        context_retain: retained,
        context_push: pushes,
        context_pop: pops,
        module_load: loads,
        module_function: finds,
        function_set: sets,
        pointer_attribute: lies,
        stream_synchronize: waits,
        ..Functions::failing()
    }
}

fn said(made: Result<Driver>) -> String {
    made.err().map(|error| error.to_string()).unwrap_or_default()
}

fn sentence(what: &str) -> String {
    format!("device = gpu cannot be used: {what}; choose auto or cpu for device")
}

#[test]
fn what_is_missing_is_said() {
    let no_driver = sentence("there is no driver of NVIDIA on this machine");
    assert_eq!(said(Driver::load(&["libno-driver-has-this-name.so"])), no_driver);
    let no_device = sentence("the driver of NVIDIA finds no device");
    assert_eq!(said(Driver::with(Functions::failing())), no_device);
    assert_eq!(said(Driver::with(Functions { device_count: none, ..whole() })), no_device);
    let too_old = sentence("the driver of NVIDIA is for CUDA 11.8, and 12.0 is the first that serves");
    assert_eq!(said(Driver::with(Functions { driver_version: old, ..whole() })), too_old);
    let weak = sentence("Quadro has compute capability 7.7, and 8.0 is the first that serves");
    assert_eq!(said(Driver::with(Functions { device_attribute: of_generation_7, ..whole() })), weak);
    let broken = Functions { module_load: Functions::failing().module_load, ..whole() };
    assert_eq!(said(Driver::with(broken)), sentence("Quadro says: error 1"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_without_the_functions_is_too_old() {
    let too_old = sentence("the driver of NVIDIA is too old: version 525 is the first that serves");
    assert_eq!(said(Driver::load(&["libc.so.6"])), too_old);
}

#[test]
fn the_context_of_a_thread_comes_back() {
    // Of another library.
    const OTHER: usize = 3;
    let stack = || ASKED.with_borrow(|(_, stack)| stack.clone());
    ASKED.with_borrow_mut(|(_, stack)| stack.push(OTHER));
    let driver = Driver::with(whole()).unwrap();
    assert_eq!((driver.name.as_str(), driver.version.as_str()), ("Quadro", "12.4"));
    assert!(ASKED.with_borrow(|(asked, _)| asked.contains(&"module")));
    assert_eq!(stack(), [OTHER]);
    {
        let _outer = driver.enter().unwrap();
        let inner = driver.enter().unwrap();
        assert_eq!(stack(), [OTHER, OWN, OWN]);
        drop(inner);
        assert_eq!(stack(), [OTHER, OWN]);
    }
    assert_eq!(stack(), [OTHER]);
    // A set-up that fails in the middle leaves nothing behind either.
    let broken = Functions { module_function: Functions::failing().module_function, ..whole() };
    assert!(Driver::with(broken).is_err());
    assert_eq!(stack(), [OTHER]);
}

#[test]
fn only_memory_of_the_device_is_read_there_once_its_stream_has_ended() {
    let driver = Driver::with(whole()).unwrap();
    // SAFETY: no stream is followed.
    let place = |address, stream| unsafe { crate::Resident::by(&driver, address, stream, std::sync::Arc::new(())) };
    let asked = |what: &str| ASKED.with_borrow(|(asked, _)| asked.iter().filter(|one| **one == what).count());
    assert_eq!(place(64, None).unwrap().address(), 64);
    assert_eq!((asked("default stream"), asked("stream")), (0, 0));
    assert!(place(64, Some(1)).is_ok() && place(64, Some(77)).is_ok());
    assert_eq!((asked("default stream"), asked("stream")), (1, 1));
    for elsewhere in [0, 128, 256] {
        let said = place(elsewhere, Some(1)).unwrap_err().to_string();
        assert_eq!(said, sentence(&format!("no memory of Quadro lies at address {elsewhere:#x}")));
    }
    assert_eq!(asked("default stream"), 1);
    let broken =
        Driver::with(Functions { stream_synchronize: Functions::failing().stream_synchronize, ..whole() }).unwrap();
    // SAFETY: as above.
    let failed = unsafe { crate::Resident::by(&broken, 64, Some(1), std::sync::Arc::new(())) };
    assert_eq!(failed.unwrap_err().to_string(), sentence("Quadro says: error 1"));
    assert_eq!(ASKED.with_borrow(|(_, stack)| stack.len()), 0);
}
