"""Text and TOML from files of strangers: bounded before they are parsed, never evaluated.

Every way in which reading can fail becomes a `RulesError` that names the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from .overlay import show
from .rules import Problem, RulesError

MOST_BYTES = 1_000_000
LONGEST_LINE = 20_000
MOST_DOTS = 120
MOST_PARTS = 150_000
DEEPEST = 40
_QUOTED = re.compile(
    r'"""(?:[^\\]|\\.?)*?(?:"""|\Z)'
    r"|'{3}.*?(?:'{3}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.DOTALL,
)
"""Texts and comments of a TOML file, as far as they can hide a dot."""


class _FileError(ValueError):
    """What makes a file unfit to be parsed, in words of ours."""


def read_text(file: Path, name: str) -> str:
    """The text of a file; messages call it by `name`.

    Raises `RulesError` for a file that is missing, too large, or not text.
    """
    try:
        return _bounded(file)
    except UnicodeDecodeError:
        why = "this file is not text in UTF-8"
    except FileNotFoundError:
        why = "there is no such file"
    except IsADirectoryError:
        why = "this is a folder, not a file"
    except OSError as error:
        why = f"this file cannot be read: {error.strerror}"
    except _FileError as error:
        why = str(error)
    raise RulesError(name, [Problem(name, "", why)])


def read_toml(file: Path, name: str) -> dict[str, Any]:
    """The content of a TOML file, decimals exact; messages call the file by `name`.

    Raises `RulesError` for whatever `read_text` refuses, and for what is not TOML.
    """
    import tomllib

    text = read_text(file, name)
    try:
        _check_size(text)
        document = tomllib.loads(text, parse_float=_decimal)
    except tomllib.TOMLDecodeError as error:
        why = f"this is not TOML: {error}"
    except RecursionError:
        raise too_deep(name) from None
    except _FileError as error:
        why = str(error)
    except ValueError:  # Python's own refusal to read an integer
        why = "a number has thousands of digits"
    else:
        check_depth(document, name)
        return document
    raise RulesError(name, [Problem(name, "", why)])


def _bounded(file: Path) -> str:
    if "\0" in str(file):
        raise FileNotFoundError
    with file.open("rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise _FileError(f"the file is larger than {MOST_BYTES:,} bytes")
    text = content.decode("utf-8").removeprefix("\ufeff")
    if max(map(len, text.split("\n")), default=0) > LONGEST_LINE:
        raise _FileError(f"a line is longer than {LONGEST_LINE:,} characters")
    return text


def _check_size(text: str) -> None:
    """Refuse what would keep the parser busy: keys of thousands of parts, too many keys or lists.

    The largest of our own games has a hundredth of what is allowed.
    """
    bare = _QUOTED.sub("", text)
    if max(line.count(".") for line in bare.split("\n")) > MOST_DOTS:
        raise _FileError(f"a line has more than {MOST_DOTS} dots outside quotation marks")
    if bare.count("=") + bare.count("[") > MOST_PARTS:
        raise _FileError(f"the file has more than {MOST_PARTS:,} keys and lists")


def _decimal(text: str) -> Fraction | float:
    """A decimal of a file, exactly; "nan" and "inf" are left to be refused where they stand."""
    if "n" in text.lower():
        return float(text)
    power = text.lower().replace("_", "").partition("e")[2] or "0"
    if len(text) > 40 or len(power) > 3 or abs(int(power)) > 30:
        raise _FileError(f"{show(text)} is not a number that a rule can use")
    return Fraction(text)


def too_deep(file: str) -> RulesError:
    """The error for boxes in boxes in boxes."""
    return RulesError(file, [Problem(file, "", "lists or tables are nested too deep")])


def check_depth(document: Any, file: str) -> None:
    """Refuse boxes in boxes in boxes, level by level, before anything walks into them."""
    level = [document]
    for _ in range(DEEPEST):
        level = [
            inside
            for box in level
            for inside in (box.values() if isinstance(box, Mapping) else box)
            if isinstance(inside, (Mapping, list))
        ]
    if level:
        raise too_deep(file)
