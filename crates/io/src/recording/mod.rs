//! Recordings as `.npz`: one array per field, self-contained, so that a run can be checked with
//! NumPy alone.
//!
//! With F frames, B bodies, J joints, P particles, S shapes, W worlds; −1 means the world:
//!
//! | array | shape | meaning |
//! |---|---|---|
//! | `time` | F | simulated time \[s\] |
//! | `body_q` | F, B, 7 | position \[m\] and orientation (x, y, z, w) of the body frame |
//! | `body_qd` | F, B, 6 | velocity of the centre of mass \[m/s\], angular velocity \[rad/s\], world frame |
//! | `body_affine` | F, B, 3, 4 | affine placement; only if a solver deforms its bodies |
//! | `particle_q`, `particle_qd` | F, P, 3 | positions \[m\] and velocities \[m/s\]; the latter may be missing |
//! | `joint_error` | F, J | gap of the joint \[m\] |
//! | `joint_intact` | F, J | false once the joint broke |
//! | `body_name`, `body_kind`, `body_world` | B | name; `dynamic`, `kinematic` or `static`; world index |
//! | `body_mass`, `body_com`, `body_inertia` | B; B, 3; B, 3, 3 | mass \[kg\], centre of mass \[m\] and inertia about it \[kg·m²\], body frame |
//! | `joint_name`, `joint_type`, `joint_parent`, `joint_child` | J | name, kind, bodies |
//! | `joint_frame_parent`, `joint_frame_child` | J, 7 | joint frames in the body frames |
//! | `joint_locked` | J, 6 | locked axes: x, y, z, about x, about y, about z |
//! | `joint_distance`, `joint_stiffness` | J, 2 | range of a distance joint \[m\]; stiffness of locked translations and rotations, infinite for hard joints |
//! | `gravity`, `wind` | 3 or W, 3; W, 3 | gravity \[m/s²\]; velocity of the air at the start \[m/s\], may be missing |
//! | `particle_mass`, `particle_radius`, `particle_world`, `particle_triangle` | P; P; P; N, 3 | mass \[kg\] (0 if pinned), radius \[m\], world, triangles between particles |
//! | `particle_group`, `particle_mask`, `particle_filter` | P; P; N, 2 | group bits, bits met, pairs that never collide; may be missing |
//! | `triangle_rest`, `triangle_area`, `triangle_material`, `triangle_air` | N, 4; N; N, 3; N, 2 | of those triangles: inverse of the rest edges by columns \[1/m\], area \[m²\], μ, λ, damping \[N/m, N/m, N·s/m\], drag and lift \[kg/m³\] |
//! | `spring_particle`, `spring_length`, `spring_stiffness`, `spring_damping` | N, 2; N; N; N | springs: ends, length at rest \[m\], stiffness \[N/m\], damping \[N·s/m\] |
//! | `edge_particle`, `edge_angle`, `edge_length`, `edge_material` | N, 4; N; N; N, 2 | folds: opposite particles (−1 on a rim), then the edge's; rest angle \[rad\], length \[m\]; stiffness and damping per angle and length |
//! | `tet_particle`, `tet_rest`, `tet_material` | N, 4; N, 3, 3; N, 3 | tetrahedra: corners, inverse of the rest edges \[1/m\], μ, λ, damping \[Pa, Pa, Pa·s\] |
//! | `attachment_particle`, `attachment_other`, `attachment_body`, `attachment_point`, `attachment_stiffness` | N; N; N; N, 3; N | what holds particles: the particle, the one it is sewn to (−1 if none), the body (−1 for the world), the point in its frame \[m\], stiffness \[N/m\], infinite if hard; may be missing |
//! | `mesh_vertex`, `mesh_triangle`, `mesh_body`, `mesh_shape` | V, 3; T, 3; V; V | collision surface, each vertex in the frame of its body; half-spaces as a large square |
//! | `shape_name`, `shape_type`, `shape_body`, `shape_world`, `shape_margin` | S | exact collision shapes |
//! | `shape_pose` | S, 7 | pose in the body frame |
//! | `shape_param` | S, 4 | sphere: radius; box: half extents; capsule, cylinder, cone: radius, half height; ellipsoid: semi-axes; heightfield: columns, rows, spacings |
//! | `shape_group`, `shape_mask`, `shape_filter` | S; S; N, 2 | group bits, bits met, pairs that never collide |
//! | `shape_sensor`, `shape_surface_velocity` | S; S, 3 | whether it touches nothing; velocity of its surface in the body frame \[m/s\] |
//! | `shape_vertex`, `shape_vertex_start` | N, 3; S + 1 | vertices of hulls, meshes and heightfields, and where those of each shape start |
//! | `shape_face`, `shape_face_start` | N; faces + 1 | vertex indices of all faces, and where each face starts |
//! | `shape_face_first` | S + 1 | where the faces of each shape start |

mod arrays;
mod columns;
mod elements;
mod geometry;
mod kind;
mod read;
mod stream;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};

use drystone::Recording;
use thiserror::Error;

use crate::atomic::{WriteError, atomic_write};
use crate::npz::{NpzError, read_npz};
pub use stream::RecordingStream;

/// Why a recording could not be read.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file could not be opened.
    #[error("cannot read recording `{}`: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The content is not a recording.
    #[error("`{}` is not a usable recording: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: NpzError,
    },
    /// Frames could not be kept.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes a recording as `.npz`.
pub fn write_recording(path: &Path, recording: &Recording) -> Result<(), WriteError> {
    atomic_write(path, |sink| write::write(recording, sink))
}

/// A recording as the bytes of a `.npz`.
pub fn recording_bytes(recording: &Recording) -> std::io::Result<Vec<u8>> {
    let mut sink = std::io::Cursor::new(Vec::new());
    write::write(recording, &mut sink)?;
    Ok(sink.into_inner())
}

/// Reads a recording written by [`write_recording`], or one with the same arrays made elsewhere.
pub fn read_recording(path: &Path) -> Result<Recording, RecordingError> {
    let bytes = std::fs::read(path).map_err(|source| RecordingError::Open { path: path.to_path_buf(), source })?;
    read_npz(&bytes)
        .and_then(read::from_arrays)
        .map_err(|source| RecordingError::Content { path: path.to_path_buf(), source })
}
