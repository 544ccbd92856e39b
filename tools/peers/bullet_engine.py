"""Bullet by PyBullet, default solver settings: plain rigid bodies, or, where there are joints, single multibodies with
point-to-point constraints, because PyBullet joins nothing else."""

import importlib.metadata
import math

import numpy
import pybullet


class World:
    def __init__(self, scene, options):
        self.version = importlib.metadata.version("pybullet")
        pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(*scene["gravity"])
        pybullet.setPhysicsEngineParameter(fixedTimeStep=scene["dt"], deterministicOverlappingPairs=1)
        if "iterations" in options:
            pybullet.setPhysicsEngineParameter(numSolverIterations=int(options["iterations"]))
        self.maximal = 0 if scene["joints"] else 1
        shapes = {}
        for shape in scene["shapes"]:
            shapes.setdefault(shape["body"], []).append(shape)
        for shape in shapes.get(-1, []):
            self.add({"kind": "static", "pose": [0, 0, 0, 0, 0, 0, 1]}, [shape])
        self.bodies = [self.add(body, shapes.get(i, [])) for i, body in enumerate(scene["bodies"])]
        for joint in scene["joints"]:
            self.join(scene, joint)

    def add(self, body, shapes):
        if len(shapes) > 1:
            raise ValueError("bodies of several shapes are not translated")
        shape = shapes[0] if shapes else None
        if any(abs(x) > 1e-9 for x in body.get("com", [])):
            raise ValueError("centres of mass off the origin are not translated")
        dynamic = body["kind"] == "dynamic"
        handle = pybullet.createMultiBody(
            baseMass=body["mass"] if dynamic else 0,
            baseCollisionShapeIndex=collision(shape) if shape else -1,
            basePosition=body["pose"][:3],
            baseOrientation=body["pose"][3:],
            useMaximalCoordinates=self.maximal,
        )
        changes = {"linearDamping": 0, "angularDamping": 0}
        if shape:
            # Bullet multiplies the frictions of a pair where others average them.
            changes |= {"lateralFriction": math.sqrt(shape["friction"]), "restitution": shape["restitution"]}
            changes |= {"rollingFriction": 0, "spinningFriction": 0}
            pybullet.setCollisionFilterGroupMask(handle, -1, shape["group"] & 0x7FFF, shape["mask"] & 0x7FFF)
        if dynamic:
            # An inertia without a mass beside it would make the body weightless.
            changes |= {"mass": body["mass"], "localInertiaDiagonal": [body["inertia"][k][k] for k in range(3)]}
        pybullet.changeDynamics(handle, -1, **changes)
        if dynamic:
            pybullet.resetBaseVelocity(handle, body["velocity"][:3], body["velocity"][3:])
        return handle

    def join(self, scene, joint):
        parent, child = joint["parent"], joint["child"]
        ball = pybullet.JOINT_POINT2POINT
        if parent < 0:
            # A constraint to the world wants the body first.
            pybullet.createConstraint(
                self.bodies[child], -1, -1, -1, ball, [0, 0, 0], joint["anchor_child"], joint["anchor_parent"]
            )
            return
        pybullet.createConstraint(
            self.bodies[parent], -1, self.bodies[child], -1, ball, [0, 0, 0], joint["anchor_parent"], joint["anchor_child"]
        )
        pybullet.setCollisionFilterPair(self.bodies[parent], self.bodies[child], -1, -1, 0)

    def step(self):
        pybullet.stepSimulation()

    def state(self):
        rows = numpy.empty((len(self.bodies), 13))
        for index, body in enumerate(self.bodies):
            place, turn = pybullet.getBasePositionAndOrientation(body)
            linear, angular = pybullet.getBaseVelocity(body)
            rows[index] = (*place, *turn, *linear, *angular)
        return rows


def collision(shape):
    kind = shape["type"]
    if kind == "box":
        return pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=shape["half"])
    if kind == "sphere":
        return pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=shape["radius"])
    if kind == "capsule":
        height = 2 * shape["half_height"]
        return pybullet.createCollisionShape(pybullet.GEOM_CAPSULE, radius=shape["radius"], height=height)
    if kind == "plane":
        return pybullet.createCollisionShape(pybullet.GEOM_PLANE, planeNormal=[0, 0, 1])
    if kind == "hull":
        return pybullet.createCollisionShape(pybullet.GEOM_MESH, vertices=shape["points"])
    raise ValueError(f"no counterpart in Bullet for {kind}")
