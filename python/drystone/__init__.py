"""Physics of rigid and nearly rigid bodies in contact.

One model, several solvers, NumPy arrays. SI units; quaternions are (x, y, z, w); z is up. A pose is seven numbers, position
[m] then quaternion; a velocity six, that of the centre of mass [m/s] then the angular one [rad/s], in the world frame.

    >>> import drystone
    >>> scene = drystone.ModelBuilder()
    >>> ground = scene.ground()
    >>> ball = scene.add_body(drystone.Body("ball", [drystone.Geometry.sphere(0.2)], position=(0, 0, 1)))
    >>> sim = drystone.Simulation(scene.finalize(), dt=0.01)
    >>> sim.step(200)
    >>> bool(abs(sim.body_q[ball, 2] - 0.2) < 1e-3)
    True
"""

from ._drystone import (
    WORLD,
    Batch,
    Body,
    BuildError,
    CheckpointError,
    Contacts,
    Drag,
    Drive,
    EditError,
    Error,
    FileError,
    Follow,
    Geometry,
    Joint,
    Limit,
    Model,
    ModelBuilder,
    ModelError,
    QueryError,
    Recording,
    Report,
    RequestError,
    Robot,
    Scene,
    Shape,
    Simulation,
    Spring,
    State,
    StepError,
    __version__,
    load_robot,
    load_scene,
    scenes,
    solvers,
)
from ._compare import compare

__all__ = [
    "WORLD",
    "Batch",
    "Body",
    "BuildError",
    "CheckpointError",
    "Contacts",
    "Drag",
    "Drive",
    "EditError",
    "Error",
    "FileError",
    "Follow",
    "Geometry",
    "Joint",
    "Limit",
    "Model",
    "ModelBuilder",
    "ModelError",
    "QueryError",
    "Recording",
    "Report",
    "RequestError",
    "Robot",
    "Scene",
    "Shape",
    "Simulation",
    "Spring",
    "State",
    "StepError",
    "__version__",
    "compare",
    "load_robot",
    "load_scene",
    "scenes",
    "solvers",
]
