"""A number that knows its slope: how a result changes when one chance changes a little.

Calculating with such pairs gives exact derivatives of every measure, with no formula of its own
(forward differentiation with dual numbers).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Plain: TypeAlias = "Fraction | int"


@dataclass(frozen=True, slots=True)
class Sloped:
    """A value at one point, and its exact derivative there."""

    value: Fraction
    slope: Fraction = Fraction(0)

    def __add__(self, other: Sloped | Plain) -> Sloped:
        other = _sloped(other)
        return Sloped(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __neg__(self) -> Sloped:
        return Sloped(-self.value, -self.slope)

    def __sub__(self, other: Sloped | Plain) -> Sloped:
        return self + -_sloped(other)

    def __rsub__(self, other: Sloped | Plain) -> Sloped:
        return _sloped(other) - self

    def __mul__(self, other: Sloped | Plain) -> Sloped:
        other = _sloped(other)
        return Sloped(self.value * other.value, self.value * other.slope + self.slope * other.value)

    __rmul__ = __mul__

    def __truediv__(self, other: Sloped | Plain) -> Sloped:
        other = _sloped(other)
        value = self.value / other.value
        return Sloped(value, (self.slope - value * other.slope) / other.value)

    def __rtruediv__(self, other: Sloped | Plain) -> Sloped:
        return _sloped(other) / self

    def __bool__(self) -> bool:
        return bool(self.value or self.slope)

    def __float__(self) -> float:
        return float(self.value)


def _sloped(number: Sloped | Plain) -> Sloped:
    return number if isinstance(number, Sloped) else Sloped(Fraction(number))
