//! Typed memory on the device.

use std::marker::PhantomData;

use cubecl::prelude::*;
use cubecl::server::Handle;

use crate::choice::DeviceError;
use crate::gpu::Gpu;

/// An array on the device. Grows when asked for more than it holds, and never shrinks, so that a
/// steady state allocates nothing.
#[derive(Clone, Debug)]
pub struct Buffer<T> {
    handle: Handle,
    len: usize,
    capacity: usize,
    element: PhantomData<T>,
}

impl<T: CubeElement> Buffer<T> {
    /// An array of `len` elements of unknown content.
    pub fn new<R: Runtime>(gpu: &Gpu<R>, len: usize) -> Self {
        let capacity = len.max(1);
        let handle = gpu.client().empty(capacity * size_of::<T>());
        Self { handle, len, capacity, element: PhantomData }
    }

    /// An array holding `data`.
    pub fn from_slice<R: Runtime>(gpu: &Gpu<R>, data: &[T]) -> Self {
        let mut buffer = Self::new(gpu, 0);
        buffer.upload(gpu, data);
        buffer
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes room for `len` elements and says whether memory had to grow. The content is kept if it
    /// had not, and unknown if it had.
    pub fn resize<R: Runtime>(&mut self, gpu: &Gpu<R>, len: usize) -> bool {
        let grows = len > self.capacity;
        if grows {
            // Half as much again, so that a slowly growing array does not move every time.
            self.capacity = len.max(self.capacity + self.capacity / 2);
            self.handle = gpu.client().empty(self.capacity * size_of::<T>());
        }
        self.len = len;
        grows
    }

    /// Makes room for `len` elements and keeps the content, by a copy on the device.
    pub fn grow<R: Runtime>(&mut self, gpu: &Gpu<R>, len: usize) {
        if len > self.capacity {
            let old = self.clone();
            self.capacity = len;
            self.handle = gpu.client().empty(len * size_of::<T>());
            // Bits are bits: elements of four bytes, whatever they mean.
            let words = old.len * size_of::<T>() / size_of::<u32>();
            crate::primitives::copy_bits(gpu, old.bits(words), self.bits(words), words);
        }
        self.len = len;
    }

    /// The first `words` words of the array as an argument of a kernel that does not care what they mean.
    #[allow(unsafe_code)]
    fn bits<R: Runtime>(&self, words: usize) -> ArrayArg<R> {
        debug_assert!(words * size_of::<u32>() <= self.capacity * size_of::<T>());
        // SAFETY: as for `arg`; so many words of four bytes are behind the handle.
        unsafe { ArrayArg::from_raw_parts(self.handle.clone(), words.max(1)) }
    }

    /// Replaces the content by `data`.
    pub fn upload<R: Runtime>(&mut self, gpu: &Gpu<R>, data: &[T]) {
        self.len = data.len();
        if !data.is_empty() {
            self.handle = gpu.client().create_from_slice(T::as_bytes(data));
            self.capacity = data.len();
        }
    }

    /// Waits for the device and copies the content to the host.
    pub fn read<R: Runtime>(&self, gpu: &Gpu<R>) -> Result<Vec<T>, DeviceError> {
        self.read_first(gpu, self.len)
    }

    /// Waits for the device and copies the first `len` elements to the host, or all if there are fewer.
    pub fn read_first<R: Runtime>(&self, gpu: &Gpu<R>, len: usize) -> Result<Vec<T>, DeviceError> {
        self.look_at_first(gpu, len, <[T]>::to_vec)
    }

    /// Waits for the device and shows the content, which spares the host a copy.
    pub fn look<R: Runtime, O>(&self, gpu: &Gpu<R>, look: impl FnOnce(&[T]) -> O) -> Result<O, DeviceError> {
        self.look_at_first(gpu, self.len, look)
    }

    fn look_at_first<R: Runtime, O>(
        &self,
        gpu: &Gpu<R>,
        len: usize,
        look: impl FnOnce(&[T]) -> O,
    ) -> Result<O, DeviceError> {
        let len = len.min(self.len);
        if len == 0 {
            return Ok(look(&[]));
        }
        let unused = (self.capacity - len) * size_of::<T>();
        let handle = self.handle.clone().offset_end(unused as u64);
        let bytes = gpu.client().read_one(handle).map_err(|error| DeviceError::Failed(format!("{error:?}")))?;
        Ok(look(T::from_bytes(&bytes)))
    }

    /// The array as an argument of a kernel.
    #[allow(unsafe_code)]
    pub fn arg<R: Runtime>(&self) -> ArrayArg<R> {
        let len = self.len.max(1);
        debug_assert!(len <= self.capacity);
        // SAFETY: the only demand is that the length does not exceed the memory behind the handle.
        // `handle` always has room for `capacity ≥ max(len, 1)` elements of `T`: it is only set by
        // `new` and `resize` (allocations of exactly that size) and by `upload` (size of the data).
        unsafe { ArrayArg::from_raw_parts(self.handle.clone(), len) }
    }
}
