"""Types of the compiled module. Shapes: M is (n, n); q, z, lower and upper are (n,)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

class _Array(Protocol):
    """Anything that numpy makes an array of."""

    def __array__(self) -> NDArray[Any]: ...

class _Sparse(Protocol):
    """A matrix of scipy.sparse."""

    def tocoo(self) -> Any: ...

Number: TypeAlias = float | SupportsIndex | Fraction | Decimal | str
Vector: TypeAlias = NDArray[Any] | Sequence[Number] | _Array
Matrix: TypeAlias = NDArray[Any] | Sequence[Sequence[Number]] | Sequence[NDArray[Any]] | _Array | _Sparse
Bounds: TypeAlias = Vector | Number
FrictionRow: TypeAlias = tuple[int, int, Number] | Mapping[str, Any]
Friction: TypeAlias = Sequence[FrictionRow]
Doubles: TypeAlias = NDArray[np.float64]
Status: TypeAlias = Literal["solved", "unsolvable", "failed"]
TruthStatus: TypeAlias = Literal["solvable", "unsolvable", "unknown"]
VerdictKind: TypeAlias = Literal["exact", "accepted", "perturbed", "rejected", "proved", "unproved", "refuted", "failed"]
Unique: TypeAlias = Literal["z", "w"] | None
Answer: TypeAlias = Vector | Claim | None

__version__: str

class Problem:
    def __init__(
        self,
        M: Matrix,
        q: Vector,
        lower: Bounds | None = None,
        upper: Bounds | None = None,
        friction: Friction | None = None,
        *,
        name: str = "problem",
        cones: list[dict[str, Any]] | None = None,
        blocks: Sequence[Sequence[int] | NDArray[Any]] | None = None,
        scale: Vector | None = None,
    ) -> None: ...
    @staticmethod
    def from_json(record: str, suite: str | None = None) -> Problem: ...
    def to_json(self) -> str: ...
    @property
    def n(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def suite(self) -> str | None: ...
    @property
    def M(self) -> Doubles: ...
    @property
    def q(self) -> Doubles: ...
    @property
    def lower(self) -> Doubles | None: ...
    @property
    def upper(self) -> Doubles | None: ...
    @property
    def friction(self) -> list[tuple[int, int, float]]: ...
    @property
    def cones(self) -> list[dict[str, Any]]: ...
    @property
    def blocks(self) -> list[list[int]]: ...
    @property
    def scale(self) -> Doubles | None: ...
    def data(
        self, *, exact: bool = False
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None, NDArray[Any] | None, list[tuple[int, int, Any]]]: ...
    @property
    def is_pure(self) -> bool: ...
    @property
    def is_binary64(self) -> bool: ...
    @property
    def has_bounds(self) -> bool: ...
    @property
    def is_symmetric_psd(self) -> bool: ...
    @property
    def expect(self) -> dict[str, Any] | None: ...
    @property
    def tags(self) -> list[str]: ...
    @property
    def source(self) -> Any: ...
    @property
    def notes(self) -> str | None: ...
    def _repr_html_(self) -> str: ...

class Capabilities:
    def __init__(self, words: str | Iterable[str] | None = None) -> None: ...
    @staticmethod
    def of(solver: Callable[..., Any]) -> Capabilities: ...
    def lacks(self, problem: Problem) -> str | None: ...
    def with_what_lacks(self, problem: Problem) -> Capabilities | None: ...

class Claim:
    def __init__(
        self,
        status: Status,
        z: Vector | None = None,
        *,
        certificate: Mapping[str, Any] | None = None,
        message: str | None = None,
        name: str = "problem",
    ) -> None: ...
    @staticmethod
    def from_json(record: str, *, exact: bool = False) -> Claim: ...
    def to_json(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def solved(self) -> bool: ...
    @property
    def z(self) -> NDArray[Any] | None: ...
    @property
    def z_exact(self) -> NDArray[np.object_] | None: ...
    @property
    def certificate(self) -> dict[str, Any] | None: ...
    @property
    def basis(self) -> str | None: ...
    @property
    def method(self) -> str | None: ...
    @property
    def pivots(self) -> int | None: ...
    @property
    def seconds(self) -> float | None: ...
    @property
    def message(self) -> str | None: ...

class Verdict:
    @property
    def name(self) -> str: ...
    @property
    def verdict(self) -> VerdictKind: ...
    @property
    def accepted(self) -> bool: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def error(self) -> float | Fraction | None: ...
    @property
    def by(self) -> str | None: ...
    @property
    def grade(self) -> str | None: ...
    @property
    def ill_conditioned(self) -> float | Fraction | None: ...
    @property
    def energy_error(self) -> float | Fraction | None: ...
    @property
    def block_error(self) -> float | Fraction | None: ...
    @property
    def backward_error(self) -> float | Fraction | None: ...
    @property
    def negativity(self) -> float | Fraction | None: ...
    @property
    def outside(self) -> float | Fraction | None: ...
    @property
    def residual(self) -> float | Fraction | None: ...
    @property
    def distance(self) -> float | Fraction | None: ...
    @property
    def worst_row(self) -> int | None: ...
    @property
    def false_expect(self) -> str | None: ...
    @property
    def snapped(self) -> int: ...
    @property
    def truth(self) -> TruthStatus: ...
    @property
    def unique(self) -> Unique: ...
    @property
    def solution(self) -> NDArray[Any] | None: ...
    def to_json(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __bool__(self) -> bool: ...

class Truth:
    @property
    def status(self) -> TruthStatus: ...
    @property
    def solvable(self) -> bool | None: ...
    @property
    def unique(self) -> Unique: ...
    @property
    def solutions(self) -> NDArray[Any]: ...
    @property
    def complete(self) -> bool: ...
    @property
    def certificate(self) -> dict[str, Any] | None: ...
    @property
    def gave_up(self) -> str | None: ...

class Face:
    @property
    def vertices(self) -> NDArray[Any]: ...
    @property
    def rays(self) -> NDArray[Any]: ...

class SolutionSet:
    @property
    def isolated(self) -> NDArray[Any]: ...
    @property
    def faces(self) -> list[Face]: ...
    @property
    def complete(self) -> bool: ...
    @property
    def is_empty(self) -> bool: ...
    @property
    def certificate(self) -> dict[str, Any] | None: ...
    def __bool__(self) -> bool: ...

class Problems(Iterator[Problem]):
    def __iter__(self) -> Problems: ...
    def __next__(self) -> Problem: ...
    def __length_hint__(self) -> int: ...

@overload
def solve(
    M: Problem,
    *,
    method: str = "certified",
    exact: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> Claim: ...
@overload
def solve(
    M: Matrix,
    q: Vector,
    lower: Bounds | None = None,
    upper: Bounds | None = None,
    friction: Friction | None = None,
    *,
    method: str = "certified",
    exact: bool = False,
    name: str | None = None,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> Claim: ...
@overload
def check(
    M: Problem,
    q: Answer = None,
    *,
    z: Answer = None,
    tol: Number | None = None,
    measure: Literal["natural", "componentwise", "block"] | None = None,
    snap: Number | None = None,
    prove: bool = False,
    accept_perturbed: bool = False,
    exact: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> Verdict: ...
@overload
def check(
    M: Matrix,
    q: Vector,
    z: Answer,
    lower: Bounds | None = None,
    upper: Bounds | None = None,
    friction: Friction | None = None,
    *,
    tol: Number | None = None,
    measure: Literal["natural", "componentwise", "block"] | None = None,
    snap: Number | None = None,
    prove: bool = False,
    accept_perturbed: bool = False,
    exact: bool = False,
    name: str | None = None,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> Verdict: ...
@overload
def certify(
    M: Problem,
    *,
    certificate: Mapping[str, Any] | None = None,
    exact: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> Truth: ...
@overload
def certify(
    M: Matrix,
    q: Vector,
    lower: Bounds | None = None,
    upper: Bounds | None = None,
    friction: Friction | None = None,
    *,
    certificate: Mapping[str, Any] | None = None,
    exact: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> Truth: ...
@overload
def enumerate(
    M: Problem,
    *,
    exact: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> SolutionSet: ...
@overload
def enumerate(
    M: Matrix,
    q: Vector,
    lower: Bounds | None = None,
    upper: Bounds | None = None,
    friction: Friction | None = None,
    *,
    exact: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> SolutionSet: ...
def generate(family: str, n: int, count: int = 1, seed: int = 1) -> Problems: ...
def families() -> list[dict[str, Any]]: ...
def goldens(suite: str | None = None) -> list[Problem]: ...
def methods() -> list[tuple[str, str]]: ...
def scenarios() -> list[dict[str, Any]]: ...
def scene(
    name: str,
    settings: Sequence[tuple[str, str]],
    method: str,
    *,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> tuple[Problem, str]: ...
def trajectory(
    name: str,
    settings: Sequence[tuple[str, str]],
    solver: str | Callable[..., Any],
    steps: int | None = None,
    *,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> list[str]: ...
def step_problem(name: str, settings: Sequence[tuple[str, str]], step: int = 1) -> Problem: ...
def judge_step(
    record: str,
    *,
    level: str | Sequence[str] | None = None,
    tol: Number | None = None,
    law: Literal["coulomb", "pyramid", "box", "ellipse"] | None = None,
    full: bool = False,
    slip: bool = False,
) -> list[dict[str, Any]]: ...
def judge_records(
    problems: Sequence[str | None],
    claims: Sequence[str | None],
    *,
    tol: Number | None = None,
    measure: Literal["natural", "componentwise", "block"] | None = None,
    snap: Number | None = None,
    prove: bool = False,
    accept_perturbed: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> dict[str, list[Any]]: ...
def judge_arrays(
    m: tuple[Doubles, Sequence[int]],
    q: tuple[Doubles, Sequence[int]],
    z: tuple[Doubles, Sequence[int]],
    names: Sequence[str],
    gave_up: Sequence[bool],
    *,
    tol: Number | None = None,
    measure: Literal["natural", "componentwise", "block"] | None = None,
    snap: Number | None = None,
    prove: bool = False,
    accept_perturbed: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> dict[str, list[Any]]: ...

def bound_step_arrays(arrays: tuple[Any, ...], h: float, tol: float) -> tuple[float, float, int | None, bool, bool] | None: ...
def judge_step_arrays(
    step: Any,
    h: float,
    tol: float,
    iterations: tuple[int, int],
    full: bool = False,
    stop_gap: float | None = None,
) -> tuple[str, tuple[float, float] | None, tuple[float, float] | None, str | None, list[str], int | None, str]: ...
