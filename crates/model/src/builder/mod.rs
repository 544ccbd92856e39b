//! From definitions to a checked, immutable [`Model`].

mod attachments;
mod attributes;
mod bodies;
mod fabric;
mod frames;
mod grids;
mod joint_options;
mod joints;
mod locks;
mod lower;
mod mass;
mod meeting;
mod particles;
mod place;
mod placement;
mod reopen;
mod retain;
mod retain_particles;
mod rods;
mod segments;
mod shapes;
mod worlds;

pub use attributes::AttributeTarget;
pub use bodies::{BodyDef, MassSource};
pub use fabric::{RopeMaterial, SheetMaterial};
pub use grids::{ClothGrid, SoftGrid};
pub use joints::{JointDef, JointFrames};
pub use meeting::Meeting;
pub use particles::{BendMaterial, ElementCounts, ElementMaterial, ParticleDef};
pub use rods::{Rod, RodDef, RodMaterial, RodRest};
pub use shapes::ShapeDef;

use drystone_geometry::DVec3;

use crate::error::{Entity, Fault, Faults, ModelError};
use crate::model::Model;

/// Standard gravity downwards, Z up \[m/s²\].
pub const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// Collects bodies, shapes, joints and particles, then checks them all at once.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, ModelBuilder};
/// let mut scene = ModelBuilder::new();
/// scene.ground();
/// for level in 0..10 {
///     let height = 0.5 + level as f64;
///     scene.add_body(BodyDef::dynamic(format!("box {level}")).at(DVec3::Z * height).cuboid(DVec3::splat(0.5)));
/// }
/// let model = scene.finalize()?;
/// let state = model.state();
/// assert_eq!(state.body_q.len(), 10);
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    world_gravity: Vec<DVec3>,
    world_wind: Vec<DVec3>,
    world: u32,
    world_begun: bool,
    bodies: Vec<bodies::BodyRecord>,
    shapes: Vec<shapes::ShapeRecord>,
    filters: Vec<(u32, u32)>,
    joints: Vec<joints::JointRecord>,
    rod_count: usize,
    /// Particles and elements, in their final form already.
    deformable: Model,
    attributes: attributes::AttributeTable,
    /// What could not be added, and why.
    faults: Vec<Fault>,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// An empty scene with one world under [`GRAVITY`].
    pub fn new() -> Self {
        Self {
            world_gravity: vec![GRAVITY],
            world_wind: vec![DVec3::ZERO],
            world: 0,
            world_begun: false,
            bodies: Vec::new(),
            shapes: Vec::new(),
            filters: Vec::new(),
            joints: Vec::new(),
            rod_count: 0,
            deformable: Model::default(),
            attributes: attributes::AttributeTable::default(),
            faults: Vec::new(),
        }
    }

    /// Sets the gravity of the current world \[m/s²\].
    pub fn gravity(&mut self, gravity: DVec3) -> &mut Self {
        self.world_gravity[self.world as usize] = gravity;
        self
    }

    /// Sets the velocity of the air in the current world \[m/s\]. Triangles with a drag or a lift feel it, see [`ModelBuilder::air`].
    pub fn wind(&mut self, wind: DVec3) -> &mut Self {
        self.world_wind[self.world as usize] = wind;
        self
    }

    /// Notes a fault for `finalize` to report with all others.
    fn fault(
        &mut self,
        entity: Entity,
        index: usize,
        name: &str,
        field: &'static str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let (name, problem, remedy) = (name.to_owned(), problem.into(), remedy.into());
        self.faults.push(Fault { entity, index, name, field, problem, remedy });
    }

    /// Checks everything and makes the model, or lists every fault found.
    pub fn finalize(&self) -> Result<Model, ModelError> {
        let mut faults = Faults::from_list(self.faults.clone());
        let mut model = self.lower(&mut faults);
        crate::validate::check(&model, &mut faults);
        // Kinematics follow indices without asking: only a sound model gets that far.
        if faults.is_empty() {
            self.place_by_joints(&mut model, &mut faults);
        }
        faults.into_result()?;
        Ok(model)
    }
}
