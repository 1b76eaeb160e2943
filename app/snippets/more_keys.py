import numpy as np

width = 64  # d_k
n = 128  # number of keys


def mean_entropy(sigma):
    """Exact mean entropy of softmax over n normal scores of standard deviation sigma, in nats.

    Give key j a clock of rate exp(s_j): the first to ring is j with probability w_j. With L the
    logarithm of a standard exponential, its time is exp(L − s_j), and E[H] is −γ less the mean of
    the winner's L.
    """
    z = np.arange(-7, 7, 0.4 / max(sigma, 1))
    density = np.exp(-z * z / 2)
    density /= density.sum()
    reach = np.sqrt(2 * (25 + np.log(n)))
    early = -25 - np.log(n) - min(sigma**2 / 2, reach * sigma)
    u = np.arange(early, 4 + 7 * sigma, 0.4)[:, None]  # logarithm of the winner's time
    L = np.minimum(u + sigma * z, 5)
    later = np.exp(-np.exp(L))  # chance that a clock has not rung yet
    now = np.exp(L) * later
    others_later = np.maximum(later @ density, 1e-300) ** (n - 1)
    return -np.euler_gamma - ((L * now) @ density @ others_later) / (now @ density @ others_later)


# The length of a query is chi-distributed with d_k degrees of freedom.
x, weight = np.polynomial.legendre.leggauss(24)
low, high = max(np.sqrt(width) - 4.5, 0), np.sqrt(width) + 4.5
length = low + (high - low) * (x + 1) / 2
weight *= np.exp((width - 1) * np.log(length / np.sqrt(width)) - (length**2 - width) / 2)
weight /= weight.sum()

raw = sum(w * mean_entropy(t) for t, w in zip(length, weight, strict=True))
scaled = sum(w * mean_entropy(t / np.sqrt(width)) for t, w in zip(length, weight, strict=True))

for name, entropy, sigma in (("raw", raw, np.sqrt(width)), ("scaled", scaled, 1.0)):
    print(name)
    print("  mean entropy (nats)       ", round(entropy, 4), "of at most", round(np.log(n), 4))
    print("  normalized                ", round(entropy / np.log(n), 4))
    print("  effective keys            ", round(np.exp(entropy), 4))
    print("  large-n guide (nats)      ", round(max(np.log(n) - sigma**2 / 2, 0), 4))
print("raw scores freeze from width", round(2 * np.log(n), 2))
