//! The driver of NVIDIA's graphics processors, loaded when it is first asked for.
//!
//! Nothing of it is needed to build or to run without a device: the library is looked up by its name, and so are its functions.
//! One context and its modules serve the whole process. The context is that of a thread only while a search works there:
//! what other libraries of the same thread had as theirs comes back afterwards.

#[cfg(test)]
mod tests;

use super::{CONVERT, LEAVES, SCAN, missing};
use crate::{Error, Result};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

/// Memory of the device.
pub(super) type Address = u64;
/// Handles of the driver.
pub(super) type Handle = *mut c_void;
type Status = c_int;
#[cfg(test)]
const FAILED: Status = 1;

/// Names of the library, by system.
const NAMES: &[&str] = if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1", "libcuda.so"] };
/// The least generation of devices, 10 times major plus minor: tensor cores that add in single precision, copies to shared memory.
const LEAST_CAPABILITY: c_int = 80;
/// The least driver, in the numbers that it uses itself: it reads the kernels' language.
const LEAST_DRIVER: c_int = 12_000;

// Attributes of devices and of functions, by their numbers in the driver's interface.
const MULTIPROCESSORS: c_int = 16;
const CAPABILITY_MAJOR: c_int = 75;
const CAPABILITY_MINOR: c_int = 76;
const MAX_DYNAMIC_SHARED: c_int = 8;
// Attributes of addresses, and the kind of memory that a device has.
const MEMORY_KIND: c_int = 2;
const DEVICE_NUMBER: c_int = 9;
const OF_A_DEVICE: c_uint = 2;

macro_rules! functions {
    ($($name:ident = $symbol:literal ($($argument:ty),*);)*) => {
        /// Functions of the driver.
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) -> Status,)*
            /// Loaded as long as its functions may be called; none where they come from elsewhere.
            _library: Option<Library>,
        }

        impl Functions {
            fn load(library: Library) -> std::result::Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the names and types are those of the driver's interface, and the library stays loaded beside them.
                    $($name: unsafe { *library.get(concat!($symbol, "\0").as_bytes())? },)*
                    _library: Some(library),
                })
            }

            /// Functions that fail, each to be replaced by what a test is about.
            #[cfg(test)]
            fn failing() -> Self {
                Self {
                    $($name: {
                        unsafe extern "C" fn fails($(_: $argument),*) -> Status {
                            FAILED
                        }
                        fails
                    },)*
                    _library: None,
                }
            }
        }
    };
}

functions! {
    init = "cuInit" (c_uint);
    driver_version = "cuDriverGetVersion" (*mut c_int);
    device_count = "cuDeviceGetCount" (*mut c_int);
    device = "cuDeviceGet" (*mut c_int, c_int);
    device_name = "cuDeviceGetName" (*mut c_char, c_int, c_int);
    device_attribute = "cuDeviceGetAttribute" (*mut c_int, c_int, c_int);
    context_retain = "cuDevicePrimaryCtxRetain" (*mut Handle, c_int);
    context_push = "cuCtxPushCurrent_v2" (Handle);
    context_pop = "cuCtxPopCurrent_v2" (*mut Handle);
    synchronize = "cuCtxSynchronize" ();
    pointer_attribute = "cuPointerGetAttribute" (*mut c_void, c_int, Address);
    memory_info = "cuMemGetInfo_v2" (*mut usize, *mut usize);
    allocate = "cuMemAlloc_v2" (*mut Address, usize);
    free = "cuMemFree_v2" (Address);
    allocate_host = "cuMemHostAlloc" (*mut *mut c_void, usize, c_uint);
    free_host = "cuMemFreeHost" (*mut c_void);
    copy_to = "cuMemcpyHtoDAsync_v2" (Address, *const c_void, usize, Handle);
    copy_from = "cuMemcpyDtoHAsync_v2" (*mut c_void, Address, usize, Handle);
    fill = "cuMemsetD32Async" (Address, c_uint, usize, Handle);
    stream_create = "cuStreamCreate" (*mut Handle, c_uint);
    stream_destroy = "cuStreamDestroy_v2" (Handle);
    stream_synchronize = "cuStreamSynchronize" (Handle);
    stream_wait_event = "cuStreamWaitEvent" (Handle, Handle, c_uint);
    event_create = "cuEventCreate" (*mut Handle, c_uint);
    event_destroy = "cuEventDestroy_v2" (Handle);
    event_record = "cuEventRecord" (Handle, Handle);
    event_synchronize = "cuEventSynchronize" (Handle);
    module_load = "cuModuleLoadData" (*mut Handle, *const c_void);
    module_function = "cuModuleGetFunction" (*mut Handle, Handle, *const c_char);
    function_set = "cuFuncSetAttribute" (Handle, c_int, c_int);
    launch = "cuLaunchKernel" (Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
    error_text = "cuGetErrorString" (Status, *mut *const c_char);
}

/// A device that is ready for work.
pub(super) struct Driver {
    pub(super) functions: Functions,
    context: Handle,
    /// The device's number.
    device: c_int,
    /// The kernel that scans, the one that looks at leaves, and the one that makes operands.
    pub(super) scan: Handle,
    pub(super) leaves: Handle,
    pub(super) convert: Handle,
    pub(super) multiprocessors: usize,
    /// The device's name, and the driver's version.
    pub(super) name: String,
    pub(super) version: String,
}

// SAFETY: the driver's functions may be called from any thread, and the handles are never changed.
unsafe impl Send for Driver {}
// SAFETY: as above.
unsafe impl Sync for Driver {}

impl Driver {
    /// The driver and its first device, or what is missing.
    pub(super) fn get() -> Result<&'static Self> {
        static DRIVER: OnceLock<Result<Driver>> = OnceLock::new();
        DRIVER.get_or_init(|| Self::load(NAMES)).as_ref().map_err(Clone::clone)
    }

    /// From the first library of these names that there is.
    fn load(names: &[&str]) -> Result<Self> {
        // SAFETY: the driver's library is made to be loaded; loading runs its own set-up alone.
        let library = names.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
        let Some(library) = library else {
            return Err(missing("there is no driver of NVIDIA on this machine"));
        };
        let functions = Functions::load(library)
            .map_err(|_| missing("the driver of NVIDIA is too old: version 525 is the first that serves"))?;
        Self::with(functions)
    }

    /// By these functions.
    fn with(functions: Functions) -> Result<Self> {
        let mut driver = Self {
            functions,
            context: null_mut(),
            device: 0,
            scan: null_mut(),
            leaves: null_mut(),
            convert: null_mut(),
            multiprocessors: 0,
            name: String::new(),
            version: String::new(),
        };
        driver.start()?;
        Ok(driver)
    }

    /// Takes the first device, and gives it the kernels.
    fn start(&mut self) -> Result<()> {
        let call = &self.functions;
        let (mut version, mut count, mut device) = (0, 0, 0);
        // SAFETY: all pointers are to numbers of this function.
        unsafe {
            if (call.init)(0) != 0 || (call.device_count)(&mut count) != 0 || count == 0 {
                return Err(missing("the driver of NVIDIA finds no device"));
            }
            self.check((call.driver_version)(&mut version))?;
            self.check((call.device)(&mut device, 0))?;
        }
        self.version = serving_version(version)?;
        let mut name = [0; 256];
        // SAFETY: the name is cut to its room and ends with a zero.
        self.name = unsafe {
            self.check((call.device_name)(name.as_mut_ptr(), 255, device))?;
            CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
        };
        let capability = 10 * self.attribute(CAPABILITY_MAJOR, device)? + self.attribute(CAPABILITY_MINOR, device)?;
        check_capability(capability, &self.name)?;
        self.multiprocessors = self.attribute(MULTIPROCESSORS, device)? as usize;
        let mut context = null_mut();
        // SAFETY: the handle goes to this function.
        self.check(unsafe { (self.functions.context_retain)(&mut context, device) })?;
        self.context = context;
        let current = self.enter()?;
        let scan = self.kernel(SCAN, c"scan", super::gpu::RING_BYTES)?;
        let leaves = self.kernel(LEAVES, c"leaves", super::gpu_leaves::VALUE_BYTES)?;
        let convert = self.kernel(CONVERT, c"convert", 0)?;
        drop(current);
        (self.scan, self.leaves, self.convert, self.device) = (scan, leaves, convert, device);
        Ok(())
    }

    /// A kernel of a text that ends with a zero, with so many bytes of shared memory for each block.
    fn kernel(&self, text: &str, name: &CStr, shared: usize) -> Result<Handle> {
        let (mut module, mut kernel) = (null_mut(), null_mut());
        // SAFETY: text and name end with a zero; handles go to this function.
        unsafe {
            self.check((self.functions.module_load)(&mut module, text.as_ptr().cast()))?;
            self.check((self.functions.module_function)(&mut kernel, module, name.as_ptr()))?;
            if shared > 0 {
                self.check((self.functions.function_set)(kernel, MAX_DYNAMIC_SHARED, shared as c_int))?;
            }
        }
        Ok(kernel)
    }

    fn attribute(&self, which: c_int, device: c_int) -> Result<c_int> {
        let mut value = 0;
        // SAFETY: the pointer is to a number of this function.
        self.check(unsafe { (self.functions.device_attribute)(&mut value, which, device) })?;
        Ok(value)
    }

    /// Makes the context that of this thread, until the guard is dropped.
    pub(super) fn enter(&self) -> Result<Current<'_>> {
        // SAFETY: the context lives as long as the process.
        self.check(unsafe { (self.functions.context_push)(self.context) })?;
        Ok(Current { driver: self, _here: PhantomData })
    }

    /// Whether an address is in the memory of this device.
    pub(super) fn holds(&self, address: Address) -> bool {
        let (mut kind, mut device): (c_uint, c_int) = (0, -1);
        let ask = self.functions.pointer_attribute;
        // SAFETY: the pointers are to numbers of this function, of the types of these attributes; the address is not followed.
        let known = unsafe {
            ask((&raw mut kind).cast(), MEMORY_KIND, address) == 0
                && ask((&raw mut device).cast(), DEVICE_NUMBER, address) == 0
        };
        known && kind == OF_A_DEVICE && device == self.device
    }

    /// An error unless the status is that of success.
    pub(super) fn check(&self, status: Status) -> Result<()> {
        if status == 0 {
            return Ok(());
        }
        let mut text = null();
        // SAFETY: the text is one of the driver's own, which it never frees.
        let said = unsafe {
            if (self.functions.error_text)(status, &mut text) == 0 && !text.is_null() {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            } else {
                format!("error {status}")
            }
        };
        Err(failed(&self.name, &said))
    }
}

/// The context is that of this thread while this lives; then the one before is again. Guards of a thread are nested.
pub(super) struct Current<'a> {
    driver: &'a Driver,
    /// Not for another thread.
    _here: PhantomData<*mut ()>,
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        let mut popped = null_mut();
        // SAFETY: the handle goes to this function; a failure leaves nothing to undo.
        unsafe { (self.driver.functions.context_pop)(&mut popped) };
    }
}

/// The version of a driver that serves, in words.
fn serving_version(number: c_int) -> Result<String> {
    let version = format!("{}.{}", number / 1000, number % 1000 / 10);
    if number < LEAST_DRIVER {
        let known = format!("the driver of NVIDIA is for CUDA {version}, and 12.0 is the first that serves");
        return Err(missing(&known));
    }
    Ok(version)
}

/// An error unless a device of this generation serves.
fn check_capability(capability: c_int, name: &str) -> Result<()> {
    if capability < LEAST_CAPABILITY {
        let (major, minor) = (capability / 10, capability % 10);
        return Err(missing(&format!(
            "{name} has compute capability {major}.{minor}, and 8.0 is the first that serves"
        )));
    }
    Ok(())
}

/// The error of a device that does not do what it should.
fn failed(name: &str, said: &str) -> Error {
    missing(&format!("{} says: {said}", if name.is_empty() { "the driver of NVIDIA" } else { name }))
}
