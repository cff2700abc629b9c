"""The builders make what a reader would make, from a few words."""

import pytest
from packaging.markers import Marker

from tests.kit.builders import distribution, snapshot


def test_a_pin_becomes_a_distribution() -> None:
    built = distribution("Typing_Extensions==4.16.0", requires=("six",))

    assert (built.name, built.spelling, built.version) == (
        "typing-extensions",
        "Typing_Extensions",
        "4.16.0",
    )
    assert built.folder == "lib/python3.11/site-packages/typing_extensions-4.16.0.dist-info"
    assert built.requires == ("six",)


@pytest.mark.parametrize("pin", ["torch", "torch>=2", ""])
def test_what_is_no_pin_is_refused(pin: str) -> None:
    with pytest.raises(ValueError, match="is no pin"):
        distribution(pin)


def test_distributions_are_sorted_and_lie_in_the_snapshots_own_site_directory() -> None:
    built = snapshot("torch==2.9.1", distribution("numpy==2.0"), python="3.13.0")

    assert [entry.name for entry in built.distributions] == ["numpy", "torch"]
    assert {entry.folder.rpartition("/")[0] for entry in built.distributions} == {
        "lib/python3.13/site-packages"
    }


def test_a_folder_that_was_given_stays() -> None:
    elsewhere = distribution("six==1.17.0", folder="lib64/python3.11/site-packages/six.dist-info")

    assert snapshot(elsewhere, python="3.12.1").distributions == (elsewhere,)


def test_markers_evaluate() -> None:
    values = snapshot(python="3.12.1").interpreter.marker_values()

    assert Marker("python_full_version == '3.12.1' and sys_platform == 'linux'").evaluate(values)
    assert not Marker("platform_python_implementation == 'PyPy'").evaluate(values)


def test_without_a_patch_level_the_full_version_is_not_known() -> None:
    values = snapshot(python="3.12").interpreter.marker_values()

    assert values["python_version"] == "3.12"
    assert "python_full_version" not in values
