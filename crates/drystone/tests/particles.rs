//! Particles in a scene that is edited while it runs: `vbd` and `abd` take them, the other solvers of the library refuse them by name.

use drystone::collide::Collide;
use drystone::model::{Control, ElementMaterial, ParticleDef};
use drystone::prelude::*;
use drystone::solve::{
    ContactForce, ForceLedger, JointForce, Refusal, Report, SnapshotError, Solver, StepError, Untold,
};
use drystone::solvers;
use drystone_model::ModelMap;

const DT: f64 = 0.01;
const SPRING: f64 = 3.0;

/// Moves particles by their forces, v before x; no contacts, nothing remembered. Springs do nothing here.
#[derive(Clone)]
struct Throw;

impl Solver for Throw {
    fn name(&self) -> &'static str {
        "throw"
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        _: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError> {
        for particle in 0..model.particle_count() {
            let gravity = model.world_gravity[model.particle_world[particle] as usize];
            state.particle_qd[particle] +=
                dt * (gravity + control.particle_f[particle] / model.particle_mass[particle]);
            state.particle_q[particle] += dt * state.particle_qd[particle];
        }
        state.time += dt;
        state.step_count += 1;
        Ok(Report::of_motion(model, state))
    }

    fn take_contacts(&mut self, out: &mut Vec<ContactForce>) -> Result<(), Untold> {
        ForceLedger::default().take_contacts(out);
        Ok(())
    }

    fn read_joints(&self, model: &Model, _: &State, out: &mut Vec<JointForce>) -> Result<(), Untold> {
        ForceLedger::default().read_joints(model.joint_count(), out);
        Ok(())
    }

    fn snapshot(&self) -> Vec<u8> {
        Vec::new()
    }

    fn restore(&mut self, _: &[u8]) -> Result<(), SnapshotError> {
        Ok(())
    }

    fn edited(&self, _: &Model, _: &ModelMap) -> Result<Box<dyn Solver>, Refusal> {
        Ok(Box::new(self.clone()))
    }

    fn reset_world(&mut self, _: &Model, _: u32) {}
}

fn thrown(index: u32) -> ParticleDef {
    ParticleDef::new(DVec3::X * f64::from(index), 2.0).velocity(DVec3::Y * (1.0 + f64::from(index)))
}

/// Four particles in a row, each tied to the next.
fn row() -> (Model, Vec<ParticleId>) {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let ids: Vec<ParticleId> = (0..4).map(|index| scene.add_particle(thrown(index))).collect();
    ids.windows(2).for_each(|pair| scene.add_spring(pair[0], pair[1], SPRING, 0.0));
    (scene.finalize().unwrap(), ids)
}

fn build(model: Model) -> Simulation {
    Simulation::builder(model).with_solver(Box::new(Throw)).dt(DT).build().unwrap()
}

fn place(sim: &Simulation, particle: ParticleId) -> DVec3 {
    sim.state().particle_q[sim.particle_index(particle).unwrap()]
}

#[test]
fn solvers_of_the_library_refuse_an_edit_that_adds_particles_by_name() {
    for solver in solvers().iter().filter(|solver| !["vbd", "abd"].contains(&solver.name)) {
        let mut scene = ModelBuilder::new();
        let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
        let mut sim = Simulation::builder(scene.finalize().unwrap()).solver(solver.name).build().unwrap();
        sim.run(3, |_| ()).unwrap();
        let (state, model) = (sim.state_hash(), sim.model().hash());
        let refused = sim.edit(|scene| {
            scene.remove_body(ball)?;
            let pair = [scene.add_particle(thrown(0))?, scene.add_particle(thrown(1))?];
            scene.add_spring(pair, SPRING, 0.0)
        });
        let refused = refused.unwrap_err().to_string();
        for words in [solver.name, "2 particles", "take the particles, springs, triangles and tetrahedra out"] {
            assert!(refused.contains(words), "{}: {refused}", solver.name);
        }
        assert_eq!((sim.state_hash(), sim.model().hash()), (state, model), "{}", solver.name);
        assert!(sim.particle_index(ParticleId(0)).is_err());
        assert!(sim.pose(ball).is_ok());
        let missing = sim.edit(|scene| scene.remove_particle(ParticleId(0))).unwrap_err().to_string();
        assert!(missing.contains("there is no particle #0"), "{missing}");
    }
}

#[test]
fn particles_come_and_go_and_keep_their_ids_and_their_motion() {
    let (model, ids) = row();
    let mut sim = build(model);
    sim.control_mut().particle_f[3] = DVec3::Z * 4.0;
    sim.run(50, |_| ()).unwrap();
    let at_edit = sim.checkpoint();
    let guest = sim
        .edit(|scene| {
            scene.remove_particle(ids[1])?;
            let guest = scene.add_particle(thrown(9))?;
            scene.add_spring([ids[0], guest], SPRING, 0.0)?;
            Ok(guest)
        })
        .unwrap();
    assert_eq!(guest, ParticleId(4));
    assert_eq!(sim.particle_index(ids[1]).unwrap_err().to_string(), "particle #1 was removed from the scene");
    // Two of the three springs hung on what was removed.
    assert_eq!(sim.model().spring_particle, [[1, 2], [0, 3]]);
    sim.run(50, |_| ()).unwrap();
    let free = |index: u32, seconds: f64| thrown(index).position + thrown(index).velocity * seconds;
    assert!((place(&sim, ids[0]) - free(0, 1.0)).length() < 1e-12);
    assert!((place(&sim, ids[2]) - free(2, 1.0)).length() < 1e-12);
    assert!((place(&sim, guest) - free(9, 0.5)).length() < 1e-12);
    // 4 N on 2 kg for 100 steps, before and after the edit: a t (t + dt) / 2.
    let pushed = place(&sim, ids[3]) - free(3, 1.0) - DVec3::Z * (2.0 * 1.0 * (1.0 + DT) / 2.0);
    assert!(pushed.length() < 1e-12, "{pushed}");

    let (end, hash) = (sim.checkpoint(), sim.state_hash());
    sim.reset_world(WorldId(0)).unwrap();
    assert_eq!(place(&sim, ids[3]), thrown(3).position);
    assert_eq!(place(&sim, guest), thrown(9).position);
    // Back to before the edit and on; and forward in another simulation.
    sim.resume(&at_edit).unwrap();
    assert!(sim.particle_index(ids[1]).is_ok() && sim.particle_index(guest).is_err());
    let mut other = build(row().0);
    other.resume(&end).unwrap();
    assert_eq!((other.state_hash(), place(&other, guest)), (hash, end.state.particle_q[3]));
}

#[test]
fn elements_that_make_no_sense_are_refused_with_the_whole_edit() {
    let (model, ids) = row();
    let mut sim = build(model);
    let before = sim.model().hash();
    let flat = sim.edit(|scene| scene.add_triangle([ids[0], ids[1], ids[2]], ElementMaterial::default()));
    assert!(flat.unwrap_err().to_string().contains("it has no area"));
    let gone = sim.edit(|scene| {
        scene.remove_particle(ids[2])?;
        scene.add_tetrahedron([ids[0], ids[1], ids[2], ids[3]], ElementMaterial::default())
    });
    assert!(gone.unwrap_err().to_string().contains("particle #2 was removed"));
    assert_eq!(sim.model().hash(), before);
}
