"""The games in a notebook: boards to step through, and questions that check answers.

`pause` works out what is shown and knows nothing of notebooks; `paper` is the board drawn by
`board.js`, `controls` a form drawn by `controls.js`; `stepper`, `film`, `quiz`, `explorer`,
`savings` and `tally` put them to work.  Needs the extra `lab`; nothing else in the package imports
this folder.
"""

try:
    import ipywidgets  # noqa: F401
    import traitlets  # noqa: F401
    from anywidget import AnyWidget  # noqa: F401
except ImportError as error:
    _TEXT = 'the widgets need ipywidgets and anywidget: pip install "boardrules[lab]"'
    raise ImportError(_TEXT) from error

from .controls import Choice, Controls, Group, Line, Slider, Tick
from .explorer import Explorer, explorer
from .film import Film, Reel, Shot, film
from .paper import Board, Paper
from .pause import Lesson
from .quiz import Quiz, judge, quiz, read_number, ways
from .savings import Savings, savings
from .stepper import Stepper, stepper
from .tally import Tallies, tallies

__all__ = [
    "Board",
    "Choice",
    "Controls",
    "Explorer",
    "Film",
    "Group",
    "Lesson",
    "Line",
    "Paper",
    "Quiz",
    "Reel",
    "Savings",
    "Shot",
    "Slider",
    "Stepper",
    "Tallies",
    "Tick",
    "explorer",
    "film",
    "judge",
    "quiz",
    "read_number",
    "savings",
    "stepper",
    "tallies",
    "ways",
]
