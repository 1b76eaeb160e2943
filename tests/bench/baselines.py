"""Plain NumPy to time the sweep against: the published loop, and random numbers alone."""

from __future__ import annotations

import numpy as np

WIDTHS = (4, 16, 64, 256, 1024)


def draw_independent_keys() -> None:
    """Draw what the independent-keys run draws, and nothing else."""
    rng = np.random.default_rng(20_260_718)
    for d_k in WIDTHS:
        for _ in range(20):
            rng.standard_normal((200, d_k))
            rng.standard_normal((200, 12, d_k))


def draw_self_attention() -> None:
    """Draw what the self-attention run draws, and nothing else."""
    rng = np.random.default_rng(20)
    for d_k in WIDTHS:
        for _ in range(300):
            rng.standard_normal((16, d_k))
            rng.standard_normal((16, d_k))


def plain_independent_keys() -> list[list[np.ndarray]]:
    """Run the independent-keys experiment as a plain loop, raw and scaled, without intervals."""
    rng = np.random.default_rng(20_260_718)
    table = []
    for d_k in WIDTHS:
        batches = []
        for _ in range(20):
            query = rng.standard_normal((200, d_k))
            key = rng.standard_normal((200, 12, d_k))
            batches.append(np.einsum("bd,bkd->bk", query, key))
        raw = np.concatenate(batches)
        for scores in (raw, raw / np.sqrt(d_k)):
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights /= weights.sum(axis=1, keepdims=True)
            logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
            largest = weights.max(axis=1)
            entropy = -(weights * logs).sum(axis=1)
            table.append([scores.std(), entropy.mean(), largest.mean(), (largest > 0.9).mean()])
    return table
