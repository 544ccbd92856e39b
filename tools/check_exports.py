"""Opens what `drystone run` wrote with other people's software and compares it with the recording.

usage: check_exports.py FOLDER NAME SCHEMA

reads NAME.npz, NAME.glb, NAME.usda, NAME.png, NAME.gif and NAME.json in FOLDER; SCHEMA is that of reports.
`cargo xtask exports` runs it in an environment of its own (numpy, pygltflib, trimesh, usd-core, pillow, jsonschema).
"""

import json
import sys
import zipfile
from pathlib import Path

import jsonschema
import numpy as np
import pygltflib
import trimesh
from PIL import Image
from pxr import Usd, UsdGeom

# Exporters write single precision.
TOLERANCE = 2e-6


def near(one, other, what):
    one, other = np.asarray(one, float), np.asarray(other, float)
    size = max(1.0, float(np.abs(other).max(initial=0.0)))
    assert one.shape == other.shape and np.abs(one - other).max(initial=0.0) <= TOLERANCE * size, what


def rotation_matrix(q):
    x, y, z, w = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


def check_recording(path):
    assert zipfile.ZipFile(path).testzip() is None, "a member of the archive is damaged"
    data = np.load(path, allow_pickle=False)
    frames, bodies = len(data["time"]), len(data["body_name"])
    shapes = {
        "body_q": (frames, bodies, 7), "body_qd": (frames, bodies, 6), "body_mass": (bodies,),
        "body_inertia": (bodies, 3, 3), "joint_error": (frames, len(data["joint_type"])),
    }
    for name, shape in shapes.items():
        assert data[name].shape == shape, f"{name} has shape {data[name].shape}, not {shape}"
    assert np.all(np.diff(data["time"]) > 0.0), "time does not advance"
    near(np.linalg.norm(data["body_q"][..., 3:], axis=-1), np.ones((frames, bodies)), "quaternions of length one")
    particles = len(data["particle_mass"])
    assert data["particle_q"].shape == data["particle_qd"].shape == (frames, particles, 3), "particles in every frame"
    for name in ("particle_triangle", "spring_particle", "edge_particle", "tet_particle"):
        assert data[name].max(initial=-1) < particles, f"{name} points at particles"
    vertices, triangles = data["mesh_vertex"], data["mesh_triangle"]
    assert triangles.max() < len(vertices) == len(data["mesh_body"]), "triangles point at vertices"
    return data


def check_glb(path, data):
    scene = trimesh.load(path)
    assert len(scene.geometry) > 0 and np.isfinite(scene.bounds).all(), "trimesh sees a scene"
    gltf = pygltflib.GLTF2().load(str(path))
    names = [node.name for node in gltf.nodes]
    channels = {(c.target.node, c.target.path): a.samplers[c.sampler] for a in gltf.animations for c in a.channels}
    checked = 0
    for body, name in enumerate(map(str, data["body_name"])):
        if name not in names or (names.index(name), "translation") not in channels:
            continue
        sampler = channels[names.index(name), "translation"]
        track, times = accessor(gltf, sampler.output), accessor(gltf, sampler.input).ravel()
        frames = np.searchsorted(data["time"] - data["time"][0], times - times[0] - 1e-6)
        near(track, data["body_q"][frames, body, :3], f"the track of {name}")
        checked += 1
    shapes = check_morphs(gltf, names, channels, data)
    return f"{len(scene.geometry)} meshes, {checked} animated bodies, {shapes} shapes of cloth and soft bodies"


def check_morphs(gltf, names, channels, data):
    """Vertices with the weights of every key are places of particles, and every particle of a surface has one."""
    shapes = 0
    on_surface = np.unique(data["particle_triangle"])
    for node, name in enumerate(names):
        if not name.startswith(("cloth_", "soft_body_")):
            continue
        primitive = gltf.meshes[gltf.nodes[node].mesh].primitives[0]
        assert gltf.materials[primitive.material].doubleSided == name.startswith("cloth_"), "sheets have two sides"
        base = accessor(gltf, primitive.attributes.POSITION)
        targets = [accessor(gltf, target["POSITION"]) for target in primitive.targets]
        sampler = channels[node, "weights"]
        times = accessor(gltf, sampler.input).ravel()
        weights = accessor(gltf, sampler.output).reshape(len(times), len(targets))
        frames = np.searchsorted(data["time"] - data["time"][0], times - times[0] - 1e-6)
        for frame, weight in zip(frames, weights):
            vertices = base + np.tensordot(weight, np.array(targets), 1)
            check_surface(vertices, data["particle_q"][frame][on_surface], f"{name} in frame {frame}")
            shapes += 1
    return shapes


def check_surface(vertices, particles, what):
    far = np.linalg.norm(vertices[:, None] - particles[None], axis=-1)
    assert max(far.min(axis=0).max(), far.min(axis=1).max()) < 1e-5, f"{what}: vertices are not where particles are"


def accessor(gltf, index):
    entry = gltf.accessors[index]
    view = gltf.bufferViews[entry.bufferView]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[entry.type]
    start = (view.byteOffset or 0) + (entry.byteOffset or 0)
    flat = np.frombuffer(gltf.binary_blob(), np.float32, entry.count * width, start)
    return flat.reshape(entry.count, width)


def check_usda(path, data):
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0, "lengths are in metres"
    meshes = 0
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            sound, why = UsdGeom.Mesh.ValidateTopology(
                mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(),
                len(mesh.GetPointsAttr().Get(Usd.TimeCode.EarliestTime())))
            assert sound, f"{prim.GetPath()}: {why}"
            meshes += 1
    on_surface = np.unique(data["particle_triangle"])
    soft = [prim for prim in stage.Traverse() if prim.GetName().startswith(("cloth_", "soft_body_"))]
    for prim in soft:
        mesh = UsdGeom.Mesh(prim)
        assert mesh.GetDoubleSidedAttr().Get() == prim.GetName().startswith("cloth_"), "sheets have two sides"
        assert mesh.GetNormalsInterpolation() == "vertex", "normals are those of vertices"
        for frame, time in enumerate(data["time"] - data["time"][0]):
            points = np.array(mesh.GetPointsAttr().Get(time * stage.GetTimeCodesPerSecond()))
            check_surface(points, data["particle_q"][frame][on_surface], f"{prim.GetPath()} in frame {frame}")
    moving = [prim for prim in stage.Traverse()
              if prim.IsA(UsdGeom.Xform) and UsdGeom.Xformable(prim).TransformMightBeTimeVarying()]
    last = len(data["time"]) - 1
    code = (data["time"][last] - data["time"][0]) * stage.GetTimeCodesPerSecond()
    poses = data["body_q"][last]
    for prim in moving:
        found = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code)
        place = np.array(found.ExtractTranslation())
        turn = np.array(found.ExtractRotationMatrix()).T
        fits = [np.abs(place - q[:3]).max() + np.abs(turn - rotation_matrix(q[3:])).max() for q in poses]
        assert min(fits) < 1e-4 * max(1.0, np.abs(place).max()), f"{prim.GetPath()} is where no body is"
    return f"{meshes} meshes, {len(moving)} moving bodies, {len(soft)} of cloth and soft bodies"


def check_pictures(png, gif):
    picture, film = Image.open(png), Image.open(gif)
    picture.load()
    assert len(np.unique(np.asarray(picture.convert("L")))) > 20, "the picture shows something"
    for frame in range(film.n_frames):
        film.seek(frame)
        film.load()
    assert film.n_frames > 1, "the film moves"
    return f"{picture.size[0]}x{picture.size[1]} pixels, {film.n_frames} frames"


def check_report(path, schema, data):
    report, schema = json.loads(path.read_text()), json.loads(Path(schema).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(report)
    # A schema that lets anything pass would prove nothing.
    assert not validator.is_valid({**report, "steps": "many"}), "the schema takes a text for a number"
    assert not validator.is_valid({**report, "unheard_of": 1}), "the schema takes unknown keys"
    assert not validator.is_valid({key: value for key, value in report.items() if key != "series"}), "nothing is required"
    series = report["series"]
    assert all(len(column) == len(series["time"]) for column in series.values()), "columns of equal length"
    near(series["time"], data["time"][1:], "the report has the times of the recording")
    return f"{len(series['time'])} steps, {len(series)} columns"


def main(folder, name, schema):
    paths = {kind: Path(folder) / f"{name}.{kind}" for kind in ("npz", "glb", "usda", "png", "gif", "json")}
    data = check_recording(paths["npz"])
    print(f"npz: {len(data['time'])} frames of {len(data['body_name'])} bodies")
    print("glb:", check_glb(paths["glb"], data))
    print("usda:", check_usda(paths["usda"], data))
    print("pictures:", check_pictures(paths["png"], paths["gif"]))
    print("report:", check_report(paths["json"], schema, data))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
