import numpy as np

rho = 0.3  # correlation of the planted key's components with the query's
n_keys = 64
seed = 1
mu = 1.0  # mean of every component of queries and keys
s = 1.0  # its standard deviation
r = 0.0  # correlation of any two coordinates of one vector
n_rows = 2000


def softmax(scores):
    """Weights of each row, the row's maximum subtracted first."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


print("One key leans towards the query: its mean weight by divisor")
planted = {}
for d_k in (4, 16, 64, 256, 1024, 4096):
    # The law of the scores, given the query's length: no vector has to be drawn.
    rng = np.random.Generator(np.random.SFC64([seed, d_k]))
    square = rng.chisquare(d_k, n_rows)
    scores = rng.standard_normal((n_rows, n_keys)) * np.sqrt(square)[:, None]
    scores[:, 0] = rho * square + np.sqrt(1 - rho**2) * scores[:, 0]
    planted[d_k] = [softmax(scores / tau)[:, 0].mean() for tau in (d_k**0.5, d_k / 8, d_k)]
    print(f"d_k = {d_k:5d}   √d_k {planted[d_k][0]:.4f}", end="")
    print(f"   d_k/8 {planted[d_k][1]:.4f}   d_k {planted[d_k][2]:.4f}")

print("Other components: std of the scores / √d_k, over all and within a row")
spreads = {}
for d_k in (4, 16, 64, 256, 1024, 4096):
    # Variance along (1, …, 1) / √d_k, and in every direction across it.
    along, across = s**2 * (1 + (d_k - 1) * r), s**2 * (1 - r)
    total = np.sqrt((along**2 + (d_k - 1) * across**2) / d_k + 2 * mu**2 * along)
    within = np.sqrt((along**2 + (d_k - 1) * across**2) / d_k + mu**2 * along)

    rng = np.random.Generator(np.random.SFC64([seed, d_k]))
    part = np.sqrt(along) * rng.standard_normal(n_rows)
    rest = across * rng.chisquare(d_k - 1, n_rows)
    std = np.sqrt(along * (mu * np.sqrt(d_k) + part) ** 2 + across * rest)
    scores = rng.standard_normal((n_rows, n_keys)) * std[:, None]
    scores = (scores + mu * np.sqrt(d_k) * part[:, None]) / np.sqrt(d_k)
    weights = softmax(scores)
    logarithms = np.log(weights, where=weights > 0, out=np.zeros_like(weights))
    entropy = -(weights * logarithms).sum(axis=1).mean()
    sampled = np.sqrt(scores.var(axis=1, ddof=1).mean())
    spreads[d_k] = total, within, scores.std(), sampled, entropy
    print(f"d_k = {d_k:5d}   exact {total:.4f}, {within:.4f}", end="")
    print(f"   sampled {scores.std():.4f}, {sampled:.4f}   entropy {entropy:.4f} nats")
