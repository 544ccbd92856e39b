"""Films and pictures inside a notebook.

    film(recording)             # the last expression of a cell
    film(sim, seconds=2.0)      # simulates two seconds and shows them
    picture(sim)
"""

import base64
import tempfile
from pathlib import Path

from ._drystone import Recording, Simulation

__all__ = ["Image", "film", "picture"]


class Image:
    """A picture or film that a notebook shows; `content` holds the bytes of the file, `kind` is `png` or `gif`."""

    def __init__(self, content: bytes, kind: str, text: str) -> None:
        self.content, self.kind, self.text = content, kind, text

    def _repr_html_(self) -> str:
        encoded = base64.b64encode(self.content).decode()
        return f'<img alt="{self.text}" src="data:image/{self.kind};base64,{encoded}"/>'

    def __repr__(self) -> str:
        return f"<{self.text}, {len(self.content)} bytes>"


def film(
    motion: Recording | Simulation,
    *,
    seconds: float | None = None,
    width: int = 480,
    height: int = 270,
    fps: float = 25.0,
    eye: tuple[float, float, float] | None = None,
    target: tuple[float, float, float] | None = None,
) -> Image:
    """A film in real time of a recording, or of the next `seconds` [s] of a simulation, which is stepped."""
    if isinstance(motion, Simulation):
        if seconds is None:
            raise ValueError("say how many `seconds` of the simulation to show")
        recording = Recording(motion.model, every=max(1, round(1 / (fps * motion.dt))))
        recording.push(motion)
        for _ in range(round(seconds / motion.dt)):
            motion.step()
            recording.push(motion)
    elif seconds is not None:
        raise ValueError("a recording is shown whole; leave `seconds` out")
    else:
        recording = motion
    content = _saved(recording, ".gif", width=width, height=height, fps=fps, eye=eye, target=target)
    return Image(content, "gif", f"film of {len(recording)} frames")


def picture(
    sim: Simulation,
    *,
    width: int = 480,
    height: int = 270,
    eye: tuple[float, float, float] | None = None,
    target: tuple[float, float, float] | None = None,
) -> Image:
    """A picture of a simulation as it is."""
    recording = Recording(sim.model)
    recording.push(sim)
    content = _saved(recording, ".png", width=width, height=height, fps=25.0, eye=eye, target=target)
    return Image(content, "png", f"picture at {sim.time:.3f} s")


def _saved(
    recording: Recording,
    ending: str,
    *,
    width: int,
    height: int,
    fps: float,
    eye: tuple[float, float, float] | None,
    target: tuple[float, float, float] | None,
) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"motion{ending}"
        recording.save(path, width=width, height=height, fps=fps, eye=eye, target=target)
        return path.read_bytes()
