"""Fixtures of all tests."""

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture
def tie():
    """A positive definite problem on which a widely used solver answers z = 0."""
    return [[1.5859375, 1], [1, 1]], [-0.75, -0.75]
