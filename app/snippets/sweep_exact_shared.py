import numpy as np

widths = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
n_keys = 16
n_queries = 16  # share the keys of a trial
n_trials = 300
seed = 1


def statistics(scores):
    """Spread, mean entropy (nats), mean largest weight, share of rows above 0.9."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=-1)
    entropy = np.log(total) - (exponentials * shifted).sum(axis=-1) / total
    return scores.std(), entropy.mean(), (1 / total).mean(), (1 / total > 0.9).mean()


results = []
print(" width  scores      std   entropy   largest   above 0.9")
for d_k in widths:
    rng = np.random.Generator(np.random.SFC64([seed, d_k]))  # each width has its own stream
    # QKᵀ has the law of L Z: L the Bartlett factor of QQᵀ (of KKᵀ where keys are fewer).
    few, many = sorted((n_queries, n_keys))
    rank = min(few, d_k)
    row, column = np.tril_indices(few, -1, rank)
    block = max(1, 3 * 2**14 // (few * many))
    scores = []
    for start in range(0, n_trials, block):
        trials = min(block, n_trials - start)
        L = np.zeros((trials, few, rank))
        diagonal = np.arange(rank)
        L[:, diagonal, diagonal] = np.sqrt(rng.chisquare(d_k - diagonal, (trials, rank)))
        L[:, row, column] = rng.standard_normal((trials, len(row)))
        Z = rng.standard_normal((trials, rank, many))
        S = L @ Z
        scores.append(S if n_queries <= n_keys else S.swapaxes(1, 2))
    raw = np.concatenate(scores)  # (n_trials, n_queries, n_keys)
    for name, s in (("raw", raw), ("scaled", raw / np.sqrt(d_k))):
        results.append(statistics(s))
        print(f"{d_k:>7} {name:>7} " + " ".join(f"{x:9.4f}" for x in results[-1]))
