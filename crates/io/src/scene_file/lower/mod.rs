//! From what a file says to a model. Keeps, for every entity of the model, the path in the file it came
//! from, so that whatever is found wrong later can be shown where it was written.

mod attributes;
mod bodies;
mod geometry;
mod includes;
mod joints;
mod locks;
mod motions;
mod origin;
mod particles;
mod pieces;
mod rods;
mod settings;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use drystone_geometry::{DVec3, Pose};
use drystone_model::builder::GRAVITY;
use drystone_model::{BodyId, Drive, Entity, Fault, Model, ModelBuilder, nearest};

use super::MeshSource;
use super::error::SceneFault;
use super::json5::{Lost, Node, Step};
use super::keys::KeyFrames;
use super::spec::SceneSpec;

use geometry::MeshCache;
use origin::Origins;
use pieces::Piece;

/// Where something stands in the file.
pub(super) type Path = Vec<Step<'static>>;

/// Builds the model, or lists everything that is wrong.
pub(super) fn lower(
    spec: &SceneSpec,
    tree: &Node,
    lost: &Lost,
    meshes: MeshSource<'_>,
    folder: Option<&std::path::Path>,
) -> Result<(Model, KeyFrames, Vec<String>), Vec<SceneFault>> {
    let mut lowering = Lowering {
        spec,
        tree,
        lost,
        builder: drystone::new_model(),
        faults: Vec::new(),
        origins: Origins::default(),
        body_named: BTreeMap::new(),
        shape_named: BTreeMap::new(),
        meshes: MeshCache::new(meshes),
        body_world: Vec::new(),
        shape_world: Vec::new(),
        particle_world: Vec::new(),
        pieces: Vec::new(),
        shapeless: BTreeSet::new(),
        body_pose: Vec::new(),
        joint_drives: BTreeMap::new(),
        joint_included: Vec::new(),
        folder,
        notes: Vec::new(),
    };
    lowering.set_worlds();
    lowering.check_settings();
    lowering.add_includes();
    lowering.add_bodies();
    lowering.add_shapes();
    lowering.add_rods();
    lowering.add_filters();
    lowering.add_joints();
    lowering.add_locks();
    lowering.add_particles();
    lowering.add_pieces();
    lowering.add_attachments();
    lowering.add_holds();
    lowering.add_attributes();
    let motions = lowering.key_frames();
    let notes = std::mem::take(&mut lowering.notes);
    Ok((lowering.finish()?, motions, notes))
}

struct Lowering<'a> {
    spec: &'a SceneSpec,
    tree: &'a Node,
    /// What could not be read; nothing is said about what merely follows from that.
    lost: &'a Lost,
    builder: ModelBuilder,
    faults: Vec<SceneFault>,
    origins: Origins,
    body_named: BTreeMap<String, u32>,
    shape_named: BTreeMap<String, u32>,
    meshes: MeshCache<'a>,
    body_world: Vec<u32>,
    shape_world: Vec<u32>,
    particle_world: Vec<u32>,
    /// Cloth, soft bodies and ropes, until they are held.
    pieces: Vec<Piece>,
    /// Bodies with a shape that could not be made.
    shapeless: BTreeSet<usize>,
    /// Where every body starts.
    body_pose: Vec<Pose>,
    /// Drives of the joints of the file, by joint.
    joint_drives: BTreeMap<usize, [Drive; 6]>,
    /// Joints of included robots, by name.
    joint_included: Vec<(usize, String)>,
    /// Where included files are, if files may be read.
    folder: Option<&'a std::path::Path>,
    /// What included files say and the model does not.
    notes: Vec<String>,
}

impl Lowering<'_> {
    /// Notes a fault at a path, unless what stands there lost something: then it is not known to be wrong.
    fn fault(&mut self, path: &[Step<'static>], message: impl Into<String>, help: impl Into<String>) {
        let node = self.tree.nearest(path);
        if !self.lost.touched(node) {
            self.faults.push(SceneFault::new(message, help).at(node.span));
        }
    }

    fn set_worlds(&mut self) {
        // The builder checks the gravity of its one world; other worlds are put in and checked at the end.
        if let (Some(gravity), true) = (self.spec.gravity, self.spec.worlds.is_empty()) {
            self.builder.gravity(DVec3::from_array(gravity));
        }
        if self.spec.gravity.is_some() && !self.spec.worlds.is_empty() {
            let help = "give every entry of `worlds` its own `gravity`";
            self.fault(&[Step::Key("gravity")], "`gravity` and `worlds` are both given", help);
        }
    }

    /// The world of an entity, 0 if not given; notes a fault if the scene has no such world.
    fn world_at(&mut self, world: Option<u32>, path: &Path) -> u32 {
        let count = self.spec.worlds.len().max(1);
        let world = world.unwrap_or(0);
        if world as usize >= count {
            let help = format!("worlds are counted from 0 and there are {count}; add entries to `worlds`");
            self.fault(&shapes::below(path, Step::Key("world")), format!("there is no world {world}"), help);
            return 0;
        }
        world
    }

    /// The body of a name; `None`, with a fault, if there is none.
    fn body_at(&mut self, name: &str, path: &[Step<'static>]) -> Option<BodyId> {
        if let Some(&index) = self.body_named.get(name) {
            return Some(BodyId(index));
        }
        if self.lost.names(name) {
            return None;
        }
        let help = match nearest(name, self.body_named.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name one of `bodies`; leave it out for the world".to_owned(),
        };
        self.fault(path, format!("there is no body `{name}`"), help);
        None
    }

    fn finish(mut self) -> Result<Model, Vec<SceneFault>> {
        let checked = self.builder.finalize().and_then(|mut model| {
            self.patch(&mut model);
            model.validate().map(|()| model)
        });
        match checked {
            Ok(model) if self.faults.is_empty() => return Ok(model),
            Ok(_) => {}
            Err(error) => self.take_faults(error),
        }
        Err(self.faults)
    }

    /// Puts in what a file may state and a builder derives.
    fn patch(&self, model: &mut Model) {
        let gravity = |given: Option<[f64; 3]>| given.map_or(GRAVITY, DVec3::from_array);
        model.world_gravity = match self.spec.worlds.as_slice() {
            [] => vec![gravity(self.spec.gravity)],
            worlds => worlds.iter().map(|world| gravity(world.gravity)).collect(),
        };
        let wind = |given: Option<[f64; 3]>| DVec3::from_array(given.unwrap_or_default());
        model.world_wind = match self.spec.worlds.as_slice() {
            [] => vec![wind(self.spec.wind)],
            worlds => worlds.iter().map(|world| wind(world.wind)).collect(),
        };
        model.body_world.clone_from(&self.body_world);
        model.shape_world.clone_from(&self.shape_world);
        model.particle_world.clone_from(&self.particle_world);
        self.patch_joint_angles(model);
        self.patch_elements(model);
    }

    fn take_faults(&mut self, error: drystone_model::ModelError) {
        let own = error.faults.iter().filter(|fault| !self.follows(fault));
        let placed: Vec<SceneFault> = own.map(|fault| self.origins.place(self.tree, fault)).collect();
        self.faults.extend(placed);
    }

    /// Whether a fault of the model only follows from one already told: a body whose shape could not be made has no
    /// mass for that reason alone, and what lost a part is not known to be wrong as a whole.
    fn follows(&self, fault: &Fault) -> bool {
        let mass_of_body = fault.entity == Entity::Body && fault.field == "mass";
        let entity = self.origins.entity_node(self.tree, fault);
        (mass_of_body && self.shapeless.contains(&fault.index))
            || (self.lost.touched(entity) && (mass_of_body || self.origins.is_whole(self.tree, fault)))
    }
}
