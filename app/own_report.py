"""What a reader brings: which arrays are on offer, which is which, and their diagnosis.

A `Bench` belongs to one session and remembers only what that session looks at now: the files
that are still there, the arrays in use and the last few results. Nothing of it is written. Each
sample has one of its own, for all sessions.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from uploads import Upload, check_extent, guess_roles, open_upload, read_pasted

from core.diagnosis import Diagnosis, collect_diagnosis, iter_diagnose
from core.head_diagnosis import HeadDiagnosis
from core.layout import LayoutHint, layout_hints
from core.tensor_files import Member, Tensor, TensorFileError

Array = NDArray[Any]
T = TypeVar("T")

SAMPLE_FOLDER = "assets/samples"
SAMPLES = {
    "trained": ("trained_layer_0.npz",),
    "random": ("random_heads.npz",),
    "tokens-first": ("tokens_first.npz",),
    "nan-and-mask": ("nan_and_mask.npz",),
    "small-csv": ("small_query.csv", "small_key.csv"),
}
ROLES = ("query", "key", "value", "mask")
MAX_FILES = len(ROLES)
MAX_ROWS = 2**18
"""Queries of all heads together: each leaves some numbers under every divisor."""
WORTH_WAITING = 2**22
"""Scores from which on a bar shows how far the work is."""


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """One array that may be query, key, value or mask; ``identity`` is its file's and its name."""

    identity: tuple[str, str]
    label: str
    file: str
    hints: tuple[str, ...]
    read: Callable[[], Tensor]


@dataclass(slots=True)
class Bench:
    """Opened files, read arrays and the last results: of a session, or of a sample for all."""

    opened: dict[str, Upload | str] = field(default_factory=dict)
    tensors: dict[tuple[str, str], Tensor] = field(default_factory=dict)
    results: dict[Any, Any] = field(default_factory=dict)
    room: int = 4
    busy: Lock = field(default_factory=Lock)

    def open(
        self, files: Sequence[tuple[str, str, Callable[[], bytes]]]
    ) -> tuple[list[Offer], list[str]]:
        """Open files, given as identity, name and bytes; return their arrays and what is wrong."""
        offers, messages = [], []
        self.opened = {i: self.opened[i] for i, _, _ in files if i in self.opened}
        for identity, name, data in files:
            if identity not in self.opened:
                try:
                    self.opened[identity] = open_upload(name, data())
                except TensorFileError as error:
                    self.opened[identity] = str(error)
            upload = self.opened[identity]
            if isinstance(upload, str):
                messages.append(upload)
                continue
            messages += upload.notes
            for member in upload.members:
                if member.fault is not None:
                    messages.append(member.fault)
                else:
                    offers.append(_offer(identity, upload, member))
        return offers, messages

    def tensor(self, offer: Offer) -> Tensor:
        """Read an array, once."""
        if offer.identity not in self.tensors:
            self.tensors[offer.identity] = offer.read()
        return self.tensors[offer.identity]

    def keep(self, offers: Iterable[Offer]) -> None:
        """Forget every array but these."""
        wanted = {offer.identity for offer in offers}
        self.tensors = {i: tensor for i, tensor in self.tensors.items() if i in wanted}

    def remember(self, key: Any, compute: Callable[[], T]) -> T:
        """Return what was computed under this key, or compute it and forget what is unused."""
        with self.busy:
            found: T = self.results.pop(key) if key in self.results else compute()
            while len(self.results) >= self.room:
                del self.results[next(iter(self.results))]
            self.results[key] = found  # the last is what was used last
        return found


def _offer(identity: str, upload: Upload, member: Member) -> Offer:
    single = member.name == upload.label
    stem = PurePosixPath(upload.label).stem
    hints = (stem, stem.replace("_", " ").replace("-", " ")) if single else (member.name,)
    shape = " × ".join(str(length) for length in member.shape)
    label = member.label if single else f"{upload.label}: {member.label}"
    return Offer(
        (identity, member.name),
        f"{label} ({shape})",
        upload.label,
        hints,
        lambda: upload.read(member.name),
    )


def pasted(role: str, text: str) -> Offer:
    """Offer what was pasted as query or key."""
    return Offer(
        (f"pasted {role} {text}", role), role, f"{role}.csv", (role,), lambda: read_pasted(text)
    )


def assign(offers: Sequence[Offer]) -> dict[str, Offer | None]:
    """Guess which array is which: by name, or query first and key second."""
    named = {hint: offer for offer in reversed(offers) for hint in offer.hints}
    members = [Member(hint, hint, (), "", None) for o in offers for hint in o.hints]
    guessed: dict[str, Offer | None] = dict.fromkeys(ROLES)
    guessed |= {role: named[name] for role, name in guess_roles(members).items()}
    rest = [offer for offer in offers if offer not in guessed.values()]
    for role in ("query", "key"):
        if guessed[role] is None:
            guessed[role] = rest.pop(0) if rest else offers[-1]
    return guessed


def exchanged(arrays: Mapping[str, Array], hints: Sequence[LayoutHint]) -> dict[str, Array]:
    """Exchange axes as these hints say, one after another."""
    changed = dict(arrays)
    for hint in hints:
        for role in hint.roles:
            changed[role] = np.swapaxes(changed[role], *hint.swap)
    return changed


def hints_for(arrays: Mapping[str, Array]) -> tuple[LayoutHint, ...]:
    """Say which axes of query, key and value look out of order."""
    shapes = [arrays[role].shape for role in ("query", "key", "value") if role in arrays]
    return layout_hints(*shapes)


def leading_axes(arrays: Mapping[str, Array]) -> tuple[int, ...]:
    """Return the axes of heads that the arrays have together."""
    return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))


def diagnose_all(
    arrays: Mapping[str, Array], *, is_causal: bool, progress: Callable[[float], object]
) -> Diagnosis:
    """Diagnose every head, telling ``progress`` the share that is done where it takes long.

    Raises
    ------
    ValueError, TypeError
        If the arrays do not fit, or are too large for a page.
    """
    query, key = arrays["query"], arrays["key"]
    check_extent(query.shape, key.shape)
    heads = iter_diagnose(
        query, key, value=arrays.get("value"), mask=arrays.get("mask"), is_causal=is_causal
    )
    lead = leading_axes(arrays)
    total, n_q = math.prod(lead), query.shape[-2]
    # Again, because value and mask may have more heads than query and key.
    check_extent((*lead, *query.shape[-2:]), (*lead, *key.shape[-2:]))
    if total * n_q > MAX_ROWS:
        raise TensorFileError(
            f"query {query.shape} makes {total * n_q:,} rows in {total:,} heads; at most "
            f"{MAX_ROWS:,} are worked on. Choose fewer heads"
        )
    long = total * n_q * key.shape[-2] >= WORTH_WAITING
    done = []
    if long:
        progress(0.0)
    for head in heads:
        done.append(head)
        if long:
            progress(len(done) / total)
    return collect_diagnosis(done, query, key, value=arrays.get("value"))


def with_divisor(
    arrays: Mapping[str, Array], head: HeadDiagnosis, *, is_causal: bool, divisor: float
) -> HeadDiagnosis:
    """Compare one more divisor for one head, without going through the others again."""
    lead = leading_axes(arrays)
    one = {
        role: np.broadcast_to(array, (*lead, *array.shape[-2:]))[head.index]
        for role, array in arrays.items()
    }
    (again,) = iter_diagnose(
        one["query"],
        one["key"],
        value=one.get("value"),
        mask=one.get("mask"),
        is_causal=is_causal,
        divisor=divisor,
    )
    return replace(head, divisors=again.divisors)


def with_head(diagnosis: Diagnosis, place: int, head: HeadDiagnosis) -> Diagnosis:
    """Put one head in the place of another, as its own table shall have it."""
    heads = (*diagnosis.heads[:place], head, *diagnosis.heads[place + 1 :])
    return replace(diagnosis, heads=heads)


def only_head(diagnosis: Diagnosis, place: int) -> Diagnosis:
    """Leave one head, so that a table of its rows stays small."""
    chosen = slice(place, place + 1)
    return replace(diagnosis, heads=diagnosis.heads[chosen], verdicts=diagnosis.verdicts[chosen])
