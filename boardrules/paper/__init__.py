"""Pages to print for a class: the board, sheets to fill in, and the answers.

Every page is one HTML file that needs nothing else: no script, no picture from elsewhere.  It
prints on A4 or US letter and can be read in black and white.  `page` is what a page is made of,
`boards` draws, `sheets` has the tables; `paper` gives any of them by its name.
"""

from .boards import blank_page, board_page
from .choice import PAGES, paper
from .page import SIZES, Page, together
from .sheets import answers_page, squares_page, throws_page

__all__ = [
    "PAGES",
    "SIZES",
    "Page",
    "answers_page",
    "blank_page",
    "board_page",
    "paper",
    "squares_page",
    "throws_page",
    "together",
]
