"""Requirements that no checker looks at: extras, pins behind extras, generated code, Python."""

from pathlib import Path

from tests.kit.environments import install, list_versions
from tests.kit.repairing import find, loud, repair
from tests.kit.wheels import Wheel, build_wheel
from tests.states.conftest import record


def build(index: Path, *wheels: Wheel) -> None:
    for wheel in wheels:
        build_wheel(wheel, index)


def test_a_core_that_was_bumped_alone_comes_back_by_its_dependent(
    environment: Path, index: Path
) -> None:
    build(
        index,
        Wheel("pydantic", "2.11.7", requires=("pydantic-core==2.33.2",)),
        Wheel("pydantic-core", "2.33.2"),
        Wheel("pydantic-core", "2.37.2"),
    )
    install(environment, "pydantic==2.11.7", index=index)
    install(environment, "pydantic-core==2.37.2", index=index)

    assert loud(environment) == {"error[requirement-unmet]": ("pydantic", "pydantic-core")}
    assert repair(environment, index).left == {}
    assert list_versions(environment)["pydantic-core"] == "2.33.2"


def test_an_extra_that_something_installed_asks_for_is_brought_in(
    environment: Path, site: Path, index: Path
) -> None:
    build(
        index,
        Wheel("httpx", "0.27.2", extras={"http2": ("h2",)}),
        Wheel("h2", "4"),
        Wheel("consumer", "1.0", requires=("httpx[http2]>=0.27",)),
    )
    install(environment, "httpx", index=index)
    record(site, "consumer", "1.0", requires=("httpx[http2]>=0.27",))

    assert loud(environment) == {"error[extra-unmet]": ("h2", "httpx")}
    assert repair(environment, index).left == {}


def test_a_pin_behind_an_extra_is_an_error_where_names_are_kin(
    environment: Path, index: Path
) -> None:
    build(
        index,
        Wheel("psycopg", "3.2.3", extras={"binary": ("psycopg-binary==3.2.3",)}),
        Wheel("psycopg-binary", "3.1.18"),
        Wheel("psycopg-binary", "3.2.3"),
    )
    install(environment, "psycopg", "psycopg-binary==3.1.18", index=index)

    assert loud(environment) == {"error[extra-pin]": ("psycopg", "psycopg-binary")}
    assert repair(environment, index).left == {}
    assert list_versions(environment)["psycopg-binary"] == "3.2.3"


def test_generated_code_that_wants_a_later_runtime_raises_it(
    environment: Path, index: Path
) -> None:
    call = "_runtime_version.ValidateProtobufRuntimeVersion(\n    _runtime_version.Domain.PUBLIC,"
    generated = (
        f"# Protobuf Python Version: 5.29.0\n{call}\n    5,\n    29,\n    0,\n    '', 'x')\n"
    )
    build(
        index,
        Wheel(
            "grpcio-reflection",
            "1.71.0",
            requires=("protobuf<6,>=5.26.1",),
            modules={"grpc_reflection/reflection_pb2.py": generated},
        ),
        Wheel("protobuf", "5.27.5"),
        Wheel("protobuf", "5.29.3"),
        Wheel("protobuf", "6.30.0"),
    )
    install(environment, "grpcio-reflection", "protobuf==5.27.5", index=index)

    assert loud(environment) == {"error[generated-code-newer]": ("grpcio-reflection", "protobuf")}
    assert repair(environment, index).left == {}
    assert list_versions(environment)["protobuf"] == "5.29.3"


def test_grpc_stubs_that_want_a_later_runtime_are_named(environment: Path, index: Path) -> None:
    stub = "import grpc\nGRPC_GENERATED_VERSION = '1.66.0'\n"
    build(
        index,
        Wheel("health", "1.66.0", modules={"health/health_pb2_grpc.py": stub}),
        Wheel("grpcio", "1.60.0"),
        Wheel("grpcio", "1.66.2"),
    )
    install(environment, "health", "grpcio==1.60.0", index=index)

    assert loud(environment) == {"error[generated-code-newer]": ("grpcio", "health")}
    assert repair(environment, index).left == {}


def test_a_python_below_a_bound_is_an_error_and_above_one_a_warning(
    environment: Path, site: Path, index: Path
) -> None:
    build(index, Wheel("old", "2.0"), Wheel("new", "2.0"))
    record(site, "old", "1.0", python="<3.8")
    record(site, "new", "1.0", python=">=3.99")

    found = [(item.severity.value, item.code, item.distributions) for item in find(environment)]
    assert ("error", "python-unsupported", ("new",)) in found
    assert ("warning", "python-unsupported", ("old",)) in found
    assert repair(environment, index).left == {}


def test_lines_that_nobody_can_read_are_said_and_the_rest_is_judged(
    environment: Path, site: Path
) -> None:
    record(site, "odd", "1.0", requires=("pytz (>dev)", "absent"), python=">=3.")

    assert sorted({item.code for item in find(environment)} - {"record-missing"}) == [
        "requirement-missing",
        "requirement-unreadable",
    ]


def test_a_requirement_by_url_is_compared_with_where_it_came_from(
    environment: Path, site: Path
) -> None:
    record(site, "aaa", "1.0", requires=("bbb",))
    record(site, "bbb", "1.0", requires=("aaa>=1",))
    record(site, "user", "1.0", requires=("aaa @ git+https://example.invalid/aaa@v2",))

    assert loud(environment) == {"warning[url-mismatch]": ("aaa", "user")}
