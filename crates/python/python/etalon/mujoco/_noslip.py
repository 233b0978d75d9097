"""The problem of MuJoCo's noslip stage: friction once more, without R, at normal forces that are given.

After the solver the normal forces of elliptic contacts, the sums of opposing edges of pyramids, and the forces of equalities, limits
and contacts without friction stay as they are. Friction is solved again as min y'Ay/2 + y'b with A = J M^-1 J': tangential
forces in the ellipse |(y_k/mu_k)| <= f_n, half differences of edges between plus and minus their half sum, and friction loss in its
box. A is only semidefinite, so y need not be unique; the motion a = M^-1 (q + J'f) is. What the first stage answered is seen no more.

Everything here is in fractions: half sums and differences of binary64 numbers are not binary64.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import mujoco
import numpy as np

from .. import _etalon
from ._read import FRICTION, Step
from ._record import record, sparse
from ._verdict import StepVerdict

_PYRAMIDAL = int(mujoco.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)
_ELLIPTIC = int(mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)
#: The flag of a verdict on the stage.
FLAG = "noslip"


class _Stage:
    """The problem, row by row."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.q = [Fraction(own) for own in step.smooth.tolist()]
        self.rows: list[dict[int, Fraction]] = []
        self.target: list[Fraction] = []
        self.force: list[Fraction] = []
        self.sets: list[dict[str, Any]] = []
        #: For each row one of the rows of the engine.
        self.places: list[int] = []
        self._J = [_entries(row) for row in step.J]

    def fix(self, row: int) -> None:
        """A row whose force is given."""
        self._push(self._J[row], Fraction(float(self.step.force[row])))

    def _push(self, row: dict[int, Fraction], force: Fraction) -> None:
        for j, own in row.items():
            self.q[j] += own * force

    def _add(self, place: int, row: dict[int, Fraction], target: Fraction, force: Fraction) -> None:
        self.rows.append(row)
        self.target.append(target)
        self.force.append(force)
        self.places.append(place)

    def box(self, row: int) -> None:
        """Friction loss."""
        bound, force, target = (Fraction(float(own[row])) for own in (self.step.parameter, self.step.force, self.step.target))
        self.sets.append({"kind": "box", "row": len(self.rows), "bound": str(bound)})
        self._add(row, self._J[row], target, force)

    def edges(self, row: int) -> None:
        """Two opposing edges of a pyramid: their half difference is free between plus and minus their half sum."""
        f, g = (Fraction(float(own)) for own in self.step.force[row : row + 2])
        mid = (f + g) / 2
        one, other = self._J[row], self._J[row + 1]
        both = {j: one.get(j, Fraction(0)) + other.get(j, Fraction(0)) for j in one.keys() | other.keys()}
        across = {j: one.get(j, Fraction(0)) - other.get(j, Fraction(0)) for j in one.keys() | other.keys()}
        self._push(both, mid)
        target = Fraction(float(self.step.target[row])) - Fraction(float(self.step.target[row + 1]))
        self.sets.append({"kind": "box", "row": len(self.rows), "bound": str(max(mid, Fraction(0)))})
        self._add(row, across, target, (f - g) / 2)

    def ellipse(self, row: int, mu: list[float]) -> None:
        """An elliptic contact: the normal force is given, the others are in its ellipse."""
        self.fix(row)
        bound = max(Fraction(float(self.step.force[row])), Fraction(0))
        own = {"kind": "disc", "first": len(self.rows), "mu": mu, "bound": str(bound)}
        self.sets.append(own)
        for k in range(row + 1, row + 1 + len(mu)):
            self._add(k, self._J[k], Fraction(float(self.step.target[k])), Fraction(float(self.step.force[k])))

    def fields(self) -> dict[str, Any]:
        """What the record has of it."""
        entries = [[i, j, str(own)] for i, row in enumerate(self.rows) for j, own in sorted(row.items()) if own]
        return {
            "force": [str(own) for own in self.q],
            "M": sparse(self.step.M),
            "J": {"shape": [len(self.rows), len(self.q)], "entries": entries},
            "R": [0] * len(self.rows),
            "target": [str(own) for own in self.target],
            "sets": self.sets,
        }


def _entries(row: np.ndarray) -> dict[int, Fraction]:
    return {int(j): Fraction(float(row[j])) for j in np.flatnonzero(row)}


def stage(model: Any, data: Any, step: Step) -> tuple[dict[str, Any], list[int]] | None:
    """The stage's problem and answer as a record, and for each of its rows one of the engine's; None where nothing was solved again."""
    own, kind, ids = _Stage(step), data.efc_type, data.efc_id
    row = 0
    while row < step.rows:
        size, what = 1, int(kind[row])
        if what in FRICTION:
            own.box(row)
        elif what == _PYRAMIDAL:
            size = 2
            own.edges(row)
        elif what == _ELLIPTIC:
            contact = data.contact[int(ids[row])]
            size = int(contact.dim)
            own.ellipse(row, [float(mu) for mu in contact.friction[: size - 1]])
        else:
            own.fix(row)
        row += size
    if not own.rows:
        return None
    gap = float(model.opt.noslip_tolerance) * float(model.stat.meaninertia) * max(1, int(model.nv))
    answer = {"acceleration": step.acceleration.tolist(), "force": [str(force) for force in own.force], "stop_gap": gap}
    fields = record(step, "noslip", model, 0) | own.fields() | {"model": "convex", "answer": answer}
    return fields, own.places


def judge_stage(fields: dict[str, Any], places: list[int], tol: float, full: bool = False) -> StepVerdict:
    """The verdict on the stage."""
    found = _etalon.judge_step(json.dumps(fields), level="A", tol=tol, full=full)[0]
    row = found.get("worst_row")
    distance, energy = (tuple(found[key]) if key in found else None for key in ("distance", "joule"))
    flags = (*found.get("flags", ()), FLAG)
    place = places[row] if row is not None else None
    return StepVerdict(found["verdict"], distance, energy, found.get("reason"), flags, place, found.get("by", ""))
