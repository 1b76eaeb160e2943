import numpy as np

query = 0  # Q0 to Q3
width = 4  # d_k: how many of the 32 coordinates take part
key = 0  # the score to take apart


def vectors(*rows):
    """Turn rows of signs into rows of +1 and -1."""
    return np.array([[1 if sign == "+" else -1 for sign in row] for row in rows])


Q = vectors(
    "+++++----+++-+-+-++--+-++++-+++-",
    "+-+--+-+++++--+-+------------+++",
    "-+--++++--+-+++-++++--++-++--+-+",
    "--+-----+--+-+--++-++++-+--+----",
)
K = vectors(
    "++++--+++--+----+-+-++--+---++--",
    "+-+-+----+++++++-+--+--+++---++-",
    "+++--+++++-+-----+--++++--+-+-++",
    "----++-+++----+++-++-++++++++-++",
)
V = np.array([[2, 0], [0, 2], [-2, 0], [0, -2]])  # values have a width of their own

products = Q[query, :width] * K[:, :width]
scores = products.sum(axis=1)
print("products for one score ", products[key], "sum to", scores[key])


def attend(logits):
    """Return weights, entropy in nats and the mixture of the values."""
    exponentials = np.exp(logits - logits.max())
    weights = exponentials / exponentials.sum()
    entropy = np.log(exponentials.sum()) - weights @ (logits - logits.max())
    return weights, entropy, weights @ V


scaled = scores / np.sqrt(width)
raw_weights, raw_entropy, raw_output = attend(scores)
scaled_weights, scaled_entropy, scaled_output = attend(scaled)

for name, *numbers in (
    ("raw", scores, raw_weights, raw_entropy, raw_output),
    ("scaled", scaled, scaled_weights, scaled_entropy, scaled_output),
):
    for what, x in zip(("scores", "weights", "entropy", "output"), numbers, strict=True):
        print(f"{name:7}{what:8}", np.round(x, 4))
