"""Putting scenes together."""

import math

import numpy as np
import pytest

import drystone
from drystone import Body, Drag, Drive, Follow, Geometry, Joint, Limit, ModelBuilder, Shape, Spring


def test_masses_follow_from_shapes_and_density() -> None:
    scene = ModelBuilder()
    ball = scene.add_body(Body("ball", [Shape(Geometry.sphere(0.5), density=1000.0)]))
    given = scene.add_body(
        Body("given", [Geometry.sphere(0.1)], position=(3, 0, 0), mass=2.0, inertia=(1, 2, 2.5), com=(0.1, 0, 0))
    )
    model = scene.finalize()
    mass = 1000.0 * 4.0 / 3.0 * math.pi * 0.125
    assert model.body_mass[ball] == pytest.approx(mass, rel=1e-14)
    assert model.body_inertia[ball, 1, 1] == pytest.approx(0.4 * mass * 0.25, rel=1e-14)
    np.testing.assert_array_equal(model.body_inertia[given], np.diag([1, 2, 2.5]))
    np.testing.assert_array_equal(model.body_com[given], [0.1, 0, 0])


def test_a_full_tensor_is_read_by_rows() -> None:
    tensor = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]])
    scene = ModelBuilder()
    scene.add_body(Body("body", [Geometry.sphere(0.1)], mass=1.0, inertia=tensor))
    np.testing.assert_array_equal(scene.finalize().body_inertia[0], tensor)


def test_every_fault_is_listed_in_the_words_of_the_library() -> None:
    scene = ModelBuilder()
    scene.add_body(Body("twin", [Geometry.sphere(0.1)]))
    scene.add_body(Body("twin", [Geometry.sphere(0.1)], mass=-1.0))
    with pytest.raises(drystone.ModelError) as refused:
        scene.finalize()
    text = str(refused.value)
    assert "twin" in text and "mass" in text and "name" in text
    assert isinstance(refused.value, drystone.Error)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: Geometry.sphere(-1.0), "radius"),
        (lambda: Body("b", position=(0, 0)), "position must be 3 numbers"),
        (lambda: Body("b", rotation=(0, 0, 0, 0)), "not zero"),
        (lambda: Body("b", kind="liquid"), "dynamic, kinematic or static"),
        (lambda: Body("b", [3]), "Shape or a Geometry"),
        (lambda: Body("b", inertia=(1, 1, 1)), "needs a mass"),
        (lambda: Joint("hinge", -1, 0), "revolute"),
        (lambda: Joint("revolute", -1, 0), "needs `axis`"),
        (lambda: Joint("ball", -1, 0, axis=(0, 0, 1)), "has no `axis`"),
        (lambda: Joint("d6", -1, 0, free=["up"]), "lin_x, lin_y"),
        (lambda: Joint("revolute", -5, 0, axis=(0, 0, 1)), "-5 is no id of a body"),
        (lambda: Geometry.hull([[0, 0], [1, 1]]), r"\[n, 3\]"),
    ],
)
def test_bad_definitions_say_what_would_work(wrong: object, words: str) -> None:
    with pytest.raises((drystone.Error, ValueError, TypeError), match=words):
        wrong()  # type: ignore[operator]


def test_limits_drives_and_coordinates_reach_the_joint() -> None:
    scene = ModelBuilder(gravity=(0, 0, 0))
    arm = scene.add_body(Body("arm", [Geometry.sphere(0.1)], position=(1, 0, 0)))
    scene.add_joint(
        Joint(
            "revolute",
            drystone.WORLD,
            arm,
            name="hinge",
            anchor=(0, 0, 0),
            axis=(0, 0, 1),
            limits={"ang_x": Limit(-1.0, 0.5)},
            drives={"ang_x": Drive(target=2.0, stiffness=100.0, damping=20.0)},
            coordinates={"ang_x": 0.25},
        )
    )
    model = scene.finalize()
    start = model.joint_coordinates(model.state())
    assert start[0, 3] == pytest.approx(0.25, abs=1e-12)
    sim = drystone.Simulation(model, dt=0.01)
    sim.step(300)
    # The drive pulls to 2 rad, the limit holds at half a radian.
    assert sim.joint_q[0, 3] == pytest.approx(0.5, abs=1e-3)


def test_a_spring_holds_against_a_motor_that_gives_all_it_has() -> None:
    scene = ModelBuilder(gravity=(0, 0, 0))
    cart = scene.add_body(Body("cart", [Geometry.sphere(0.1)]))
    spring = Spring(rest=0.1, stiffness=50.0, damping=40.0)
    motor = Drive(target=9.0, stiffness=100.0, max_effort=10.0)
    joint = Joint(
        "prismatic", drystone.WORLD, cart, axis=(1, 0, 0), drives={"lin_x": motor}, springs={"lin_x": spring}
    )
    scene.add_joint(joint)
    sim = drystone.Simulation(scene.finalize(), dt=0.01)
    sim.step(2000)
    assert sim.joint_q[0, 0] == pytest.approx(0.1 + 10.0 / 50.0, abs=1e-4)
    assert repr(spring) == "Spring(rest=0.1, stiffness=50, damping=40)"


def test_worlds_and_copies() -> None:
    one = ModelBuilder()
    one.ground()
    one.add_body(Body("ball", [Geometry.sphere(0.1)], position=(0, 0, 1)))
    many = ModelBuilder()
    many.replicate(one.finalize(), 5, offset=(1, 0, 0))
    model = many.finalize()
    assert (model.world_count, model.body_count) == (5, 5)
    np.testing.assert_array_equal(model.state().body_q[:, 0], np.arange(5.0))
    assert model.body("world_3/ball") == 3
    with pytest.raises(KeyError, match="world_3/ball"):
        model.body("world_3/bal")


def test_mass_matrix_and_inverse_dynamics_of_a_pendulum(pendulum: drystone.Model) -> None:
    state = pendulum.state()
    inertia = 2.0 * (1.0 + 0.4 * 0.05**2)
    np.testing.assert_allclose(pendulum.mass_matrix(state), [[inertia]], rtol=1e-14)
    # Held level, the hinge carries m g l about y; falling freely, nothing.
    held = pendulum.inverse_dynamics(state, [0.0])
    assert held[0] == pytest.approx(-2.0 * 9.81, rel=1e-12)
    fall = -held[0] / inertia
    assert pendulum.inverse_dynamics(state, [fall])[0] == pytest.approx(0.0, abs=1e-12)


def test_a_model_goes_into_a_scene_file_and_comes_back(ten_boxes: drystone.Model, tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "boxes.json5"
    ten_boxes.save(path)
    back = drystone.load_scene(path)
    assert back.model.hash() == ten_boxes.hash()
    assert back.simulation().model.body_count == 10


def test_joints_follow_others_with_and_without_play() -> None:
    scene = ModelBuilder(gravity=(0, 0, 0))
    lead, gear, finger = (
        scene.add_body(Body(name, [Geometry.sphere(0.1)], position=(place, 0, 0)))
        for place, name in enumerate(["lead", "gear", "finger"])
    )
    servo = Drive(target=0.6, stiffness=1e3, damping=1e2)
    shaft = scene.add_joint(Joint("revolute", drystone.WORLD, lead, axis=(0, 1, 0), drives={"ang_x": servo}))
    rigid = Follow(shaft, "ang_x", ratio=-2.0, offset=0.1)
    loose = Follow(shaft, "ang_x", play=(-0.25, 0.25))
    scene.add_joint(
        Joint("revolute", drystone.WORLD, gear, anchor=(1, 0, 0), axis=(0, 1, 0), follow={"ang_x": rigid},
              coordinates={"ang_x": 0.1})
    )
    scene.add_joint(
        Joint("revolute", drystone.WORLD, finger, anchor=(2, 0, 0), axis=(0, 1, 0), follow={"ang_x": loose})
    )
    for solver in ("vbd", "structured"):
        sim = drystone.Simulation(scene.finalize(), solver, dt=0.01)
        sim.step(300)
        assert sim.joint_q[1, 3] == pytest.approx(0.1 - 2.0 * sim.joint_q[0, 3], abs=1e-6)
        assert sim.joint_q[2, 3] >= sim.joint_q[0, 3] - 0.25 - 1e-6
    assert repr(rigid) == 'Follow(0, "ang_x", ratio=-2, offset=0.1, play=(0.0, 0.0))'
    with pytest.raises(ValueError, match="ang_x"):
        Follow(shaft, "ang_w")  # type: ignore[arg-type]


def test_drag_slows_along_its_axis_only() -> None:
    scene = ModelBuilder(gravity=(0, 0, 0))
    drag = Drag(linear=[3.0, 0, 0, 0, 0, 0], position=(0, 0, 0))
    scene.add_body(Body("ball", [Geometry.sphere(0.1)], mass=2.0, velocity=(1, 1, 0), drag=[drag]))
    sim = drystone.Simulation(scene.finalize(), dt=0.01)
    sim.step()
    assert sim.body_qd[0, :3] == pytest.approx([1 / (1 + 0.01 * 3.0 / 2.0), 1, 0], abs=1e-9)
