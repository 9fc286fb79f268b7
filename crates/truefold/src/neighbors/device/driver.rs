//! The driver of NVIDIA's graphics processors, loaded when it is first asked for.
//!
//! Nothing of it is needed to build or to run without a device: the library is looked up by its name, and so are its functions.
//! One context and one module serve the whole process.

use super::{KERNELS, missing};
use crate::{Error, Result};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

/// Memory of the device.
pub(super) type Address = u64;
/// Handles of the driver.
pub(super) type Handle = *mut c_void;
type Status = c_int;

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

macro_rules! functions {
    ($($name:ident = $symbol:literal ($($argument:ty),*);)*) => {
        /// Functions of the driver.
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) -> Status,)*
            _library: Library,
        }

        impl Functions {
            fn load(library: Library) -> std::result::Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the names and types are those of the driver's interface, and the library stays loaded beside them.
                    $($name: unsafe { *library.get(concat!($symbol, "\0").as_bytes())? },)*
                    _library: library,
                })
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
    context_set = "cuCtxSetCurrent" (Handle);
    synchronize = "cuCtxSynchronize" ();
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
    /// The kernel that scans.
    pub(super) scan: Handle,
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
        DRIVER.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Self> {
        // SAFETY: the driver's library is made to be loaded; loading runs its own set-up alone.
        let library = NAMES.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
        let Some(library) = library else {
            return Err(missing("there is no driver of NVIDIA on this machine"));
        };
        let functions = Functions::load(library)
            .map_err(|_| missing("the driver of NVIDIA is too old: version 525 is the first that serves"))?;
        let mut driver = Self {
            functions,
            context: null_mut(),
            scan: null_mut(),
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
        self.version = format!("{}.{}", version / 1000, version % 1000 / 10);
        if version < LEAST_DRIVER {
            let known = format!("the driver of NVIDIA is for CUDA {}, and 12.0 is the first that serves", self.version);
            return Err(missing(&known));
        }
        let mut name = [0; 256];
        // SAFETY: the name is cut to its room and ends with a zero.
        self.name = unsafe {
            self.check((call.device_name)(name.as_mut_ptr(), 255, device))?;
            CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
        };
        let capability = 10 * self.attribute(CAPABILITY_MAJOR, device)? + self.attribute(CAPABILITY_MINOR, device)?;
        if capability < LEAST_CAPABILITY {
            let (major, minor) = (capability / 10, capability % 10);
            let known =
                format!("{} has compute capability {major}.{minor}, and 8.0 is the first that serves", self.name);
            return Err(missing(&known));
        }
        self.multiprocessors = self.attribute(MULTIPROCESSORS, device)? as usize;
        let (mut context, mut module, mut scan) = (null_mut(), null_mut(), null_mut());
        // SAFETY: the kernels are text that ends with a zero, and so is the name; handles go to this function.
        unsafe {
            self.check((self.functions.context_retain)(&mut context, device))?;
            self.check((self.functions.context_set)(context))?;
            self.check((self.functions.module_load)(&mut module, KERNELS.as_ptr().cast()))?;
            self.check((self.functions.module_function)(&mut scan, module, c"scan".as_ptr()))?;
            self.check((self.functions.function_set)(scan, MAX_DYNAMIC_SHARED, super::gpu::RING_BYTES as c_int))?;
        }
        (self.context, self.scan) = (context, scan);
        Ok(())
    }

    fn attribute(&self, which: c_int, device: c_int) -> Result<c_int> {
        let mut value = 0;
        // SAFETY: the pointer is to a number of this function.
        self.check(unsafe { (self.functions.device_attribute)(&mut value, which, device) })?;
        Ok(value)
    }

    /// Makes the context that of this thread.
    pub(super) fn enter(&self) -> Result<()> {
        // SAFETY: the context lives as long as the process.
        self.check(unsafe { (self.functions.context_set)(self.context) })
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

/// The error of a device that does not do what it should.
fn failed(name: &str, said: &str) -> Error {
    missing(&format!("{} says: {said}", if name.is_empty() { "the driver of NVIDIA" } else { name }))
}
