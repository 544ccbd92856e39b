//! Linear algebra more than one solver uses: small dense blocks, factorisations of one block, of block-sparse and of
//! dense matrices, and Krylov iterations. Nothing here knows bodies.

pub mod block6;
pub mod block_ldl;
pub mod cholesky;
pub mod four_ldl;
pub mod krylov;
pub mod ldl;
pub mod matrix;
pub mod real;
