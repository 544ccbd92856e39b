//! Eight constraints at a time: straight loops over fixed-size arrays, which compilers turn into SIMD.

use super::Real;
use super::kernels::math::{Sym3, Vec3, Vec6};

/// Constraints side by side.
pub const LANES: usize = 8;
/// A number for each of them.
pub type Lanes = [Real; LANES];
/// A vector for each of them, by component.
pub type Lanes3 = [Lanes; 3];
/// A spatial vector or a symmetric matrix for each of them, by component.
pub type Lanes6 = [Lanes; 6];
/// Spatial vectors of all slots of a system, by component.
pub type Spatial = [Vec<Real>; 6];

/// Marks slots that do not follow each other.
const SCATTERED: u32 = u32::MAX;

/// The slots of one end of eight constraints.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    /// Slot of every lane.
    pub index: [u32; LANES],
    /// The first, if they follow each other as along a chain; that saves gathering them one by one.
    run: u32,
}

impl Slots {
    /// Slots of eight lanes.
    pub fn new(index: [u32; LANES]) -> Self {
        let consecutive = index.windows(2).all(|pair| pair[1] == pair[0] + 1);
        Self { index, run: if consecutive { index[0] } else { SCATTERED } }
    }

    /// What the slots hold.
    #[inline(always)]
    pub fn gather(&self, from: &Spatial, lanes: &mut Lanes6) {
        if self.run == SCATTERED {
            for (lanes, from) in lanes.iter_mut().zip(from) {
                for (lane, &index) in lanes.iter_mut().zip(&self.index) {
                    *lane = from[index as usize];
                }
            }
        } else {
            load_lanes(from, self.run as usize, lanes);
        }
    }

    /// Adds to what the slots hold, lane by lane in order.
    #[inline(always)]
    pub fn add(&self, to: &mut Spatial, lanes: &Lanes6) {
        if self.run == SCATTERED {
            for (lanes, to) in lanes.iter().zip(to) {
                for (lane, &index) in lanes.iter().zip(&self.index) {
                    to[index as usize] += lane;
                }
            }
        } else {
            let start = self.run as usize;
            for (lanes, to) in lanes.iter().zip(to) {
                if let Some(to) = to[start..].first_chunk_mut::<LANES>() {
                    *to = std::array::from_fn(|lane| to[lane] + lanes[lane]);
                }
            }
        }
    }
}

/// The vector of a lane.
#[inline(always)]
pub fn vec3(lanes: &Lanes3, lane: usize) -> Vec3 {
    Vec3 { x: lanes[0][lane], y: lanes[1][lane], z: lanes[2][lane] }
}

/// Sets the vector of a lane.
#[inline(always)]
pub fn set_vec3(lanes: &mut Lanes3, lane: usize, v: Vec3) {
    lanes[0][lane] = v.x;
    lanes[1][lane] = v.y;
    lanes[2][lane] = v.z;
}

/// The spatial vector of a lane.
#[inline(always)]
pub fn vec6(lanes: &Lanes6, lane: usize) -> Vec6 {
    Vec6 {
        l: Vec3 { x: lanes[0][lane], y: lanes[1][lane], z: lanes[2][lane] },
        a: Vec3 { x: lanes[3][lane], y: lanes[4][lane], z: lanes[5][lane] },
    }
}

/// Sets the spatial vector of a lane.
#[inline(always)]
pub fn set_vec6(lanes: &mut Lanes6, lane: usize, v: Vec6) {
    let values = [v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z];
    lanes.iter_mut().zip(values).for_each(|(lanes, value)| lanes[lane] = value);
}

/// The symmetric matrix of a lane.
#[inline(always)]
pub fn sym3(lanes: &Lanes6, lane: usize) -> Sym3 {
    let [xx, xy, xz, yy, yz, zz] = lanes;
    Sym3 { xx: xx[lane], xy: xy[lane], xz: xz[lane], yy: yy[lane], yz: yz[lane], zz: zz[lane] }
}

/// Sets the symmetric matrix of a lane.
#[inline(always)]
pub fn set_sym3(lanes: &mut Lanes6, lane: usize, m: Sym3) {
    let values = [m.xx, m.xy, m.xz, m.yy, m.yz, m.zz];
    lanes.iter_mut().zip(values).for_each(|(lanes, value)| lanes[lane] = value);
}

/// The spatial vector of a slot.
#[inline(always)]
pub fn at_slot(array: &Spatial, slot: usize) -> Vec6 {
    let [lx, ly, lz, ax, ay, az] = array;
    Vec6 { l: Vec3 { x: lx[slot], y: ly[slot], z: lz[slot] }, a: Vec3 { x: ax[slot], y: ay[slot], z: az[slot] } }
}

/// Sets the spatial vector of a slot.
#[inline(always)]
pub fn set_slot(array: &mut Spatial, slot: usize, v: Vec6) {
    let values = [v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z];
    array.iter_mut().zip(values).for_each(|(array, value)| array[slot] = value);
}

/// Eight slots from `start` on.
#[inline(always)]
pub fn load_lanes(array: &Spatial, start: usize, lanes: &mut Lanes6) {
    // Chunks of a length the compiler knows, each to its place: slices, and arrays returned, become calls of `memcpy`.
    for (lanes, array) in lanes.iter_mut().zip(array) {
        if let Some(chunk) = array[start..].first_chunk() {
            *lanes = *chunk;
        }
    }
}

/// Sets eight slots from `start` on.
#[inline(always)]
pub fn store_lanes(array: &mut Spatial, start: usize, lanes: &Lanes6) {
    for (array, lanes) in array.iter_mut().zip(lanes) {
        if let Some(chunk) = array[start..].first_chunk_mut() {
            *chunk = *lanes;
        }
    }
}
