"""Newton's SolverVBD on the CPU in its augmented-Lagrangian form: `substeps` × `iterations` to a frame."""

import importlib.metadata

import newton
import numpy
import warp

# Stiffness of contacts of particles [N/m]: their loads are grams.
SOFT_STIFFNESS = 1e5
# Contact and joint stiffness [N/m]: hard enough to sink less than a millimetre under these loads. Newton's defaults
# are made for centimetres and grams.
STIFFNESS = 1e7


class World:
    def __init__(self, scene, options):
        warp.config.quiet = True
        versions = [importlib.metadata.version(name) for name in ("newton", "warp-lang")]
        self.version = "{} (warp {})".format(*versions)
        self.substeps = int(options.get("substeps", 10))
        self.dt = scene["dt"] / self.substeps
        stiffness = float(options.get("stiffness", STIFFNESS))
        builder = newton.ModelBuilder(gravity=warp.vec3(*scene["gravity"]))
        self.fill(builder, scene, stiffness)
        add_particles(builder, scene["particles"])
        builder.color()
        # Bodies keep all their coordinates, so joints need no trees.
        self.model = builder.finalize(device="cpu", skip_validation_joints=True)
        self.particles = scene["particles"]
        self.collides = any(shape["mask"] and shape["group"] for shape in scene["shapes"])
        thick = max(self.particles["radius"], default=0.0)
        layers = thick > 0.0 and len(self.particles["triangles"]) > 0
        # Surfaces keep the sum of the radii, as here; they are looked for half as far again.
        layered = {"particle_self_contact_radius": 2.0 * thick, "particle_self_contact_margin": 3.0 * thick}
        if self.particles["mass"]:
            self.model.soft_contact_ke, self.model.soft_contact_kd = SOFT_STIFFNESS, 0.0
            self.model.soft_contact_mu = 0.6
        self.solver = newton.solvers.SolverVBD(
            self.model,
            iterations=int(options.get("iterations", 5)),
            rigid_compliant_alm=True,
            rigid_joint_linear_ke=stiffness,
            rigid_contact_history=self.collides,
            particle_enable_self_contact=layers,
            **(layered if layers else {}),
        )
        self.pipeline = None
        if self.collides:
            self.pipeline = newton.CollisionPipeline(self.model, broad_phase="sap", contact_matching="latest")
            self.contacts = self.pipeline.contacts()
        self.now, self.next = self.model.state(), self.model.state()
        self.control = self.model.control()
        twists = numpy.array([body["velocity"] for body in scene["bodies"]], dtype=numpy.float32)
        if len(twists):
            self.now.body_qd.assign(twists)

    def fill(self, builder, scene, stiffness):
        Config = newton.ModelBuilder.ShapeConfig
        jointed = {joint[end] for joint in scene["joints"] for end in ("parent", "child")}
        for index, body in enumerate(scene["bodies"]):
            dynamic = body["kind"] == "dynamic"
            facts = {"xform": transform(body["pose"]), "com": warp.vec3(*body["com"]), "lock_inertia": True}
            if dynamic:
                facts |= {"mass": body["mass"], "inertia": warp.mat33(*sum(body["inertia"], []))}
            else:
                facts["is_kinematic"] = True
            add = builder.add_link if index in jointed and dynamic else builder.add_body
            add(**facts)
        for shape in scene["shapes"]:
            config = Config(density=0.0, ke=stiffness, kd=0.0, mu=shape["friction"], restitution=shape["restitution"])
            if not (shape["mask"] and shape["group"]):
                config.has_shape_collision = False
            add_shape(builder, shape, config)
        for joint in scene["joints"]:
            builder.add_joint_ball(
                joint["parent"],
                joint["child"],
                parent_xform=transform([*joint["anchor_parent"], 0, 0, 0, 1]),
                child_xform=transform([*joint["anchor_child"], 0, 0, 0, 1]),
            )

    def step(self):
        for _ in range(self.substeps):
            self.now.clear_forces()
            if self.pipeline:
                self.pipeline.collide(self.now, self.contacts)
            self.solver.step(self.now, self.next, self.control, self.contacts if self.pipeline else None, self.dt)
            self.now, self.next = self.next, self.now

    def state(self):
        # Both are of the body frame and the centre of mass, linear part first, as here.
        parts = []
        if self.now.body_q is not None and len(self.now.body_q):
            parts.append(numpy.hstack([self.now.body_q.numpy(), self.now.body_qd.numpy()]))
        if self.particles["mass"]:
            parts.append(numpy.hstack([self.now.particle_q.numpy(), self.now.particle_qd.numpy()]))
        return numpy.concatenate([part.astype(numpy.float64).ravel() for part in parts])


def add_particles(builder, particles):
    """Cloth, soft bodies and strings at rest where they start."""
    for at, velocity, mass, radius in zip(*(particles[name] for name in ("position", "velocity", "mass", "radius"))):
        builder.add_particle(warp.vec3(*at), warp.vec3(*velocity), mass, radius=radius)
    for spring in particles["springs"]:
        builder.add_spring(*spring["ends"], spring["stiffness"], spring["damping"], 0.0)
    for corners, (mu, lame, damping) in zip(particles["triangles"], particles["triangle_material"]):
        builder.add_triangle(*corners, tri_ke=mu, tri_ka=lame, tri_kd=damping)
    for fold in particles["folds"]:
        builder.add_edge(*fold["corners"], rest=fold["angle"], edge_ke=fold["stiffness"], edge_kd=fold["damping"])
    for corners, (mu, lame, damping) in zip(particles["tetrahedra"], particles["tetrahedron_material"]):
        builder.add_tetrahedron(*corners, k_mu=mu, k_lambda=lame, k_damp=damping)


def transform(pose):
    return warp.transform(warp.vec3(*pose[:3]), warp.quat(*pose[3:]))


def add_shape(builder, shape, config):
    kind, body, place = shape["type"], shape["body"], transform(shape["pose"])
    if kind == "box":
        hx, hy, hz = shape["half"]
        builder.add_shape_box(body, xform=place, hx=hx, hy=hy, hz=hz, cfg=config)
    elif kind == "sphere":
        builder.add_shape_sphere(body, xform=place, radius=shape["radius"], cfg=config)
    elif kind == "capsule":
        builder.add_shape_capsule(
            body, xform=place, radius=shape["radius"], half_height=shape["half_height"], cfg=config
        )
    elif kind == "plane":
        builder.add_ground_plane(cfg=config)
    elif kind == "hull":
        points = numpy.array(shape["points"], dtype=numpy.float32)
        mesh = newton.Mesh(points, numpy.array(sum(shape["triangles"], []), dtype=numpy.int32))
        builder.add_shape_convex_hull(body, xform=place, mesh=mesh, cfg=config)
    else:
        raise ValueError(f"no counterpart in Newton for {kind}")
