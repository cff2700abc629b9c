"""The pack, loaded once."""

import pytest

from envaudit.model.policy import Policy
from envaudit.readers.policies import load_policies


@pytest.fixture(scope="session")
def pack() -> tuple[Policy, ...]:
    """Return the built-in pack."""
    return load_policies()
