import numpy as np

divisor = 1.7320508075688772  # √3, the square root of d_k
shift = 0.0  # added to every score; it changes no weight

query = np.array([1, 1, 1])
key = np.array([[1, 1, 1], [1, 0, 0], [-1, 0, 0]])

scores = key @ query + shift
scaled = scores / divisor
exponentials = np.exp(scaled - scaled.max())
weights = exponentials / exponentials.sum()
entropy = np.log(exponentials.sum()) - weights @ (scaled - scaled.max())

print("scores           ", scores)
print("divided          ", scaled)
print("weights          ", weights.round(6))
print("entropy (nats)   ", round(entropy, 6))
print("effective keys   ", round(np.exp(entropy), 6))
