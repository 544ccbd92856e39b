"""Scenes that several tests share."""

import pytest

import drystone


@pytest.fixture
def ten_boxes() -> drystone.Model:
    """A stack of ten boxes of half a metre."""
    scene = drystone.ModelBuilder()
    scene.ground()
    for level in range(10):
        box = drystone.Geometry.box((0.25, 0.25, 0.25))
        scene.add_body(drystone.Body(f"box {level}", [box], position=(0, 0, 0.25 + 0.5 * level)))
    return scene.finalize()


@pytest.fixture
def pendulum() -> drystone.Model:
    """A point of 2 kg on a hinge about y, a metre away along x."""
    scene = drystone.ModelBuilder()
    bob = scene.add_body(drystone.Body("bob", [drystone.Geometry.sphere(0.05)], position=(1, 0, 0), mass=2.0))
    drive = drystone.Drive(stiffness=0.0, damping=0.0)
    scene.add_joint(
        drystone.Joint("revolute", drystone.WORLD, bob, name="hinge", anchor=(0, 0, 0), axis=(0, 1, 0), drives={"ang_x": drive})
    )
    return scene.finalize()
