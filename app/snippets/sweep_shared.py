import numpy as np

widths = (4, 16, 64, 256, 1024)
n_keys = 16
n_queries = 16  # share the keys of a trial
n_trials = 300
seed = 20
mean_removed = False  # False: root mean square of the scores, their population mean being zero

rng = np.random.default_rng(seed)  # one generator for all widths


def statistics(scores):
    """Spread, mean entropy (nats), mean largest weight, share of rows above 0.9."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=-1)
    entropy = np.log(total) - (exponentials * shifted).sum(axis=-1) / total
    spread = scores.std() if mean_removed else np.sqrt((scores**2).mean())
    return spread, entropy.mean(), (1 / total).mean(), (1 / total > 0.9).mean()


results = []
print(f"entropies in nats, of at most ln {n_keys} = {np.log(n_keys):.4f}")
print(" width  scores      std   entropy   largest   above 0.9")
for d_k in widths:
    piece = max(1, 2**19 // (n_queries + n_keys))  # coordinates drawn at once
    scores = np.zeros((n_trials, n_queries, n_keys))
    for trial in range(n_trials):
        for first in range(0, d_k, piece):
            query = rng.standard_normal((n_queries, min(piece, d_k - first)))
            key = rng.standard_normal((n_keys, min(piece, d_k - first)))
            scores[trial] += query @ key.T
    for name, s in (("raw", scores), ("scaled", scores / np.sqrt(d_k))):
        results.append(statistics(s))
        print(f"{d_k:>7} {name:>7} " + " ".join(f"{x:9.4f}" for x in results[-1]))
