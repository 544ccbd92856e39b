//! What the device knows about every shape once and for all.

use drystone_device::{Buffer, Gpu, Runtime};
use drystone_geometry::{DQuat, DVec3, Pose, Shape};
use drystone_model::{BodyKind, Model, WORLD};

/// Words of a shape in [`ShapeTables::info`]: slot of its body, kind, group, mask, flags, material, world.
pub const INFO_WORDS: u32 = 8;
/// Numbers of a shape in [`ShapeTables::size`]: place from the centre of mass of its body (3) and turn (4), three sizes, arm, skin,
/// thickness, weight of a kilogram.
pub const SIZE_WORDS: u32 = 16;
/// Numbers of a placement: offset in its cell (3), one unused, orientation (4).
pub const PLACE_WORDS: u32 = 8;
/// Numbers of a cell: three and one unused.
pub const CELL_WORDS: u32 = 4;

/// A half-space z ≤ 0.
pub const HALF_SPACE: u32 = 0;
/// A ball: radius.
pub const SPHERE: u32 = 1;
/// A box: half its sides.
pub const BOX: u32 = 2;
/// A capsule along z: radius and half its segment.
pub const CAPSULE: u32 = 3;

/// Flag of shapes whose body moves by forces.
pub const DYNAMIC: u32 = 1;
/// Flag of shapes that touch nothing.
pub const ABSENT: u32 = 2;
/// Flag of shapes whose body is led.
pub const LED: u32 = 4;

/// Why a model cannot be taken to the device: what it has, and what would work.
pub type Refused = (String, String);

/// Facts about the shapes of a model, on the device.
#[derive(Debug)]
pub struct ShapeTables {
    /// Number of shapes.
    pub count: usize,
    /// Whole numbers of every shape.
    pub info: Buffer<u32>,
    /// Other numbers of every shape.
    pub size: Buffer<f32>,
    /// Shapes with a box around them.
    pub bounded: Vec<u32>,
    /// Half-spaces.
    pub planes: Buffer<u32>,
    /// How many of them there are.
    pub plane_count: usize,
}

/// What a shape is on the device: its kind and up to three sizes.
fn kind(shape: &Shape) -> Option<(u32, [f64; 3])> {
    match shape {
        Shape::HalfSpace => Some((HALF_SPACE, [0.0; 3])),
        Shape::Sphere { radius } => Some((SPHERE, [*radius, 0.0, 0.0])),
        Shape::Box { half } => Some((BOX, half.to_array())),
        Shape::Capsule { radius, half_height } => Some((CAPSULE, [*radius, *half_height, 0.0])),
        _ => None,
    }
}

/// A shape that the kernels do not know, in words.
fn unknown(shape: &Shape) -> &'static str {
    match shape {
        Shape::Hull(_) => "convex hull",
        Shape::Cylinder { .. } => "cylinder",
        Shape::Cone { .. } => "cone",
        Shape::Ellipsoid { .. } => "ellipsoid",
        Shape::Heightfield(_) => "heightfield",
        Shape::Mesh(_) => "mesh",
        Shape::HalfSpace | Shape::Sphere { .. } | Shape::Box { .. } | Shape::Capsule { .. } => "known shape",
    }
}

/// Refuses shapes that the kernels do not know.
pub fn check(model: &Model) -> Result<(), Refused> {
    let place = |shape: usize| format!("shape `{}`", model.shape_name[shape]);
    for shape in (0..model.shape_count()).filter(|&shape| model.is_solid(shape)) {
        if kind(&model.shape_geometry[shape]).is_none() {
            let is = unknown(&model.shape_geometry[shape]);
            let remedy = "spheres, boxes, capsules and half-spaces run there; use the CPU for the others";
            return Err((format!("{} ({is}) has no contacts on the GPU yet", place(shape)), remedy.into()));
        }
        let moves = |body: u32| body != WORLD && model.body_kind[body as usize] != BodyKind::Static;
        if matches!(model.shape_geometry[shape], Shape::HalfSpace) && moves(model.shape_body[shape]) {
            return Err((
                format!("{} is a half-space that moves", place(shape)),
                "make it static, or use the CPU".into(),
            ));
        }
        if model.shape_surface_velocity[shape] != DVec3::ZERO {
            return Err((format!("{} is a conveyor belt", place(shape)), "use the CPU".into()));
        }
    }
    if model.shape_sensor.contains(&true) {
        return Err(("it has sensors, which tell nothing on the GPU".into(), "take them out, or use the CPU".into()));
    }
    if !model.shape_filter.is_empty() {
        return Err((
            "it has pairs of shapes that are filtered out one by one".into(),
            "use groups and masks, or the CPU".into(),
        ));
    }
    Ok(())
}

/// Splits a coordinate into a whole number of metres and the rest, at most half a metre.
pub fn split(at: DVec3) -> ([i32; 3], [f32; 3]) {
    let cell = at.round();
    (cell.to_array().map(|x| x as i32), (at - cell).to_array().map(|x| x as f32))
}

impl ShapeTables {
    /// Takes the shapes of a model that [`check`] let pass to a device; `material` numbers the materials of the shapes.
    pub fn new<R: Runtime>(gpu: &Gpu<R>, model: &Model, material: &[u32]) -> Self {
        let count = model.shape_count();
        let (mut info, mut size) = (Vec::new(), Vec::new());
        let (mut bounded, mut planes) = (Vec::new(), Vec::new());
        for shape in 0..count {
            let (kind, sizes) = kind(&model.shape_geometry[shape]).unwrap_or((SPHERE, [0.0; 3]));
            let solid = model.is_solid(shape);
            let (slot, motion, com, weight) = owner(model, shape);
            let flags = motion | if solid { 0 } else { ABSENT };
            let (group, mask) = (model.shape_group[shape], model.shape_mask[shape]);
            info.extend([slot, kind, group, mask, flags, material[shape], model.shape_world[shape], 0]);
            let Pose { translation, rotation } = model.shape_pose[shape];
            let local = translation - com;
            let radius = if kind == HALF_SPACE { 0.0 } else { model.shape_geometry[shape].bounding_radius() };
            let thickness = model.shape_geometry[shape].thickness().min(1.0e30);
            let place = [local.x, local.y, local.z, rotation.x, rotation.y, rotation.z, rotation.w];
            size.extend(place.into_iter().chain(sizes).map(|x| x as f32));
            size.extend([local.length() + radius, model.shape_margin[shape], thickness, weight].map(|x| x as f32));
            size.resize((shape + 1) * SIZE_WORDS as usize, 0.0);
            match (solid, kind) {
                (false, _) => {}
                (true, HALF_SPACE) => planes.push(shape as u32),
                (true, _) => bounded.push(shape as u32),
            }
        }
        let plane_count = planes.len();
        Self {
            count,
            info: Buffer::from_slice(gpu, &info),
            size: Buffer::from_slice(gpu, &size),
            bounded,
            planes: Buffer::from_slice(gpu, if planes.is_empty() { &[0] } else { &planes }),
            plane_count,
        }
    }

    /// Cells and placements of all shapes at the initial poses of a model, for those that never move; the others are placed by a kernel.
    pub fn places(model: &Model) -> (Vec<i32>, Vec<f32>) {
        let (mut cells, mut places) = (Vec::new(), Vec::new());
        for shape in 0..model.shape_count() {
            let body = model.shape_body[shape];
            let frame = if body == WORLD { Pose::identity() } else { model.body_q[body as usize] };
            let at = frame * model.shape_pose[shape];
            let (cell, [x, y, z]) = split(at.translation);
            let turn: DQuat = at.rotation;
            cells.extend([cell[0], cell[1], cell[2], 0]);
            places.extend([x, y, z, 0.0, turn.x as f32, turn.y as f32, turn.z as f32, turn.w as f32]);
        }
        (cells, places)
    }
}

/// Slot of the body of a shape, the flag of how it moves, its centre of mass, and the gravity that it falls by \[m/s²\].
fn owner(model: &Model, shape: usize) -> (u32, u32, DVec3, f64) {
    let body = model.shape_body[shape] as usize;
    match model.shape_body[shape] {
        WORLD => (model.body_count() as u32, 0, DVec3::ZERO, 0.0),
        slot => match model.body_kind[body] {
            BodyKind::Dynamic => (slot, DYNAMIC, model.body_com[body], model.body_gravity(body).length()),
            BodyKind::Kinematic => (slot, LED, model.body_com[body], 0.0),
            BodyKind::Static => (slot, 0, model.body_com[body], 0.0),
        },
    }
}
