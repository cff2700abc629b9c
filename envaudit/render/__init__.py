"""From a report to text: one file a format. This is the list."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from envaudit.model.report import Report
from envaudit.render import json, text
from envaudit.render.style import Style

FORMATS: Mapping[str, Callable[[Report, Style], str]] = MappingProxyType(
    {"text": text.render, "json": json.render}
)
