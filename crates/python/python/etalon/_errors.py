"""What can go wrong. Every exception of this package is an `EtalonError`."""


class EtalonError(Exception):
    """Any exception of this package."""


class InputError(EtalonError, ValueError):
    """Input that is no problem, or no answer."""


class ShapeError(InputError):
    """An array of a wrong shape: ragged, not square, or of another length than M has rows."""


class NotFiniteError(InputError):
    """NaN or an infinity where a number is needed; the message names the entry."""


class NumberError(InputError):
    """Text that is no number, such as "1/0"."""


class LimitError(InputError):
    """Larger than the documented limit."""


class BoundsError(InputError):
    """Bounds that cross or leave z no value, or friction rows that cannot be."""


class RecordError(InputError):
    """Text that is no record; the message names the field."""


class ArgumentError(InputError):
    """An argument that has no such value: an unknown method, family, scenario or tolerance."""


class DtypeError(EtalonError, TypeError):
    """Values that are no exact numbers, such as complex ones, or a type that is no array."""


class CertificateError(EtalonError, ValueError):
    """A certificate that does not hold; the message says where."""


class BudgetError(EtalonError, RuntimeError):
    """The budget of pivots, bits or time ran out, so that nothing is known."""


class InternalError(EtalonError, RuntimeError):
    """A fault of this package. Please report it."""
