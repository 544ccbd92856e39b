"""The same scene under several solvers."""

import json
import os
import subprocess
import sys
from typing import Any

from ._drystone import Error


def compare(
    scene: str | os.PathLike[str],
    solvers: str | None = None,
    *,
    seconds: float | None = None,
    budget: float = 20.0,
    out: str | os.PathLike[str] | None = None,
    parameters: dict[str, object] | None = None,
) -> dict[str, Any]:
    """Runs a scene of the library or a file under several solvers and writes one page that shows them side by side.

    `solvers` is a list such as ``"vbd@5,vbd@20,abd"``, all solvers unless given; `seconds` is the simulated time [s], `budget`
    what a run may compute [s]. Returns the figures, among them where the page is (`page`). Runs in a process of its own, so
    that Ctrl-C ends it.
    """
    command = [sys.executable, "-m", "drystone", "compare", os.fspath(scene), "--json", "--budget", str(budget)]
    for option, value in [("--solvers", solvers), ("--seconds", seconds), ("--out", out)]:
        if value is not None:
            command += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    for key, setting in (parameters or {}).items():
        command += ["--set", f"{key}={setting}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Error(done.stderr.strip().removeprefix("error: "))
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures
