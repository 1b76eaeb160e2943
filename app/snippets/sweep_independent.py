import numpy as np

widths = (4, 16, 64, 256, 1024)
n_keys = 12  # of its own for every query
n_trials = 4000
seed = 20260718

rng = np.random.default_rng(seed)  # one generator for all widths


def statistics(scores):
    """Spread, mean entropy (nats), mean largest weight, share of rows above 0.9."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=1)
    entropy = np.log(total) - (exponentials * shifted).sum(axis=1) / total
    return scores.std(), entropy.mean(), (1 / total).mean(), (1 / total > 0.9).mean()


results = []
print(" width  scores      std   entropy   largest   above 0.9")
for d_k in widths:
    batch = min(200, max(1, 2**19 // d_k))  # the published batch, fewer where vectors are huge
    scores = []
    for start in range(0, n_trials, batch):
        rows = min(batch, n_trials - start)
        query = rng.standard_normal((rows, d_k))
        key = rng.standard_normal((rows, n_keys, d_k))
        scores.append(np.einsum("bd,bkd->bk", query, key))
    raw = np.concatenate(scores)
    for name, s in (("raw", raw), ("scaled", raw / np.sqrt(d_k))):
        results.append(statistics(s))
        print(f"{d_k:>7} {name:>7} " + " ".join(f"{x:9.4f}" for x in results[-1]))
