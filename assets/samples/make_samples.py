"""Write the small files that a reader can download and try.

python -m assets.samples.make_samples          # from the project's folder
"""

from pathlib import Path

import numpy as np

from core.masks import causal_mask
from core.trained import trained_heads

HERE = Path(__file__).parent


def main() -> None:
    """Write every sample, to the same bytes on every run."""
    rng = np.random.default_rng(20_260_718)
    query, key, value = rng.standard_normal((3, 2, 24, 64)).astype(np.float32)
    np.savez_compressed(HERE / "random_heads.npz", query=query, key=key, value=value)
    np.savez_compressed(
        HERE / "tokens_first.npz", **{"q": query.swapaxes(0, 1), "k": key.swapaxes(0, 1)}
    )

    heads = trained_heads()
    np.savez_compressed(
        HERE / "trained_layer_0.npz",
        query=heads.query[0].astype(np.float16),
        key=heads.key[0].astype(np.float16),
        value=heads.value[0].astype(np.float16),
    )

    broken = query[0].copy()
    broken[5, 3], broken[7, 0] = np.nan, np.inf
    np.savez_compressed(
        HERE / "nan_and_mask.npz", query=broken, key=key[0], mask=causal_mask(24, 24)
    )

    names = ",".join(f"component {i}" for i in range(16))
    for name in ("query", "key"):
        np.savetxt(
            HERE / f"small_{name}.csv",
            rng.standard_normal((8, 16)),
            fmt="%.4f",
            delimiter=",",
            header=names,
            comments="",
        )


if __name__ == "__main__":
    main()
