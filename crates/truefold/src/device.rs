//! Where neighbors are searched: on the processor, or on a graphics processor.
//!
//! [`Run::with_device`](crate::Run::with_device) carries the choice to every search of a run; what a device does is in
//! `neighbors/device/`.

use crate::{Error, Result};

/// Where neighbors are searched; the lists are the same everywhere.
///
/// ```
/// use truefold::{Device, Points, Run, Search};
///
/// let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
/// let here = Search::nearest(1).run(&points, &Run::new().with_device(Device::Cpu))?;
/// assert_eq!(here, Search::nearest(1).run(&points, &Run::new())?);
/// assert_eq!("gpu".parse::<Device>()?, Device::Gpu);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Device {
    /// A graphics processor where there is one and all pairs of many points are searched; else the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// A graphics processor of NVIDIA; an error says what is missing.
    Gpu,
}

impl Device {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Cpu, Self::Gpu];

    /// The name by which it is parsed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Device {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|device| device.name() == name)
            .ok_or_else(|| Error::unknown("device", name, Self::ALL.iter().map(|device| device.name())))
    }
}
