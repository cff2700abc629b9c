"""T15: a saved plan comes back as it was written, or not at all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envaudit.core.plan_codec import decode, encode
from envaudit.model.errors import UnreadableError
from envaudit.model.saved_plan import SavedPlan
from tests.kit.schemas import validate

PLAN = SavedPlan(
    command=("uv", "pip", "install", "torch"),
    environment="/srv/vllm",
    fingerprint="sha256:" + "0f" * 32,
    judged="2026-12-01T10:00:00Z",
    tool="envaudit 1",
    installer="/usr/bin/uv",
    settings="sha256:" + "1e" * 32,
    installs=("torch==2.10.0+cu128",),
    uninstalls=("triton",),
    policies=(("policies/torch.toml", "aa"),),
)


def test_a_plan_comes_back_and_fits_its_schema() -> None:
    text = encode(PLAN)
    assert decode(text, "plan") == PLAN
    validate("plan", json.loads(text))


@given(at=st.integers(0, len(encode(PLAN)) - 1), bit=st.integers(0, 6))
def test_a_flipped_bit_is_noticed(at: int, bit: int) -> None:
    text = encode(PLAN)
    flipped = text[:at] + chr(ord(text[at]) ^ (1 << bit)) + text[at + 1 :]
    assert _read(flipped) in {None, PLAN}, "blanks between the words mean nothing"


def _read(text: str) -> SavedPlan | None:
    try:
        return decode(text, "plan")
    except UnreadableError:
        return None


@given(length=st.integers(0, len(encode(PLAN)) - 2))
def test_a_torn_plan_is_noticed(length: int) -> None:
    with pytest.raises(UnreadableError):
        decode(encode(PLAN)[:length], "plan")


@pytest.mark.parametrize("key", list(json.loads(encode(PLAN))))
def test_a_plan_without_one_of_its_parts_is_none(key: str) -> None:
    document = json.loads(encode(PLAN))
    del document[key]
    with pytest.raises(UnreadableError):
        decode(json.dumps(document), "plan")


@pytest.mark.parametrize(
    "text", ["--index-url=x", "torch", "torch>=1", "torch @ https://x/y", "torch==1.*", "a==1,<2"]
)
def test_nothing_but_an_exact_version_is_carried_out(text: str) -> None:
    from dataclasses import replace

    with pytest.raises(UnreadableError, match="no exact version"):
        decode(encode(replace(PLAN, installs=(text,))), "plan")
