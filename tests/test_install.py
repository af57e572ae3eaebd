"""Installed as a wheel or in place, with little or much around it: the games are found and work."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import boardrules

ROOT = Path(__file__).resolve().parents[1]

LOOK = """
import boardrules
from boardrules.lab import lessons_folder
from boardrules.library import data_folder
print(boardrules.__file__)
print(data_folder().is_dir(), any(lessons_folder().glob("*.ipynb")))
print(boardrules.landing("corner_shop")["corner"])
"""


def ask(code: str, cwd: Path, **variables: str) -> list[str]:
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **variables},
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


def test_a_checkout_finds_its_games_from_anywhere(tmp_path: Path) -> None:
    where, found, corner = ask(LOOK, tmp_path)
    assert Path(where).parent == Path(boardrules.__file__).parent
    assert found == "True True"
    assert corner == "653/4392"


def test_a_wheel_brings_games_lessons_and_type_marker_along(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        names = set(archive.namelist())
    assert "boardrules/py.typed" in names
    assert "boardrules/data/monopoly/house/no_jail.toml" in names
    assert "boardrules/data/published/monopoly_landing.csv" in names
    where, found, corner = ask(LOOK, tmp_path, PYTHONPATH=str(tmp_path / "site"))
    assert where.startswith(str(tmp_path))
    assert found == "True True"
    assert corner == "653/4392"


def test_without_numpy_and_pandas_everything_but_frames_works(tmp_path: Path) -> None:
    lines = ask(
        """
import sys
for name in ("numpy", "pandas", "scipy", "plotly", "ipywidgets", "anywidget"):
    sys.modules[name] = None
from boardrules import landing, play, load, per, chain, rolls, bank, explain
walk = chain(load("monopoly"), number=float)
table = landing(walk)
print(round(table["illinois"], 8), len(table._repr_html_()) > 1000)
print(round(per(walk, rolls, bank).mean, 6))
print(len(list(play(load("payday"), turns=3))) >= 3)
try:
    table.frame()
except ImportError as error:
    print(error)
""",
        tmp_path,
    )
    assert lines == [
        "0.03185766 True",
        "28.703931",
        "True",
        "frames need pandas; install it, or use .rows, which needs nothing",
    ]
