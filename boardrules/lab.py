"""The lessons on the user's own disk: copied to a folder, opened, or made into web pages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = "boardrules-lessons"
SOLUTIONS = "solutions"
"""Where the lessons with their solutions lie, beside the lessons and in a copy of them."""
_RECORD = ".copied.json"
_NEWS = "@jupyterlab/apputils-extension:announcements"
"""The part of JupyterLab that asks whether it may fetch news."""


def lessons_folder() -> Path:
    """Where the lessons come from: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "notebooks"
    return inside if inside.is_dir() else package.parent / "notebooks"


def copy_lessons(folder: Path, *, solutions: bool = False) -> Iterator[str]:
    """Copy all lessons to a folder, and tell about each file what was done with it.

    A lesson that somebody has worked in is left as it is; one that was copied earlier and not
    changed since is brought up to date.  Those with `solutions` are copied only if wanted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = _read_record(folder / _RECORD)
    for name in _names(solutions=solutions):
        source, target = lessons_folder() / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        content = source.read_bytes()
        if target.exists():
            own = _digest(target.read_bytes())
            if own == _digest(content):
                yield f"{name}: there already"
            elif own != record.get(name):
                yield f"{name}: kept, you have changed it"
                continue
            else:
                _write(target, content)
                yield f"{name}: brought up to date"
        else:
            _write(target, content)
            yield f"{name}: copied"
        record[name] = _digest(content)
    _write(folder / _RECORD, json.dumps(record, indent=1).encode())


def _names(*, solutions: bool) -> list[str]:
    """The files to copy, as paths from the folder of the lessons."""
    folder = lessons_folder()
    found = [*folder.glob("*.ipynb"), *(folder.glob(f"{SOLUTIONS}/*.ipynb") if solutions else ())]
    return sorted(file.relative_to(folder).as_posix() for file in found)


def can_open() -> bool:
    """Whether JupyterLab and the widgets are installed."""
    return all(find_spec(name) for name in ("jupyterlab", "ipywidgets", "anywidget", "plotly"))


def open_lab(folder: Path, *, browser: bool = True) -> int:
    """Open JupyterLab in a folder and wait until it is closed; its exit status.

    It does not ask for news from the internet: not what a class should see first.
    """
    command = [sys.executable, "-m", "jupyterlab", "--LabApp.news_url=None"]
    if not browser:
        command.append("--no-browser")
    with TemporaryDirectory() as quiet:
        page = Path(quiet) / "labconfig" / "page_config.json"
        page.parent.mkdir()
        page.write_text(json.dumps({"disabledExtensions": {_NEWS: True}}))
        places = [quiet, *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
        settings = {**os.environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(places)}
        ended = subprocess.run(command, cwd=folder, check=False, env=settings)  # noqa: S603 - ours
    return ended.returncode


def export(lessons: Sequence[Path], folder: Path) -> Iterator[str]:
    """Run lessons and write each as one web page that needs no internet; tells what was done.

    Charts stay alive; boards, which need Python behind them, are still pictures.  A page is
    written whole or not at all.  Raises `OSError` if the folder cannot be written, and
    `ExportError` if a lesson does not run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings = {**os.environ, "PLOTLY_RENDERER": "plotly_mimetype+notebook"}
    for lesson in lessons:
        target = folder / f"{lesson.stem}.html"
        command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--stdout"]
        command += ["--log-level=ERROR", f"--NbConvertBase.display_data_priority={_SHOWN}"]
        ended = subprocess.run(  # noqa: S603 - ours
            [*command, str(lesson)], check=False, env=settings, capture_output=True
        )
        if ended.returncode:
            raise ExportError(lesson.name, ended.stderr.decode(errors="replace"))
        _write(target, ended.stdout)
        yield f"{lesson.name}: written to {target}"


class ExportError(Exception):
    """A lesson that does not run cannot become a page."""

    def __init__(self, lesson: str, log: str) -> None:
        lines = _COLOURS.sub("", log).splitlines()
        last = next((line for line in reversed(lines) if line.strip()), "")
        super().__init__(f"{lesson} does not run: {last.strip()}")


_SHOWN = ["text/html", "image/svg+xml", "text/latex", "image/png", "text/markdown", "text/plain"]
"""What a page shows of a result, the best first; a widget could not be brought to life there."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _write(target: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    draft = target.with_name(target.name + ".part")
    draft.write_bytes(content)
    draft.replace(target)


def _read_record(file: Path) -> dict[str, str]:
    try:
        found = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}
