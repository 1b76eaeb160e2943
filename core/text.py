"""Names out of other people's files are shown as plain text, and nothing in them acts.

A name may hold line breaks, terminal codes, or marks that turn the direction of writing around.
What cannot be printed is spelled out as its code point, and what is long is cut. That makes a name
safe to read in a sentence; a page that renders markup must still show the sentence as text.
"""

LONGEST_NAME = 60


def printable(name: str, /) -> str:
    r"""Return a name with unprintable characters spelled out, and at most 60 characters long.

    Parameters
    ----------
    name : str

    Returns
    -------
    str
        Letters of any script, digits, spaces and punctuation stay as they are.

    Examples
    --------
    >>> printable("Größe.npy")
    'Größe.npy'
    >>> printable("a\nb\u202egnp.exe")
    'a\\u000ab\\u202egnp.exe'
    >>> len(printable("x" * 1000))
    60
    """
    shown = "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}"
        for character in name[: 2 * LONGEST_NAME]
    )
    if len(shown) <= LONGEST_NAME and len(name) <= 2 * LONGEST_NAME:
        return shown
    return f"{shown[: LONGEST_NAME - 1]}…"
