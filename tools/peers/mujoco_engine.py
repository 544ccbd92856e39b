"""MuJoCo: ball joints make trees of reduced coordinates, joints that close loops become `connect` constraints."""

import json

import mujoco
import numpy

MASK = 0x7FFFFFFF  # MuJoCo's bits are signed


def words(values):
    return " ".join(repr(float(value)) for value in values)


def turn(pose):
    x, y, z, w = pose[3:]
    return words([w, x, y, z])


class World:
    """Groups of bodies that cannot meet are simulated each by itself, and those that are alike share a model: MuJoCo's
    compiler takes time by the square of the bodies."""

    def __init__(self, scene, options):
        self.version = mujoco.__version__
        substeps = int(options.get("substeps", 1))
        models = {}
        self.parts = [(bodies, Part(part, substeps, models)) for bodies, part in islands(scene)]
        self.poses = numpy.zeros((len(scene["bodies"]), 13))

    def step(self):
        for _, part in self.parts:
            part.step()

    def state(self):
        for bodies, part in self.parts:
            self.poses[bodies] = part.state()
        return self.poses


class Part:
    def __init__(self, scene, substeps, models):
        self.substeps = substeps
        self.shift = numpy.array(scene.get("shift", [0.0, 0.0, 0.0]))
        key = json.dumps([scene[part] for part in ("bodies", "shapes", "joints")])
        if key not in models:
            models[key] = mujoco.MjModel.from_xml_string(self.document(scene))
        self.model = models[key]
        self.data = mujoco.MjData(self.model)
        names = [f"b{index}" for index in range(len(scene["bodies"]))]
        self.order = numpy.array([self.model.body(name).id for name in names], dtype=int)
        self.throw(scene)
        mujoco.mj_forward(self.model, self.data)

    def step(self):
        for _ in range(self.substeps):
            mujoco.mj_step(self.model, self.data)

    def state(self):
        model, data, order = self.model, self.data, self.order
        # A step ends with new coordinates but old poses.
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        spin = data.cvel[order, :3]
        arm = data.xipos[order] - data.subtree_com[model.body_rootid[order]]
        velocity = data.cvel[order, 3:] + numpy.cross(spin, arm)
        return numpy.hstack([data.xpos[order] + self.shift, numpy.roll(data.xquat[order], -1, axis=1), velocity, spin])

    def throw(self, scene):
        """Start velocities of free bodies."""
        for index, body in enumerate(scene["bodies"]):
            joint = self.model.body_jntadr[self.order[index]]
            if joint < 0 or self.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
                continue
            linear, angular = numpy.array(body["velocity"][:3]), numpy.array(body["velocity"][3:])
            matrix = numpy.zeros(9)
            x, y, z, w = body["pose"][3:]
            mujoco.mju_quat2Mat(matrix, numpy.array([w, x, y, z]))
            matrix = matrix.reshape(3, 3)
            start = self.model.jnt_dofadr[joint]
            self.data.qvel[start : start + 3] = linear - numpy.cross(angular, matrix @ numpy.array(body["com"]))
            self.data.qvel[start + 3 : start + 6] = matrix.T @ angular

    def document(self, scene):
        self.scene = scene
        self.shapes = {}
        for shape in scene["shapes"]:
            self.shapes.setdefault(shape["body"], []).append(shape)
        children, loops = trees(scene)
        dt, gravity = scene["dt"] / self.substeps, words(scene["gravity"])
        # MuJoCo takes all of it at once.
        memory = "2G" if collides(scene) or loops else "1M"
        meshes = [shape for shape in scene["shapes"] if shape["type"] == "hull"]
        for index, shape in enumerate(meshes):
            shape["mesh"] = f"m{index}"
        # `inertia="convex"` is how MuJoCo takes a hull without faces.
        assets = "".join(f'<mesh name="{m["mesh"]}" vertex="{words(sum(m["points"], []))}"/>' for m in meshes)
        out = [f'<mujoco><option timestep="{dt!r}" gravity="{gravity}"/><size memory="{memory}"/><asset>{assets}</asset><worldbody>']
        out.extend(self.geom(shape) for shape in self.shapes.get(-1, []))
        # Bodies open and close around their children, without recursion: chains are deep.
        todo = [(index, -1, None) for index in range(len(scene["bodies"])) if index not in children["inner"]]
        todo += [(child, -1, joint) for child, joint in children.get(-1, [])]
        todo.reverse()
        while todo:
            item = todo.pop()
            if item == "close":
                out.append("</body>")
                continue
            index, parent, joint = item
            out.append(self.open_body(index, parent, joint))
            todo.append("close")
            todo.extend((child, index, joint) for child, joint in children.get(index, []))
        out.append("</worldbody><equality>")
        for joint in loops:
            parent, child = joint["parent"], joint["child"]
            first, anchor, other = (child, joint["anchor_child"], parent)
            second = "" if other < 0 else f' body2="b{other}"'
            out.append(f'<connect body1="b{first}"{second} anchor="{words(anchor)}"/>')
        out.append("</equality></mujoco>")
        return "".join(out)

    def open_body(self, index, parent, joint):
        body = self.scene["bodies"][index]
        pose = body["pose"] if parent < 0 else relative(self.scene["bodies"][parent]["pose"], body["pose"])
        text = f'<body name="b{index}" pos="{words(pose[:3])}" quat="{turn(pose)}">'
        if joint is not None:
            anchor = joint["anchor_child"] if joint["child"] == index else joint["anchor_parent"]
            text += f'<joint type="ball" pos="{words(anchor)}"/>'
        elif body["kind"] == "dynamic":
            text += "<freejoint/>"
        if body["kind"] == "dynamic":
            i = body["inertia"]
            full = words([i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]])
            text += f'<inertial mass="{body["mass"]!r}" pos="{words(body["com"])}" fullinertia="{full}"/>'
        return text + "".join(self.geom(shape) for shape in self.shapes.get(index, []))

    def geom(self, shape):
        kind, pose = shape["type"], shape["pose"]
        size = {
            "box": lambda: f'type="box" size="{words(shape["half"])}"',
            "sphere": lambda: f'type="sphere" size="{shape["radius"]!r}"',
            "capsule": lambda: f'type="capsule" size="{shape["radius"]!r} {shape["half_height"]!r}"',
            "plane": lambda: 'type="plane" size="0 0 1"',
            "hull": lambda: f'type="mesh" mesh="{shape["mesh"]}"',
        }[kind]()
        bits = f'contype="{shape["group"] & MASK}" conaffinity="{shape["mask"] & MASK}"'
        place = f'pos="{words(pose[:3])}" quat="{turn(pose)}"'
        friction = f'friction="{shape["friction"]!r} 0 0"'
        return f'<geom {size} {place} {bits} {friction} mass="0"/>'


def collides(scene):
    return any(shape["group"] and shape["mask"] for shape in scene["shapes"])


def islands(scene):
    """Scenes that together are this one, each with the numbers of its bodies; one if anything can touch."""
    count = len(scene["bodies"])
    if collides(scene) or not scene["joints"]:
        return [(numpy.arange(count), scene)]
    group = list(range(count))

    def root(body):
        while group[body] != body:
            group[body] = body = group[group[body]]
        return body

    for joint in scene["joints"]:
        if joint["parent"] >= 0 and joint["child"] >= 0:
            group[root(joint["child"])] = root(joint["parent"])
    members = {}
    for body in range(count):
        members.setdefault(root(body), []).append(body)
    place = {body: (first, index) for first, bodies in members.items() for index, body in enumerate(bodies)}
    parts = {first: apart(scene, bodies) for first, bodies in members.items()}
    for shape in scene["shapes"]:
        # Shapes of the world are left out: nothing touches them.
        if shape["body"] >= 0:
            first, index = place[shape["body"]]
            parts[first]["shapes"].append({**shape, "body": index})
    for joint in scene["joints"]:
        part = parts[place[joint["child"] if joint["child"] >= 0 else joint["parent"]][0]]
        joint = dict(joint)
        for end in ("parent", "child"):
            if joint[end] >= 0:
                joint[end] = place[joint[end]][1]
            else:
                joint[f"anchor_{end}"] = [x - y for x, y in zip(joint[f"anchor_{end}"], part["shift"])]
        part["joints"].append(joint)
    return [(numpy.array(bodies), parts[first]) for first, bodies in members.items()]


def apart(scene, bodies):
    """Some of the bodies, with the first of them moved to the origin, so that equal groups look equal."""
    bodies = [scene["bodies"][body] for body in bodies]
    shift = bodies[0]["pose"][:3]
    moved = [{**body, "pose": [*(x - y for x, y in zip(body["pose"], shift)), *body["pose"][3:]]} for body in bodies]
    return {**scene, "bodies": moved, "shapes": [], "joints": [], "shift": shift}


def trees(scene):
    """Who hangs on whom, from the world outwards; joints left over close loops."""
    joints = scene["joints"]
    links = {}
    for index, joint in enumerate(joints):
        for body in (joint["parent"], joint["child"]):
            links.setdefault(body, []).append(index)
    static = [i for i, body in enumerate(scene["bodies"]) if body["kind"] != "dynamic"]
    children, used, reached = {"inner": set()}, set(), {-1, *static}
    seeds = [-1, *static, *range(len(scene["bodies"]))]
    for seed in seeds:
        reached.add(seed)
        queue = [seed] if seed in links else []
        for body in queue:
            for index in links.get(body, []):
                joint = joints[index]
                other = joint["child"] if joint["parent"] == body else joint["parent"]
                if index in used or other in reached:
                    continue
                used.add(index)
                reached.add(other)
                children["inner"].add(other)
                children.setdefault(body, []).append((other, joint))
                queue.append(other)
    return children, [joint for index, joint in enumerate(joints) if index not in used]


def relative(outer, inner):
    """The pose of `inner` as seen from `outer`."""
    inverse, turned, place = numpy.zeros(4), numpy.zeros(4), numpy.zeros(3)
    first = numpy.roll(numpy.array(outer[3:], dtype=float), 1)
    second = numpy.roll(numpy.array(inner[3:], dtype=float), 1)
    mujoco.mju_negQuat(inverse, first)
    mujoco.mju_mulQuat(turned, inverse, second)
    mujoco.mju_rotVecQuat(place, numpy.array(inner[:3], dtype=float) - numpy.array(outer[:3], dtype=float), inverse)
    return [*place, *numpy.roll(turned, -1)]
