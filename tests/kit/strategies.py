"""Hypothesis strategies: snapshots as they may stand on a disk, the odd ones included."""

from hypothesis import strategies as st

from envaudit.model.distribution import Distribution, Origin, OriginKind, Unreadable
from envaudit.model.snapshot import Snapshot
from tests.kit.builders import distribution, snapshot

NAMES = ("alpha", "beta", "gamma-ray", "delta")
VERSIONS = ("1.0", "1.0.post1", "2.0.dev3+gabc", "2.0.dev9", "2.0", "1!0.1", "2013b-x", "")
REQUIREMENTS = (
    "alpha",
    "beta>=2",
    "gamma_ray[x]==1.0",
    'delta; extra == "x"',
    "alpha; python_full_version >= '3.11.4'",
    "beta; sys_platform == 'win32' or extra == 'y'",
    "not a requirement (",
)
REPOSITORIES = ("https://example.org/one/one", "https://example.org/two/two")

texts = st.text(max_size=12)
"""Any text, lone surrogates and control characters included."""

origins = st.builds(
    Origin,
    kind=st.sampled_from(OriginKind),
    url=st.none() | texts,
    revision=st.none() | texts,
    subdirectory=st.none() | texts,
)


@st.composite
def distributions(draw: st.DrawFn) -> Distribution:
    """Draw one record of one of a few names, so that they meet each other."""
    return distribution(
        f"{draw(st.sampled_from(NAMES))}=={draw(st.sampled_from(VERSIONS))}",
        folder=f"lib/python3.11/site-packages/{draw(st.integers(0, 99))}.dist-info",
        origin=draw(origins),
        tags=tuple(sorted(draw(st.sets(texts, max_size=2)))),
        build=draw(st.none() | texts),
        requires=draw(st.none() | st.lists(st.sampled_from(REQUIREMENTS), max_size=4).map(tuple)),
        extras=draw(st.sampled_from(((), ("x",), ("x", "y")))),
        repositories=tuple(sorted(draw(st.sets(st.sampled_from(REPOSITORIES))))),
        content_id=draw(st.none() | st.sampled_from(("sha256:1", "sha256:2"))),
        installer=draw(st.none() | st.sampled_from(("uv", "pip"))),
        requested=draw(st.booleans()),
    )


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """Draw an environment; a name may have several records, each in a folder of its own."""
    records = draw(st.lists(distributions(), max_size=6, unique_by=lambda record: record.folder))
    unreadable = tuple(
        Unreadable(folder=draw(texts), part="METADATA", reason=draw(texts))
        for _ in range(draw(st.integers(0, 2)))
    )
    python = draw(st.sampled_from(("3.11.7", "3.11", "3.12.1")))
    return snapshot(*records, python=python, unreadable=unreadable)
