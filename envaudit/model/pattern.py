"""Patterns with ``*`` for any run of characters. No regular expressions: nothing can run away."""


def matches(pattern: str, text: str) -> bool:
    """Return whether ``pattern`` is the whole of ``text``; costs at most the product of both."""
    head, *rest = pattern.split("*")
    if not rest:
        return pattern == text
    *middle, tail = rest
    if not text.startswith(head):
        return False
    at = len(head)
    for part in middle:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(text) - at >= len(tail) and text.endswith(tail)
