import numpy as np

n_keys = 3
n_rows = 10000  # at each width
seed = 1
divisor = 1.7320508075688772  # τ for the fixed row


def softmax(scores):
    """Turn rows of scores into weights."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def jacobian_norm(weights):
    """Frobenius norm of J = diag(w) - w wᵀ, without building J."""
    ordered = np.sort(weights, axis=-1)
    top, others = ordered[..., -1], ordered[..., :-1]
    rest = others.sum(axis=-1)  # 1 - top, with all its digits
    squares = (others**2).sum(axis=-1)
    diagonal = (top * rest) ** 2 + (others**2 * (1 - others) ** 2).sum(axis=-1)
    pairs = 2 * top**2 * squares + squares**2 - (others**4).sum(axis=-1)
    return np.sqrt(diagonal + pairs)


medians = {}
print("Median ‖J‖ of random rows, the middle nine tenths, rows with a weight above 0.9")
for d_k in (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096):
    rng = np.random.default_rng([seed, d_k])  # each width has its own stream
    block = max(1, 2**16 // n_keys)
    scores = []
    for start in range(0, n_rows, block):
        rows = min(block, n_rows - start)
        # Given q, the scores of independent keys are normal with standard deviation |q|.
        length = np.sqrt(rng.chisquare(d_k, rows))
        scores.append(length[:, None] * rng.standard_normal((rows, n_keys)))
    raw = np.concatenate(scores)
    for name, s in (("raw", raw), ("scaled", raw / np.sqrt(d_k))):
        w = softmax(s)
        low, median, high = np.quantile(jacobian_norm(w), (0.05, 0.5, 0.95))
        saturated = (w.max(axis=-1) > 0.9).mean()
        medians[name, d_k] = low, median, high, saturated
        print(f"{d_k:5d} {name:>7} {median:10.3g}   {low:.3g} to {high:.3g}   {saturated:.1%}")

w = softmax(np.array([3.0, 1.0, -1.0]) / divisor)
J = np.diag(w) - np.outer(w, w)
print("J by what softmax is given, norm", np.linalg.norm(J))
print("J/τ by the raw scores 3, 1, -1, norm", np.linalg.norm(J / divisor))
print((J / divisor).round(4))
