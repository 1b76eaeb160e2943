import numpy as np

widths = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
n_keys = 12  # of its own for every query
n_trials = 2000
seed = 1


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
    rng = np.random.Generator(np.random.SFC64([seed, d_k]))  # each width has its own stream
    block = max(1, 3 * 2**14 // n_keys)
    scores = []
    for start in range(0, n_trials, block):
        rows = min(block, n_trials - start)
        # Given q, the scores of independent keys are normal with standard deviation |q|.
        length = np.sqrt(rng.chisquare(d_k, rows))
        scores.append((rng.standard_normal((n_keys, rows)) * length).T)
    raw = np.concatenate(scores)
    for name, s in (("raw", raw), ("scaled", raw / np.sqrt(d_k))):
        results.append(statistics(s))
        print(f"{d_k:>7} {name:>7} " + " ".join(f"{x:9.4f}" for x in results[-1]))
