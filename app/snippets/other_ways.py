import numpy as np

n_keys = 32
n_rows = 1000  # at each width
g = 10.0  # gain of the cosine
c = 50.0  # of the soft cap
after_scaling = False  # whether the soft cap and the +1 act on s/√d_k instead of s
seed = 1


def softmax(z):
    """Turn rows of logits into weights."""
    powers = np.exp(z - z.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def gradient_norm(w, slope):
    """Frobenius norm of ∂w/∂s, whose entries are w_i (δ_ij - w_j) times the slope of key j."""
    top = np.arange(w.shape[1]) == w.argmax(axis=1)[:, None]
    small = np.where(top, 0, w)
    rest = np.where(top, small.sum(axis=1, keepdims=True), 1 - w)  # 1 - w, with its digits
    total = (w**2).sum(axis=1, keepdims=True)
    others = np.where(top, (small**2).sum(axis=1, keepdims=True), total - w**2)
    column = w**2 * (rest**2 + others)
    return np.sqrt((column[:, : slope.shape[1]] * slope**2).sum(axis=1))


results = {}
for d_k in (4, 16, 64, 256, 1024, 4096):
    # The law of scores and lengths: no vector has to be drawn.
    rng = np.random.Generator(np.random.SFC64([seed, d_k]))
    q = np.sqrt(rng.chisquare(d_k, n_rows))[:, None]  # |q|
    z = rng.standard_normal((n_keys, n_rows)).T  # the part of each key along q
    k = np.sqrt(z**2 + rng.chisquare(d_k - 1, (n_keys, n_rows)).T)  # |k|
    s = q * z
    one = np.ones_like(s)
    base = d_k**-0.5 if after_scaling else 1.0
    t = np.tanh(base * s / c)
    rules = {  # what softmax is given, and its derivative by s
        "none": (s, one),
        "sqrt_d_k": (s / d_k**0.5, one / d_k**0.5),
        "d_k/8": (8 * s / d_k, 8 * one / d_k),
        "d_k": (s / d_k, one / d_k),
        "cosine": (g * s / (q * k), g / (q * k)),
        "softcap": (c * t, base * (1 - t**2)),
        "sink": (base * s, base * one),
    }
    print(f"d_k = {d_k}     std  entropy  largest  gradient  other leader")
    for name, (logits, slope) in rules.items():
        std = logits.std()
        other = (logits.argmax(axis=1) != s.argmax(axis=1)).mean()
        if name == "sink":  # one more key, with score 0
            logits = np.hstack([logits, np.zeros((n_rows, 1))])
        w = softmax(logits)
        entropy = -(w * np.log(np.maximum(w, 1e-300))).sum(axis=1).mean()
        largest = w[:, :n_keys].max(axis=1).mean()
        gradient = np.median(gradient_norm(w, slope))
        results[name, d_k] = std, entropy, largest, gradient, other
        print(f"{name:9} {std:8.3f} {entropy:8.4f} {largest:8.4f} {gradient:9.3g} {other:9.3f}")
