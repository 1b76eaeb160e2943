"""Axes in another order give numbers all the same, so shapes are looked at before they are used.

Scores need the components last and the tokens before them: (..., n, d). Frameworks also store
(..., d, n) and (n, heads, d), and where lengths happen to agree nothing fails: a transposed or
swapped array is only seen to be wrong. Where query, key and value do not fit each other, the
exchange of axes that would make them fit is named; what is merely unusual is put as a question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["query", "key", "value"]
Shape = tuple[int, ...]

_SWAPS: tuple[tuple[int, int], ...] = ((-2, -1), (-3, -2))


@dataclass(frozen=True, slots=True)
class LayoutHint:
    """What looks wrong about the order of some arrays' axes, and how to put it right.

    Attributes
    ----------
    kind : {"transposed", "heads-after-tokens"}
    roles : tuple of {"query", "key", "value"}
        The arrays it is about.
    swap : tuple of int
        The two axes (negative) to exchange in each of them.
    needed : bool
        True where the shapes do not fit without it; False where it is only a question.
    sentence : str
        The same in words, with the shapes.
    """

    kind: Literal["transposed", "heads-after-tokens"]
    roles: tuple[Role, ...]
    swap: tuple[int, int]
    needed: bool
    sentence: str


def swapped(shape: Shape, swap: tuple[int, int], /) -> Shape:
    """Return the shape with two axes exchanged.

    Examples
    --------
    >>> swapped((128, 12, 64), (-3, -2))
    (12, 128, 64)
    """
    axes = list(shape)
    axes[swap[0]], axes[swap[1]] = axes[swap[1]], axes[swap[0]]
    return tuple(axes)


def fits(query: Shape, key: Shape, value: Shape | None = None, /) -> bool:
    """Return whether the shapes make one attention call.

    Examples
    --------
    >>> fits((12, 10, 64), (12, 20, 64), (12, 20, 8)), fits((10, 64), (64, 20))
    (True, False)
    """
    given = [query, key] if value is None else [query, key, value]
    if any(len(shape) < 2 for shape in given) or query[-1] != key[-1]:
        return False
    if value is not None and value[-2] != key[-2]:
        return False
    longest = max(len(shape) for shape in given) - 2
    padded = [(1,) * (longest + 2 - len(shape)) + shape[:-2] for shape in given]
    return all(len({n for n in lengths if n != 1}) <= 1 for lengths in zip(*padded, strict=True))


def _named(shapes: dict[Role, Shape], roles: Sequence[Role]) -> str:
    return " and ".join(f"{role} {shapes[role]}" for role in roles)


def layout_hints(query: Shape, key: Shape, value: Shape | None = None, /) -> tuple[LayoutHint, ...]:
    """Say which axes look transposed or out of order, from the shapes alone.

    Parameters
    ----------
    query, key : tuple of int
        Meant to be (..., n_q, d_k) and (..., n_k, d_k).
    value : tuple of int, optional
        Meant to be (..., n_k, d_v).

    Returns
    -------
    tuple of LayoutHint
        Empty where nothing looks odd. Where the shapes do not fit together: each exchange of
        axes that makes them fit, fewest arrays first.

    Examples
    --------
    >>> layout_hints((10, 64), (64, 20))[0].sentence
    'key (64, 20) looks transposed: with its last two axes exchanged it is (20, 64) and fits'
    >>> layout_hints((128, 12, 64), (128, 12, 64))[0].swap
    (-3, -2)
    >>> layout_hints((12, 128, 64), (12, 128, 64))
    ()
    """
    shapes: dict[Role, Shape] = {"query": query, "key": key}
    if value is not None:
        shapes["value"] = value
    if any(len(shape) < 2 for shape in shapes.values()):
        return ()
    if fits(*shapes.values()):
        return _unusual(shapes)
    every: tuple[Role, ...] = tuple(shapes)
    single: list[tuple[Role, ...]] = [(role,) for role in every]
    pairs: list[tuple[Role, ...]] = [("query", "key")]
    if value is not None:
        pairs += [("key", "value"), ("query", "value"), every]
    found: list[LayoutHint] = []
    for roles in single + pairs:
        if any(set(hint.roles) <= set(roles) for hint in found):
            continue
        for swap in _SWAPS:
            if min(len(shapes[role]) for role in roles) < -swap[0]:
                continue
            changed = {r: swapped(s, swap) if r in roles else s for r, s in shapes.items()}
            if fits(*changed.values()):
                found.append(_hint(shapes, roles, swap))
                break
    return tuple(found)


def _hint(shapes: dict[Role, Shape], roles: tuple[Role, ...], swap: tuple[int, int]) -> LayoutHint:
    """Word an exchange of axes that makes shapes fit which do not."""
    several = len(roles) > 1
    becomes = " and ".join(str(swapped(shapes[role], swap)) for role in roles)
    given = f"{_named(shapes, roles)} {'look' if several else 'looks'}"
    after = f"{'they are' if several else 'it is'} {becomes} and {'fit' if several else 'fits'}"
    whose = "their" if several else "its"
    if swap == (-2, -1):
        sentence = f"{given} transposed: with {whose} last two axes exchanged {after}"
        return LayoutHint("transposed", roles, swap, True, sentence)
    sentence = (
        f"{given} to have heads after tokens, (..., n, heads, d): "
        f"with the axis of heads before the tokens {after}"
    )
    return LayoutHint("heads-after-tokens", roles, swap, True, sentence)


def _unusual(shapes: dict[Role, Shape]) -> tuple[LayoutHint, ...]:
    """Ask about shapes that fit, but would be more usual with two axes exchanged."""
    roles = tuple(shapes)
    query = shapes["query"]
    ranks = {len(shape) for shape in shapes.values()}
    if ranks <= {3, 4} and len(ranks) == 1 and all(s[-3] > s[-2] > 1 for s in shapes.values()):
        heads, tokens = query[-3], query[-2]
        return (
            LayoutHint(
                "heads-after-tokens",
                roles,
                (-3, -2),
                False,
                f"query {query} is read as {heads} heads with {tokens} tokens each. If it holds "
                f"{heads} tokens of {tokens} heads, exchange these two axes",
            ),
        )
    d_k = query[-1]
    plausible = query[-2] % 8 == 0 and query[-2] >= 8
    if d_k % 8 and plausible and query[-2] == shapes["key"][-2]:
        return (
            LayoutHint(
                "transposed",
                roles,
                (-2, -1),
                False,
                f"query {query} is read as {query[-2]} tokens of width d_k = {d_k}. Head widths "
                f"are mostly multiples of 8: if {query[-2]} is the width, exchange the last two "
                "axes",
            ),
        )
    return ()
