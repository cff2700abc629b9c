"""What the file name of an installed distribution's record states: form, name and version."""

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """How an installed distribution is recorded."""

    DIST_INFO = "dist-info"
    """A ``.dist-info`` folder: the standard, and what every installer of today writes."""
    EGG_INFO = "egg-info"
    """An ``.egg-info`` folder: setuptools of old, and operating systems."""
    EGG_INFO_FILE = "egg-info-file"
    """An ``.egg-info`` file: distutils. It lists no files, so nothing can uninstall it."""
    EGG = "egg"
    """An unpacked ``.egg`` folder with an ``EGG-INFO`` in it. uv does not see it."""
    EGG_ZIP = "egg-zip"
    """A zipped ``.egg``. uv does not see it."""
    EGG_LINK = "egg-link"
    """``setup.py develop``: a file that names a source tree, where the ``.egg-info`` lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordName:
    """What a record's own name states; nothing is normalised."""

    form: Form
    """By the suffix alone: ``.egg-info`` and ``.egg`` are taken for folders."""
    name: str | None
    """``None`` where the name states none (``.dist-info``)."""
    version: str | None
    """``None`` where the name states none (``six.egg-info``)."""


_FORMS = {
    ".dist-info": Form.DIST_INFO,
    ".egg-info": Form.EGG_INFO,
    ".egg-link": Form.EGG_LINK,
    ".egg": Form.EGG,
}


def parse_record_name(file_name: str) -> RecordName | None:
    """Read ``six-1.16.0.dist-info`` and its like; ``None`` where it is the name of no record.

    A ``.dist-info`` is ``{name}-{version}``, an egg ``{name}-{version}-py{X.Y}`` and maybe a
    platform (binary distribution format; setuptools' egg formats), and an ``.egg-link`` is the
    project's own name. A leading ``~``, which pip gives
    to what it is about to remove, is not taken off.
    """
    for suffix, form in _FORMS.items():
        if file_name.endswith(suffix):
            stem = file_name.removesuffix(suffix)
            if form is Form.EGG_LINK:
                return RecordName(form=form, name=stem or None, version=None)
            name, _, rest = stem.partition("-")
            version = rest if form is Form.DIST_INFO else rest.partition("-py")[0]
            return RecordName(form=form, name=name or None, version=version or None)
    return None
