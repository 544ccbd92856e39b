"""The example notebooks run, and films are shown."""

import json
from pathlib import Path

import pytest

import drystone
from drystone.notebook import film, picture

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "examples" / "notebooks").glob("*.ipynb"))


def test_films_and_pictures_hold_all_they_show() -> None:
    sim = drystone.load_scene("pyramid", rows=3).simulation()
    shown = film(sim, seconds=0.2, width=32, height=18, fps=10)
    assert sim.step_count == 12 and shown.content[:6] == b"GIF89a"
    assert shown._repr_html_().startswith('<img alt="film of 3 frames" src="data:image/gif;base64,')
    assert picture(sim, width=32, height=18).content[:4] == b"\x89PNG"
    with pytest.raises(ValueError, match="seconds"):
        film(sim)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.stem))
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("gymnasium")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    space: dict[str, object] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, {cell['id']}", "exec"), space)
    from matplotlib import pyplot

    assert pyplot.get_fignums(), "the notebook draws nothing"
    pyplot.close("all")


def test_there_are_three_notebooks() -> None:
    assert len(NOTEBOOKS) == 3
