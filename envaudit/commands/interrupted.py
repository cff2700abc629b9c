"""Whether a change of an environment was interrupted, asked by those who judge it."""

from envaudit.commands.surroundings import Reading, Surroundings
from envaudit.model.errors import EnvauditError, UsageError
from envaudit.model.interruption import Interruption
from envaudit.readers import dockets


def find_interruption(
    reading: Reading, surroundings: Surroundings
) -> tuple[Interruption | None, tuple[str, ...]]:
    """Return the change that was interrupted, and what a person should know where nobody can tell.

    Of a stored snapshot nobody asks; without a state directory there was no change.
    """
    if not reading.live:
        return None, ()
    try:
        shelf = surroundings.beside(reading).shelf()
        begun = dockets.list_changes(shelf).interrupted
    except UsageError:
        return None, ()
    except EnvauditError as error:
        return None, (f"whether a change was interrupted is not known: {error}",)
    if not begun:
        return None, ()
    docket, under_way = begun[-1], dockets.is_under_way(shelf)
    return Interruption(
        begun=docket.time,
        environment=reading.source,
        journal=str(docket.begun),
        under_way=under_way,
    ), ()
