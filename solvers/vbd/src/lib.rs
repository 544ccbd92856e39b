//! `vbd`: augmented block descent. One body (six unknowns) at a time, coloured Gauss–Seidel, hard
//! contacts and joints by an augmented Lagrangian. Equations: `docs/vbd-theory.md`; options: `docs/vbd.md`.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod account;
mod anchors;
mod bodies;
mod conservation;
mod contact_block;
mod contact_cache;
mod contact_law;
mod control;
mod convergence;
mod depenetration;
mod device;
mod displacements;
mod dual;
mod edit;
mod effective_mass;
mod end_motion;
mod energy;
mod finish;
#[cfg(any(feature = "cuda", feature = "vulkan"))]
mod gpu;
mod graph;
mod guess;
mod handover;
mod impact;
mod initial_loads;
mod island_scales;
mod islands;
mod joint;
mod method;
mod momentum;
mod options;
mod particles;
mod point_rows;
mod predict;
mod primal;
mod quiet;
mod readout;
mod report;
mod resident;
mod rolling_friction;
mod row_builder;
mod rows;
mod second_order;
mod simd;
mod sleep;
mod snapshot;
mod startup;
mod step;
mod strike;
mod substeps;
mod sweep;
mod team;
mod together;
mod turning;
mod warm_start;

use std::any::Any;

use drystone_collide::Collide;
use drystone_kernels::double::math::Vec6;
use drystone_model::{BodyId, Contacts, Control, DVec3, Model, ModelMap, State};

pub use joint::{JointMode, JointModeError, JointSlot, NoSuchJoint};
pub use options::{AvbdOptions, Integrator, Method, VbdOptions};
pub use particles::{ParticleMethod, ParticleOptions};
pub use readout::ContactReading;

use account::Account;
use bodies::Bodies;
use contact_cache::CachedPoint;
use convergence::Convergence;
use device::OnDevice;
use displacements::Displacements;
use drystone_solve::balance::Balanced;
use drystone_solve::convert;
use drystone_solve::forces::{ContactForce, ForceLedger, JointForce, JointLoads, ParticlePush, Push, Untold};
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::graph::coloring::Coloring;
use drystone_solve::report::Report;
use drystone_solve::solver::{
    Refusal, SideBySide, SnapshotError, Solver, StepError, Unsupported, from_bytes, to_bytes,
};
use drystone_solve::two_step::StepBefore;
use drystone_solve::whole::Whole;
use energy::Energies;
use impact::Impacts;
use island_scales::IslandScales;
use islands::Islands;
use joint::{JointIslands, Joints, Ramp, Swept};
use method::MethodConstants;
use particles::Particles;
use quiet::Quiet;
use rows::{Manifold, Rows};
use sleep::Sleep;
use snapshot::Snapshot;
use startup::Startup;
use substeps::Substeps;
use team::Team;

/// Bodies and contact points of a step without particles that one thread takes sooner than many. On sixteen cores a call of the
/// others takes some microseconds, and a step makes some thirty.
const FEW: usize = 3000;

/// How many contact points a joint counts for.
const POINTS_OF_JOINT: usize = 4;

/// The augmented block descent solver.
#[derive(Debug)]
pub struct Vbd {
    options: VbdOptions,
    method: MethodConstants,
    /// Cloth, soft bodies and strings.
    particles: Option<Particles>,
    bodies: Bodies,
    rows: Rows,
    /// Multipliers and penalties of the contact points of the step before.
    contact_cache: Vec<CachedPoint>,
    /// The same of the step at hand.
    next_contact_cache: Vec<CachedPoint>,
    /// Contacts of every body.
    adjacency: Adjacency,
    coloring: Coloring,
    joints: Joints,
    joint_islands: JointIslands,
    /// Joints that are solved body by body, in the published methods.
    swept: Swept,
    /// How the stiffness of those begins and grows.
    ramp: Option<Ramp>,
    /// Whether a body is swept: it moves and is no part of a joint island.
    sweeps: Vec<bool>,
    /// Pairs of bodies that must not have the same colour.
    edges: Vec<[u32; 2]>,
    /// Those of the substep before, and which bodies moved in it.
    edges_before: Vec<[u32; 2]>,
    moved_before: Vec<bool>,
    /// Displacements while bodies are swept.
    displacements: Displacements,
    /// Threads that sweep together.
    team: Team,
    /// Bodies with an overlap to be taken back.
    pushed: Vec<bool>,
    impacts: Impacts,
    islands: Islands,
    sleep: Sleep,
    quiet: Quiet,
    convergence: Convergence,
    island_scales: IslandScales,
    /// Islands as rigid bodies, by leader.
    wholes: Vec<Whole>,
    /// Islands at the end of the step, by leader.
    ends: Vec<conservation::End>,
    /// Joints that projection did not close.
    unconverged: Vec<u32>,
    energies: Energies,
    /// The step before of every body, for the two-step rule; none where it would mislead.
    before: Vec<Option<StepBefore>>,
    /// Whether velocities jumped in it.
    jumped: Vec<bool>,
    /// Bodies whose islands take a first-order step.
    rough: Vec<u32>,
    /// Torsional and rolling friction of every manifold \[N·m\].
    torques: Vec<[f64; 3]>,
    substeps: Substeps,
    /// Which worlds are past their first step.
    started: Vec<bool>,
    startup: Startup,
    /// Whether joints began or ceased to act since the joint islands were found.
    joints_changed: bool,
    /// Joints that broke in this step.
    broken: Vec<u32>,
    /// Impulses of contacts and joints over the step, for the user.
    ledger: ForceLedger,
    /// The step, if it was taken in one, whose contact forces are told once somebody asks \[s\].
    told_later: Option<f64>,
    /// Impulse of every manifold that pushed \[N·s\].
    pushed_by: Vec<Option<DVec3>>,
    loads: JointLoads,
    /// Motion of the step, for these to explain it.
    account: Account,
    /// The scene on a GPU, if it is there.
    device: Option<OnDevice>,
}

impl Vbd {
    /// A solver for a model.
    pub fn new(model: &Model, options: VbdOptions) -> Result<Self, Refusal> {
        options.check()?;
        let device = OnDevice::open(model, &options)?;
        let particles = Particles::new(model, &options)?;
        let mut bodies = Bodies::default();
        bodies.resize(model);
        let ramp = Ramp::of(options.method, &options.avbd);
        if ramp.is_some() {
            Unsupported::robot_joints("vbd", model).map_err(|refused| Unsupported {
                remedy: "leave its option `method` at `load_scaled`, or let the joint move by itself".into(),
                ..refused
            })?;
        }
        Ok(Self {
            method: MethodConstants::new(&options),
            options,
            particles,
            bodies,
            rows: Rows::default(),
            contact_cache: Vec::new(),
            next_contact_cache: Vec::new(),
            adjacency: Adjacency::default(),
            coloring: Coloring::default(),
            joints: Joints::new(model, model.body_count(), ramp.is_some()),
            joint_islands: JointIslands::default(),
            swept: Swept::default(),
            ramp,
            sweeps: Vec::new(),
            edges: Vec::new(),
            edges_before: Vec::new(),
            moved_before: Vec::new(),
            displacements: Displacements::default(),
            team: Team::default(),
            pushed: Vec::new(),
            impacts: Impacts::default(),
            islands: Islands::default(),
            sleep: Sleep::new(model),
            quiet: Quiet::default(),
            convergence: Convergence::default(),
            island_scales: IslandScales::default(),
            wholes: Vec::new(),
            ends: Vec::new(),
            unconverged: Vec::new(),
            energies: Energies::default(),
            before: vec![None; model.body_count()],
            jumped: vec![false; model.body_count()],
            rough: Vec::new(),
            torques: Vec::new(),
            substeps: Substeps::new(model),
            started: vec![false; model.world_count()],
            startup: Startup::default(),
            joints_changed: true,
            broken: Vec::new(),
            ledger: ForceLedger::default(),
            told_later: None,
            pushed_by: Vec::new(),
            loads: JointLoads::default(),
            account: Account::default(),
            device,
        })
    }
}

impl Solver for Vbd {
    fn name(&self) -> &'static str {
        "vbd"
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError> {
        if self.device.is_some() {
            return self.device_step(model, state, control, collide, dt, 1);
        }
        self.host_step(model, state, control, collide, dt)
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }

    fn side_by_side(&self) -> Option<SideBySide> {
        Some(together::step)
    }

    fn honours_hooks(&self) -> bool {
        self.device.is_none()
    }

    fn take_pushes(&mut self, contacts: &Contacts, out: &mut Vec<Push>) -> bool {
        if let Some(h) = self.told_later {
            self.pushes(contacts, h, out);
        }
        self.told_later.is_some()
    }

    fn read_contacts(&self, contacts: &Contacts, out: &mut Vec<ContactForce>) {
        match self.told_later {
            Some(h) => self.forces_at_hand(contacts, h, out),
            None => out.clear(),
        }
    }

    fn take_contacts(&mut self, out: &mut Vec<ContactForce>) -> Result<(), Untold> {
        self.book_device()?;
        self.ledger.take_contacts(out);
        Ok(())
    }

    fn read_joints(&self, model: &Model, _state: &State, out: &mut Vec<JointForce>) -> Result<(), Untold> {
        self.ledger.read_joints(model.joint_count(), out);
        Ok(())
    }

    fn read_particle_pushes(&self, model: &Model, out: &mut Vec<ParticlePush>) -> Result<(), Untold> {
        match &self.particles {
            Some(particles) => particles.read_pushes(model.body_count(), out),
            None => {
                out.clear();
                out.resize(model.body_count(), ParticlePush::default());
            }
        }
        Ok(())
    }

    fn balanced(&self, model: &Model, contacts: &[ContactForce], index: &dyn Fn(BodyId) -> u32) -> Option<Balanced> {
        self.settled(model, contacts, index)
    }

    fn snapshot(&self) -> Vec<u8> {
        if let Some(device) = &self.device {
            return device.snapshot(to_bytes(&Snapshot::of(self)));
        }
        to_bytes(&Snapshot::of(self))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.quiet.disturb();
        if let Some(device) = &mut self.device {
            let host = device.restore(bytes)?;
            return from_bytes::<Snapshot>(&host)?.put_back(self);
        }
        from_bytes::<Snapshot>(bytes)?.put_back(self)
    }

    fn edited(&self, model: &Model, map: &ModelMap) -> Result<Box<dyn Solver>, Refusal> {
        device::unedited(self.device.is_some())?;
        Ok(Box::new(self.carried_over(model, map)?))
    }

    fn body_colors(&self) -> Option<&[u32]> {
        Some(self.coloring.colors()).filter(|colors| self.device.is_none() && !colors.is_empty())
    }

    fn shares_work(&self, model: &Model, contact_points: usize) -> bool {
        let work = model.body_count() + contact_points + POINTS_OF_JOINT * model.joint_count();
        self.device.is_some() || model.particle_count() > 0 || work > FEW
    }

    fn device_name(&self) -> Option<String> {
        self.device.as_ref().map(OnDevice::name)
    }

    fn is_asleep(&self, body: usize) -> bool {
        self.sleep.asleep(body)
    }

    fn wake(&mut self, body: usize) {
        self.sleep.forget(body);
    }

    fn put_to_sleep(
        &mut self,
        model: &Model,
        state: &mut State,
        contacts: &Contacts,
        body: usize,
    ) -> Result<(), Unsupported> {
        if !self.options.sleeping {
            return Err(Unsupported {
                solver: "vbd",
                reason: "it leaves no bodies out of the work while its option `sleeping` is off".into(),
                remedy: "set `sleeping` to true".into(),
            });
        }
        self.quiet.disturb();
        self.lay_down(model, state, contacts, body);
        Ok(())
    }

    fn reset_world(&mut self, model: &Model, world: u32) {
        self.quiet.disturb();
        if let Some(device) = &mut self.device {
            device.leave();
        }
        for body in (0..model.body_count()).filter(|&body| model.body_world[body] == world) {
            self.bodies.last_acceleration[body] = Vec6::default();
            self.bodies.left_velocity[body] = Vec6::default();
            self.before[body] = None;
            self.sleep.forget(body);
        }
        for (manifold, start) in self.rows.manifolds.iter().zip(point_starts(&self.rows.manifolds)) {
            let slots = manifold.body.map(|slot| slot as usize);
            if slots.iter().any(|&slot| model.body_world.get(slot) == Some(&world)) {
                self.contact_cache[start..start + manifold.count as usize].fill(CachedPoint::default());
            }
        }
        self.joints.forget(|body| model.body_world.get(body) == Some(&world));
        self.joint_islands.forget(|body| model.body_world.get(body) == Some(&world));
        if let Some(particles) = &mut self.particles {
            particles.reset_world(model, world);
        }
        if let Some(started) = self.started.get_mut(world as usize) {
            *started = false;
        }
    }
}

/// Index of the first point of every manifold in the order of the contacts.
fn point_starts(manifolds: &[Manifold]) -> impl Iterator<Item = usize> + '_ {
    manifolds.iter().scan(0, |next, manifold| {
        let start = *next;
        *next += manifold.count as usize;
        Some(start)
    })
}
