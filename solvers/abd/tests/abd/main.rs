//! Affine bodies under the `abd` solver: free motion and contact against theory, and never an intersection.

mod bench;
mod contact;
mod free;
mod joints;
mod random;
mod robust;
mod soft;
