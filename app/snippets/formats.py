import numpy as np

scale = 4.0
d_k = 64
format_name = "float16"  # or float32, float64; NumPy has no bfloat16
seed = 1
n_scores = 2000

scores = (np.array([3.0, 1.0, -1.0]) * scale).astype(format_name)

with np.errstate(all="ignore"):
    e = np.exp(scores)
    naive = e / e.sum()
    shifted = np.exp(scores - scores.max())
    stable = shifted / shifted.sum()

# An exponential overflows half a step past the largest number.
info = np.finfo(format_name)
boundary = float(np.log(float(info.max)))

# How often does a random raw score pass it? Scaled scores hardly ever do.
rng = np.random.default_rng(seed)
query, key = rng.standard_normal((2, n_scores, d_k))
raw = np.einsum("nd,nd->n", query, key)
raw_share = np.mean(raw > boundary)
scaled_share = np.mean(raw / np.sqrt(d_k) > boundary)

print("naive ", naive)
print("stable", stable)
print("exp overflows at", round(boundary, 2))
print("raw scores past it:", raw_share, " scaled:", scaled_share)
