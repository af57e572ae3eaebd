"""Linear systems, exactly or numerically, for whatever type of number a chain is made of.

There is one problem to solve, (1 - M) X = B, with M a part of a transition matrix given row by
row.  Fractions go to FLINT, floats to LAPACK, or to a sparse solver when the matrix is large;
numbers with a slope take two exact solves, and formulas with letters go to sympy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from .rules import Problem, RulesError
from .slope import Sloped

if TYPE_CHECKING:
    from .chain import N

MOST_EXACT = 2_000
"""More unknowns than this are not solved in Fractions: it would take hours."""

LARGE = 3_000
"""From this many unknowns on floats are solved with a sparse matrix."""


def resolvent(
    rows: Sequence[Mapping[int, N]],
    right: Sequence[Sequence[N]],
    number: Callable[[Fraction], N],
    *,
    transposed: bool = False,
) -> list[list[N]]:
    """The solution X of (1 - M) X = B, or of (1 - Mᵀ) X = B.

    `rows` is M (n rows of columns and values), `right` is B (n rows of k values); the result has
    the shape of B and the same type of number.  Raises `ZeroDivisionError` if 1 - M is singular.
    """
    if not rows or not right[0]:
        return [list(row) for row in right]
    one: Any = number(Fraction(1))
    for kind, solver in _SOLVERS.items():
        if isinstance(one, kind):
            solved: list[list[N]] = solver(rows, right, transposed)
            return solved
    if hasattr(one, "field"):  # an element of a field of fractions, such as QQ(p)
        return _symbolically(rows, right, transposed, one.field)  # type: ignore[no-any-return]
    raise TypeError(f"no solver for numbers of type {type(one).__name__}")


def dot(left: Sequence[Any], right: Sequence[Any], number: Callable[[Fraction], N]) -> N:
    """The sum of the products of two rows: exactly, and without the cost of adding Fractions."""
    zero: Any = number(Fraction(0))
    rational = all(isinstance(b, (int, Fraction)) for b in right)
    if not (isinstance(zero, Fraction) and rational):
        if isinstance(zero, Fraction) and any(isinstance(b, float) for b in right):
            raise TypeError(
                "a price of an exact chain gives whole numbers or Fractions, not floats"
            )
        return sum((a * b for a, b in zip(left, right, strict=True)), zero)  # type: ignore[no-any-return]
    from flint import fmpq

    whole = fmpq(0)
    for a, b in zip(left, right, strict=True):
        whole += fmpq(a.numerator, a.denominator) * fmpq(b.numerator, b.denominator)
    result: Any = _fraction(whole)
    return result  # type: ignore[no-any-return]


def combined(
    weights: Sequence[Any], rows: Sequence[Sequence[Any]], number: Callable[[Fraction], N]
) -> list[N]:
    """The sum of some rows, each times its weight."""
    zero: Any = number(Fraction(0))
    if not rows:
        return []
    if not isinstance(zero, Fraction) or not all(isinstance(one, Fraction) for one in rows[0]):
        return [dot(weights, column, number) for column in zip(*rows, strict=True)]
    from flint import fmpq, fmpq_mat

    size, width = len(rows), len(rows[0])
    left = fmpq_mat(1, size, [fmpq(one.numerator, one.denominator) for one in weights])
    flat = [fmpq(one.numerator, one.denominator) for row in rows for one in row]
    product = left * fmpq_mat(size, width, flat)
    result: Any = [_fraction(product[0, k]) for k in range(width)]
    return result  # type: ignore[no-any-return]


def _exactly(
    rows: Sequence[Mapping[int, Fraction]],
    right: Sequence[Sequence[Fraction]],
    transposed: bool,  # noqa: FBT001 - called by position from the table of solvers
) -> list[list[Fraction]]:
    from flint import fmpq, fmpq_mat

    size, width = len(rows), len(right[0])
    if size > MOST_EXACT:
        text = f"{size:,} states are too many to solve exactly; use number=float"
        raise RulesError("solve", [Problem("", "", text)])
    matrix = fmpq_mat(size, size)
    for i in range(size):
        matrix[i, i] = 1
    for i, row in enumerate(rows):
        for j, value in row.items():
            a, b = (j, i) if transposed else (i, j)
            matrix[a, b] -= fmpq(value.numerator, value.denominator)
    flat = [fmpq(value.numerator, value.denominator) for row in right for value in row]
    solved = matrix.solve(fmpq_mat(size, width, flat))
    return [[_fraction(solved[i, k]) for k in range(width)] for i in range(size)]


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _numerically(
    rows: Sequence[Mapping[int, float]],
    right: Sequence[Sequence[float]],
    transposed: bool,  # noqa: FBT001
) -> list[list[float]]:
    try:
        import numpy as np
    except ImportError:  # in a browser, say: exactly, and then rounded
        return _rounded(rows, right, transposed)
    places = [(i, j) for i, row in enumerate(rows) for j in row]
    values = [value for row in rows for value in row.values()]
    if transposed:
        places = [(j, i) for i, j in places]
    if len(rows) > LARGE and find_spec("scipy"):
        return _sparsely(places, values, right)
    matrix = np.eye(len(rows))
    if places:
        down, across = np.array(places, dtype=np.intp).T
        matrix[down, across] -= np.array(values)
    try:
        solved: list[list[float]] = np.linalg.solve(matrix, np.array(right)).tolist()
    except np.linalg.LinAlgError as error:
        raise ZeroDivisionError(str(error)) from None
    return solved


def _sparsely(
    places: list[tuple[int, int]], values: list[float], right: Sequence[Sequence[float]]
) -> list[list[float]]:
    import numpy as np
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    size = len(right)
    down, across = np.array(places, dtype=np.intp).T
    matrix = csc_array(eye_array(size) - csc_array((values, (down, across)), shape=(size, size)))
    solved: list[list[float]] = splu(matrix).solve(np.array(right)).tolist()
    return solved


def _rounded(
    rows: Sequence[Mapping[int, float]],
    right: Sequence[Sequence[float]],
    transposed: bool,  # noqa: FBT001
) -> list[list[float]]:
    exact = _exactly(
        [{j: Fraction(value) for j, value in row.items()} for row in rows],
        [[Fraction(value) for value in row] for row in right],
        transposed,
    )
    return [[float(value) for value in row] for row in exact]


def _with_slopes(
    rows: Sequence[Mapping[int, Sloped]],
    right: Sequence[Sequence[Sloped]],
    transposed: bool,  # noqa: FBT001
) -> list[list[Sloped]]:
    """Two solves: for the values, and for the slopes X' with (1 - M) X' = B' + M' X."""
    plain = [{j: value.value for j, value in row.items()} for row in rows]
    values = _exactly(plain, [[one.value for one in row] for row in right], transposed)
    steep = [[one.slope for one in row] for row in right]
    for i, row in enumerate(rows):
        for j, value in row.items():
            a, b = (j, i) if transposed else (i, j)
            if value.slope:
                steep[a] = [
                    have + value.slope * x for have, x in zip(steep[a], values[b], strict=True)
                ]
    slopes = _exactly(plain, steep, transposed)
    return [list(map(Sloped, *pair)) for pair in zip(values, slopes, strict=True)]


def _symbolically(
    rows: Sequence[Mapping[int, Any]],
    right: Sequence[Sequence[Any]],
    transposed: bool,  # noqa: FBT001
    field: Any,
) -> Any:
    """In a field of fractions with letters: sympy's dense elimination."""
    from sympy.polys.matrices import DomainMatrix

    size, domain = len(rows), field.to_domain()
    dense = [[domain.zero] * size for _ in range(size)]
    for i, row in enumerate(rows):
        dense[i][i] += domain.one
        for j, value in row.items():
            dense[i][j] -= value
    matrix = DomainMatrix(dense, (size, size), domain)
    wanted = DomainMatrix([list(row) for row in right], (size, len(right[0])), domain)
    return (matrix.transpose() if transposed else matrix).lu_solve(wanted).to_list()


_SOLVERS: Mapping[type, Callable[..., Any]] = {
    Fraction: _exactly,
    float: _numerically,
    Sloped: _with_slopes,
}
"""Who solves for which type of number; a further type needs one more line here."""
