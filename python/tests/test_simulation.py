"""Steps, arrays, controls, edits, checkpoints."""

import gc
import math

import numpy as np
import pytest

import drystone
from drystone import Body, Drive, Geometry, Joint, ModelBuilder, Simulation


def falling(dt: float = 0.01, **options: object) -> Simulation:
    scene = ModelBuilder()
    scene.add_body(Body("ball", [Geometry.sphere(0.1)], position=(0, 0, 10), velocity=(1, 0, 0)))
    return Simulation(scene.finalize(), dt=dt, **options)


def test_a_body_falls_as_it_should() -> None:
    sim = falling()
    sim.step(100)
    assert sim.time == pytest.approx(1.0)
    assert sim.body_q[0, 2] == pytest.approx(10 - 0.5 * 9.81, rel=1e-3)
    np.testing.assert_allclose(sim.body_qd[0], [1, 0, -9.81, 0, 0, 0], atol=1e-9)
    assert sim.velocity(0) == pytest.approx(list(sim.body_qd[0]))
    assert sim.pose(0) == pytest.approx(list(sim.body_q[0]))


def test_arrays_are_the_same_objects_filled_in_place_and_outlive_the_simulation() -> None:
    sim = falling()
    places, speeds = sim.body_q, sim.body_qd
    before = places.copy()
    sim.step()
    assert sim.body_q is places and sim.body_qd is speeds
    assert places[0, 2] < before[0, 2]
    with pytest.raises(ValueError, match="read-only"):
        places[0, 0] = 1.0
    kept = places.copy()
    del sim
    gc.collect()
    np.testing.assert_array_equal(places, kept)


@pytest.mark.parametrize("solver", [entry["name"] for entry in drystone.solvers()])
def test_every_solver_holds_a_stack(solver: str, ten_boxes: drystone.Model) -> None:
    sim = Simulation(ten_boxes, solver, dt=0.01)
    start = sim.body_q.copy()
    sim.step(20)
    assert sim.solver == solver
    np.testing.assert_allclose(sim.body_q, start, atol=5e-3)


def test_controls_written_into_arrays_act_in_the_next_step(pendulum: drystone.Model) -> None:
    sim = Simulation(pendulum, "structured", dt=0.001)
    inertia = 2.0 * (1.0 + 0.4 * 0.05**2)
    # What holds it level: nothing moves.
    sim.joint_f[0, 3] = -2.0 * 9.81
    sim.step(200)
    assert abs(sim.joint_q[0, 3]) < 1e-9
    # One newton metre more: α = 1 / J.
    sim.joint_f[0, 3] -= 1.0
    sim.step(10)
    assert sim.joint_qd[0, 3] == pytest.approx(-0.01 / inertia, rel=1e-3)
    sim.set_effort(0, "ang_x", 5.0)
    assert sim.joint_f[0, 3] == 5.0
    sim.reset_world()
    assert sim.joint_f[0, 3] == 0.0


def test_forces_and_impulses_by_id() -> None:
    scene = ModelBuilder(gravity=(0, 0, 0))
    puck = scene.add_body(Body("puck", [Geometry.box((0.5, 0.5, 0.5))], mass=2.0))
    wall = scene.add_body(Body("wall", [Geometry.sphere(0.1)], kind="static", position=(9, 0, 0)))
    sim = Simulation(scene.finalize(), dt=0.01)
    for _ in range(100):
        sim.apply_force(puck, (4, 0, 0))
        sim.step()
    assert sim.body_qd[0, 0] == pytest.approx(2.0, abs=1e-9)
    sim.apply_impulse(puck, np.array([0, 2.0, 0]), point=(sim.body_q[0, 0] + 0.5, 0, 0))
    assert sim.velocity(puck) == pytest.approx([2, 1, 0, 0, 0, 3], abs=1e-9)
    sim.body_f[0, :3] = (0, 0, 2.0)
    sim.step(50)
    assert sim.body_qd[0, 2] == pytest.approx(0.5, abs=1e-9)
    with pytest.raises(drystone.RequestError) as refused:
        sim.apply_force(wall, (1, 0, 0))
    assert str(refused.value) == "body `wall`: it is static, forces do not move it; make it dynamic"


def test_drives_follow_targets() -> None:
    scene = ModelBuilder(gravity=(0, 0, 0))
    arm = scene.add_body(Body("arm", [Geometry.sphere(0.1)], position=(1, 0, 0), mass=1.0))
    drive = Drive(stiffness=100.0, damping=20.0)
    hinge = scene.add_joint(
        Joint("revolute", drystone.WORLD, arm, anchor=(0, 0, 0), axis=(0, 0, 1), drives={"ang_x": drive})
    )
    sim = Simulation(scene.finalize())
    sim.joint_target[hinge, 3] = 0.5
    sim.step(120)
    assert sim.body_q[arm, 1] == pytest.approx(math.sin(0.5), abs=1e-3)
    sim.set_drive_target(hinge, "ang_x", -0.5)
    assert sim.joint_target[hinge, 3] == -0.5
    sim.step(120)
    assert sim.body_q[arm, 1] == pytest.approx(-math.sin(0.5), abs=1e-3)
    with pytest.raises(drystone.RequestError, match="locked"):
        sim.set_drive_target(hinge, "lin_x", 0.5)


def test_contacts_carry_the_weight(ten_boxes: drystone.Model) -> None:
    sim = Simulation(ten_boxes, dt=0.01)
    sim.step(30)
    contacts = sim.contacts()
    weight = ten_boxes.body_mass.sum() * 9.81
    on_ground = (contacts.body == drystone.WORLD).any(axis=1)
    assert contacts.force[on_ground, 2].sum() == pytest.approx(weight, rel=1e-3)
    assert contacts.position.shape == (len(contacts), 2, 3)
    force, _ = sim.contact_force(0)
    assert force[2] == pytest.approx(ten_boxes.body_mass[0] * 9.81, rel=1e-2)
    assert sim.report.contact_count == 40
    assert sim.report.max_penetration is not None and sim.report.max_penetration < 1e-3


def test_events_tell_of_the_landing() -> None:
    scene = ModelBuilder()
    ground = scene.ground()
    scene.add_body(Body("ball", [Geometry.sphere(0.1)], position=(0, 0, 0.2)))
    sim = Simulation(scene.finalize(), dt=0.01)
    seen = []
    while not seen and sim.time < 1.0:
        sim.step()
        seen = [event for event in sim.events if event["kind"] == "contact_begin"]
    assert seen and ground in (seen[0]["shape0"], seen[0]["shape1"]) and seen[0]["impulse"] > 0.0
    assert sim.time == pytest.approx(math.sqrt(2 * 0.1 / 9.81), abs=0.02)


def test_queries_find_what_is_there() -> None:
    scene = ModelBuilder()
    ground = scene.ground()
    ball = scene.add_body(Body("ball", [Geometry.sphere(0.5)], position=(0, 0, 3)))
    sim = Simulation(scene.finalize())
    hit = sim.cast_ray((0, 0, 10), (0, 0, -1))
    assert hit is not None and hit["body"] == ball and hit["time"] == pytest.approx(6.5)
    through = sim.cast_ray((0, 0, 10), (0, 0, -1), without=[ball])
    assert through is not None and through["shape"] == ground and through["body"] == drystone.WORLD
    assert sim.cast_ray((0, 0, 10), (0, 0, 1)) is None
    origins = np.column_stack([np.linspace(-2, 2, 200), np.zeros(200), np.full(200, 10.0)])
    hits = sim.cast_rays(origins, np.tile([0.0, 0, -1], (200, 1)))
    assert ((hits["body"] == ball) == (abs(origins[:, 0]) < 0.5)).all()
    assert np.isinf(sim.cast_rays(origins, np.tile([0.0, 0, 1], (200, 1)))["time"]).all()
    landing = sim.cast_shape(Geometry.sphere(0.25), (0, 0, 10), (0, 0, -1))
    assert landing is not None and landing["time"] == pytest.approx(6.25, abs=1e-6)
    assert sim.overlaps(Geometry.sphere(0.6), (0, 0, 4)) == [1]
    near = sim.nearest((0, 0, 1))
    assert near is not None and near["distance"] == pytest.approx(1.0)
    with pytest.raises(drystone.QueryError):
        sim.cast_ray((0, 0, math.nan), (0, 0, 1))


def test_edits_keep_ids_and_give_new_arrays() -> None:
    sim = falling()
    old = sim.body_q
    second = sim.add_body(Body("second", [Geometry.sphere(0.1)], position=(5, 0, 5)))
    assert sim.body_q.shape == (2, 7) and old.shape == (1, 7)
    sim.remove_body(0)
    assert sim.body_index(second) == 0 and sim.body_q.shape == (1, 7)
    with pytest.raises(drystone.RequestError, match="body #0 was removed from the scene"):
        sim.pose(0)
    with pytest.raises(drystone.EditError, match="the edit is refused"):
        sim.edit(remove_bodies=[second], add_bodies=[Body("bad", [Geometry.sphere(0.1)], mass=-1.0)])
    assert sim.body_q.shape == (1, 7)
    bodies, joints = sim.edit(add_bodies=[Body("third", [Geometry.sphere(0.1)], position=(7, 0, 5))])
    assert joints == [] and sim.body("third") == bodies[0]


def test_a_checkpoint_goes_on_bit_for_bit(ten_boxes: drystone.Model) -> None:
    one = Simulation(ten_boxes, dt=0.01)
    one.apply_impulse(9, (500, 0, 0))
    one.step(10)
    kept = one.checkpoint()
    one.step(20)
    two = Simulation(ten_boxes, dt=0.01)
    two.resume(kept)
    two.step(20)
    assert one.state_hash() == two.state_hash()
    with pytest.raises(drystone.CheckpointError, match="damaged"):
        two.resume(kept[:-3])
    with pytest.raises(drystone.CheckpointError, match="another model"):
        falling().resume(kept)


def test_a_state_is_a_copy_that_can_be_set(ten_boxes: drystone.Model) -> None:
    sim = Simulation(ten_boxes, dt=0.01)
    start = sim.state()
    sim.step(5)
    assert start.time == 0.0 and sim.state().hash() != start.hash()
    places = start.body_q
    places[:, 0] += 3.0
    start.body_q = places
    sim.set_state(start)
    np.testing.assert_array_equal(sim.body_q[:, 0], np.full(10, 3.0))
    with pytest.raises(ValueError, match="unit quaternion"):
        start.body_q = np.zeros((10, 7))
    with pytest.raises(ValueError, match="another model"):
        falling().set_state(start)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_bits_do_not_depend_on_threads(threads: int, ten_boxes: drystone.Model) -> None:
    many = ModelBuilder()
    many.replicate(ten_boxes, 12, offset=(2, 0, 0))
    model = many.finalize()
    reference = Simulation(model, dt=0.01)
    other = Simulation(model, dt=0.01, threads=threads)
    reference.step(10)
    other.step(10)
    assert reference.state_hash() == other.state_hash()


def test_options_are_keywords_and_refused_by_name(ten_boxes: drystone.Model) -> None:
    sim = Simulation(ten_boxes, iterations=3)
    assert sim.options["iterations"] == 3
    sim.set_option("iterations", np.int64(7))
    assert sim.options["iterations"] == 7
    with pytest.raises(drystone.BuildError, match="iterations"):
        Simulation(ten_boxes, iteration=3)
    with pytest.raises(drystone.BuildError, match="did you mean `vbd`"):
        Simulation(ten_boxes, "vdb")
    with pytest.raises(drystone.BuildError, match="threads must be"):
        Simulation(ten_boxes, threads=0)


def test_a_body_that_turns_nan_is_taken_out() -> None:
    sim = falling()
    sim.body_f[0, 0] = math.nan
    sim.step()
    assert sim.report.quarantined == [0]
    assert np.isfinite(sim.body_q).all()


def test_advance_follows_a_clock() -> None:
    sim = falling(dt=0.01)
    steps, alpha, dropped = sim.advance(0.025)
    assert (steps, dropped) == (2, 0.0) and alpha == pytest.approx(0.5)
    with pytest.raises(drystone.StepError):
        sim.advance(-1.0)
