"""A browser, and a JupyterLab of its own for each test session; everything outside is blocked."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    if CHROMIUM:
        return
    reason = "no Chromium found; install it, or name it in the environment as CHROMIUM"
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": {"width": 1366, "height": 768}}


@pytest.fixture
def offline(context: Any) -> Iterator[list[str]]:
    """Blocks whatever is not on this machine, and fails if anything tried."""
    blocked: list[str] = []

    def refuse(route: Any) -> None:
        blocked.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith(("http://127.0.0.1", "blob:", "data:")), refuse)
    yield blocked
    assert blocked == []


@contextmanager
def served(module: str, home: Path, *more: str) -> Iterator[tuple[str, Path]]:
    """A Jupyter server with settings of its own: its address, and the folder that it serves."""
    work = home / "work"
    work.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {
        name: str(home / name.lower())
        for name in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "IPYTHONDIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
        )
    }
    command = [sys.executable, "-m", module, "--no-browser", f"--port={port}", *more]
    log = (home / "log.txt").open("wb")
    server = subprocess.Popen(command, cwd=work, env={**os.environ, **own}, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, server, home / "log.txt")
        yield url, work
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        log.close()


OPEN = ("--allow-root", "--ip=127.0.0.1", "--ServerApp.port_retries=0", "--IdentityProvider.token=")
"""A server that asks for no password; nobody else can reach it."""


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a JupyterLab, and the folder that it serves."""
    more = ("--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None")
    with served("jupyterlab", tmp_path_factory.mktemp("lab"), *OPEN, *more) as found:
        yield found


@pytest.fixture(scope="session")
def notebook_7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a Jupyter Notebook, and the folder that it serves."""
    more = ("--JupyterNotebookApp.expose_app_in_browser=True",)
    with served("notebook", tmp_path_factory.mktemp("notebook"), *OPEN, *more) as found:
        yield found


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a Voila, which shows a lesson without its code, and the folder it serves."""
    with served("voila", tmp_path_factory.mktemp("voila"), "--Voila.ip=127.0.0.1") as found:
        yield found


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def run_all(page: Any) -> None:
    """Run all cells of the notebook that is open, in JupyterLab or Notebook, and wait for them."""
    page.wait_for_function(
        "() => window.jupyterapp?.shell?.currentWidget?.sessionContext", timeout=60_000
    )
    page.evaluate(
        """async () => {
          const context = window.jupyterapp.shell.currentWidget.sessionContext;
          await context.ready;
          await context.session.kernel.info;
          await window.jupyterapp.commands.execute('notebook:run-all-cells');
        }"""
    )


@pytest.fixture
def open_notebook(page: Any, lab: tuple[str, Path], offline: list[str]) -> Callable[[Path], Any]:
    """Opens a copy of a notebook in JupyterLab and runs all its cells."""

    def open_(notebook: Path) -> Any:
        url, work = lab
        shutil.copy(notebook, work / notebook.name)
        page.set_default_timeout(60_000)
        page.goto(f"{url}/lab/tree/{notebook.name}?reset")
        run_all(page)
        return page

    return open_


@pytest.fixture
def faults() -> Callable[..., list[str]]:
    """What keeps people with disabilities out: the serious faults that axe finds in a part."""

    def faults_(page: Any, root: str) -> list[str]:
        found = Axe().run(page, context=root).response["violations"]
        return [
            f"{fault['id']} ({fault['impact']}): {node['target']} {node['html'][:200]}"
            for fault in found
            if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"]
        ]

    return faults_
