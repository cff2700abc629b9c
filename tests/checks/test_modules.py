"""The checks ``module-shadowed``, ``module-casefold`` and ``namespace-split``."""

from envaudit.model.files import Files, Module, Split
from envaudit.model.finding import Remove
from envaudit.model.standard_library import module_names
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
ONE, OTHER = f"{SITE}/one-1.dist-info", f"{SITE}/other-1.dist-info"
BOTH = snapshot("one==1", "other==1")


def module(path: str, *owners: str) -> Module:
    return Module(name=path.partition(".")[0], path=f"{SITE}/{path}", owners=owners)


def found(*modules: Module) -> list[str]:
    return [item.code for item in judge(BOTH, files=Files(modules=modules)) if item.remedies]


def test_a_package_hides_a_file_of_another_distribution() -> None:
    files = Files(modules=(module("docx", ONE), module("docx.py", OTHER)))

    (finding, _) = judge(BOTH, files=files)

    assert told((finding,)) == [
        (
            f"warning[module-shadowed] `import docx` finds `{SITE}/docx` of `one 1`, which hides "
            f"`{SITE}/docx.py` of `other 1`"
        )
    ]
    assert finding.remedies == (Remove(name="other"),)


def test_one_distribution_may_bring_both() -> None:
    assert found(module("docx", ONE), module("docx.py", ONE)) == []


def test_a_name_of_the_standard_library_is_a_warning() -> None:
    assert found(module("enum", ONE)) == ["module-shadowed"]
    assert found(module("enum34", ONE)) == []


def test_what_this_python_has_no_more_is_no_shadow() -> None:
    assert "cgi" in module_names("3.12.1")
    assert "cgi" not in module_names("3.13.0")
    assert "tomllib" not in module_names("3.10.4")
    assert "distutils" in module_names("3.11.7")


def test_letter_case_alone_is_a_warning() -> None:
    files = Files(modules=(module("Crypto", ONE), module("crypto", OTHER)))

    (finding, _) = judge(BOTH, files=files)

    assert (finding.code, finding.distributions) == ("module-casefold", ("one", "other"))


def test_a_split_namespace_is_an_error() -> None:
    files = Files(splits=(Split(name="ns", regular="/path", hidden=SITE),))

    assert told(judge(BOTH, files=files)) == [
        (
            "error[namespace-split] `ns` in `/path` has an `__init__.py` and hides the part of it "
            f"in `{SITE}`"
        )
    ]
