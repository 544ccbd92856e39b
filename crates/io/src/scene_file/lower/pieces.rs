//! Cloth, soft bodies and ropes. Their particles follow those that the file lists one by one.

use drystone_geometry::{DVec3, FillError, Pose, TetMesh};
use drystone_model::{
    BendMaterial, BodyId, ClothGrid, ElementMaterial, ParticleId, RopeMaterial, SheetMaterial, SoftGrid,
};

use super::super::json5::Step;
use super::super::spec::{ClothSpec, HoldSpec, MeshSpec, PieceStart, RopeSpec, SheetSpec, SoftSpec};
use super::geometry::GeometryFault;
use super::origin::PieceOrigin;
use super::shapes::below;
use super::{Lowering, Path};

/// Poisson's ratio of sheets and of solids where the file has none.
const SHEET_POISSON: f64 = 0.3;
const SOLID_POISSON: f64 = 0.4;
/// How far outside of a box that holds particles one may be, as a share of its size: rounding.
const ROUNDING: f64 = 1e-9;

/// A piece that was added.
pub struct Piece {
    pub path: Path,
    pub particles: Vec<ParticleId>,
}

impl Lowering<'_> {
    pub fn add_pieces(&mut self) {
        let spec = self.spec;
        let listed = |list: &'static str, k: usize| vec![Step::Key(list), Step::Index(k)];
        for (k, cloth) in spec.cloth.iter().enumerate() {
            self.add_piece(listed("cloth", k), &cloth.start(), |all, path| all.cloth(cloth, path));
        }
        for (k, soft) in spec.soft.iter().enumerate() {
            self.add_piece(listed("soft", k), &soft.start(), |all, path| all.soft(soft, path));
        }
        for (k, rope) in spec.ropes.iter().enumerate() {
            self.add_piece(listed("ropes", k), &rope.start(), |all, _| all.rope(rope));
        }
    }

    /// Adds a piece and remembers where it came from.
    fn add_piece(&mut self, path: Path, start: &PieceStart, add: impl FnOnce(&mut Self, &Path) -> Vec<ParticleId>) {
        let before = self.builder.element_counts();
        let particles = add(self, &path);
        self.origins.piece.push(PieceOrigin { path: path.clone(), counts: [before, self.builder.element_counts()] });
        let world = self.world_at(start.world, &path);
        self.particle_world.extend(particles.iter().map(|_| world));
        self.set_surface(&particles, start.surface);
        if let Some(velocity) = start.velocity {
            self.builder.launch(&particles, DVec3::from_array(velocity));
        }
        self.pieces.push(Piece { path, particles });
    }

    fn cloth(&mut self, spec: &ClothSpec, path: &Path) -> Vec<ParticleId> {
        let place = spec.start().pose;
        let material = sheet_material(&spec.material);
        let ids = match (&spec.rectangle, &spec.mesh) {
            (Some(rectangle), None) => {
                let size = [0, 1].map(|axis| rectangle.size[axis] / rectangle.cells[axis] as f64);
                let corner = DVec3::new(-0.5 * rectangle.size[0], -0.5 * rectangle.size[1], 0.0);
                let pose = place * Pose::from_translation(corner);
                let (density, radius) = (material.area_density(), 0.5 * material.thickness);
                let membrane = material.membrane();
                let bend = BendMaterial::default();
                let grid = ClothGrid { pose, cells: rectangle.cells, size, density, radius, membrane, bend };
                self.builder.add_sheet_grid(&grid, &material)
            }
            (None, Some(mesh)) => match self.meshes.sheet(mesh) {
                Ok(sheet) => {
                    let points: Vec<DVec3> = sheet.vertices.iter().map(|&p| place.transform_point(p)).collect();
                    self.builder.add_sheet(&points, &sheet.triangles, &material)
                }
                Err(fault) => self.no_mesh(path, fault),
            },
            _ => self.not_one(path, "`rectangle` and `mesh`"),
        };
        let SheetSpec { drag, lift, .. } = spec.material;
        if drag.is_some() || lift.is_some() {
            self.builder.air(&ids, drag.unwrap_or(0.0), lift.unwrap_or(0.0));
        }
        ids
    }

    fn soft(&mut self, spec: &SoftSpec, path: &Path) -> Vec<ParticleId> {
        let place = spec.start().pose;
        let poisson = spec.material.poisson.unwrap_or(SOLID_POISSON);
        let material = ElementMaterial::solid(spec.material.young, poisson, spec.material.damping.unwrap_or(0.0));
        let (density, radius) = (spec.material.density, spec.radius.unwrap_or(0.0));
        match (&spec.block, &spec.mesh) {
            (Some(block), None) if spec.cell.is_none() => {
                let [size, cells] = [block.size, block.cells.map(|count| count as f64)].map(DVec3::from_array);
                let pose = place * Pose::from_translation(-0.5 * size);
                let grid = SoftGrid { pose, cells: block.cells, size: size / cells, density, radius, material };
                self.builder.add_soft_grid(&grid)
            }
            (None, Some(mesh)) => match self.filled(mesh, spec.cell, path) {
                Some(filled) => {
                    let points: Vec<DVec3> = filled.points.iter().map(|&p| place.transform_point(p)).collect();
                    self.builder.add_soft_mesh(&points, &filled.tetrahedra, density, radius, material)
                }
                None => Vec::new(),
            },
            (Some(_), None) => {
                self.fault(&below(path, Step::Key("cell")), "a block has `cells` of its own", "leave `cell` out");
                Vec::new()
            }
            _ => self.not_one(path, "`block` and `mesh`"),
        }
    }

    /// The inside of a mesh.
    fn filled(&mut self, mesh: &MeshSpec, cell: Option<f64>, path: &Path) -> Option<TetMesh> {
        let Some(cell) = cell else {
            let help = "add `cell`, the length of the edges of its tetrahedra in metres";
            self.fault(&below(path, Step::Key("mesh")), "a soft body of a mesh needs the size of its cells", help);
            return None;
        };
        let surface = match self.meshes.mesh(mesh) {
            Ok(surface) => surface,
            Err(fault) => {
                self.no_mesh(path, fault);
                return None;
            }
        };
        match TetMesh::fill(&surface, cell) {
            Ok(filled) => Some(filled),
            Err(error) => {
                let key = if matches!(error, FillError::Surface(_)) { "mesh" } else { "cell" };
                let text = error.to_string();
                let (problem, help) = text.rsplit_once("; ").unwrap_or((&text, "give a positive length in metres"));
                self.fault(&below(path, Step::Key(key)), problem.to_owned(), help.to_owned());
                None
            }
        }
    }

    fn rope(&mut self, spec: &RopeSpec) -> Vec<ParticleId> {
        let place = spec.start().pose;
        let points: Vec<DVec3> = spec.points.iter().map(|&p| place.transform_point(DVec3::from_array(p))).collect();
        let RopeSpec { young, density, radius, .. } = *spec;
        let material = RopeMaterial { young, density, radius, damping: spec.damping.unwrap_or(0.0) };
        self.builder.add_rope(&points, spec.segments, &material)
    }

    /// What holds the pieces, once bodies and particles are there.
    pub fn add_holds(&mut self) {
        for piece in std::mem::take(&mut self.pieces) {
            let spec = self.spec;
            let start = match piece.path[..] {
                [Step::Key("cloth"), Step::Index(k)] => spec.cloth[k].start(),
                [Step::Key("soft"), Step::Index(k)] => spec.soft[k].start(),
                [_, Step::Index(k)] => spec.ropes[k].start(),
                _ => continue,
            };
            for (k, hold) in start.hold.iter().enumerate() {
                let path = below(&below(&piece.path, Step::Key("hold")), Step::Index(k));
                self.add_hold(hold, &piece.particles, &path);
            }
        }
    }

    fn add_hold(&mut self, hold: &HoldSpec, particles: &[ParticleId], path: &Path) {
        let body = match &hold.body {
            None => Some(BodyId::WORLD),
            Some(name) => self.body_at(name, &below(path, Step::Key("body"))),
        };
        let Some(body) = body else { return };
        let [from, to] = [hold.from, hold.to].map(DVec3::from_array);
        let spare = DVec3::splat(ROUNDING * (to - from).length());
        let inside = |at: DVec3| at.cmpge(from - spare).all() && at.cmple(to + spare).all();
        let held: Vec<(ParticleId, DVec3)> = particles
            .iter()
            .filter_map(|&particle| Some((particle, self.builder.particle_position(particle)?)))
            .filter(|&(_, at)| inside(at))
            .collect();
        if held.is_empty() && !particles.is_empty() {
            let help = "give the corners of a box around what is to be held, the lowest first, in the world frame";
            self.fault(path, "no particle of the piece starts in this box", help);
        }
        for (particle, at) in held {
            let local = self.body_pose.get(body.built_index()).map_or(at, |pose| pose.inverse_transform_point(at));
            match hold.stiffness {
                None => self.builder.attach(particle, body),
                Some(stiffness) => self.builder.attach_at(particle, body, local, stiffness),
            }
        }
    }

    fn no_mesh(&mut self, path: &Path, (keys, message, help): GeometryFault) -> Vec<ParticleId> {
        let mut at = path.clone();
        at.extend(keys.into_iter().map(Step::Key));
        self.fault(&at, message, help);
        Vec::new()
    }

    fn not_one(&mut self, path: &Path, choices: &str) -> Vec<ParticleId> {
        self.fault(path, format!("it needs one of {choices}"), "give one and leave the other out");
        Vec::new()
    }
}

fn sheet_material(spec: &SheetSpec) -> SheetMaterial {
    SheetMaterial {
        young: spec.young,
        poisson: spec.poisson.unwrap_or(SHEET_POISSON),
        thickness: spec.thickness,
        density: spec.density,
        damping: spec.damping.unwrap_or(0.0),
        bending: spec.bending.unwrap_or(1.0),
    }
}
