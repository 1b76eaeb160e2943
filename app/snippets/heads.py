import numpy as np

sentence = 0
layer = 0
head = 2
divisor = 5.656854249492381  # √32, the square root of d_k

# assets/trained_heads.npz of the explorer
stored = np.load("assets/trained_heads.npz", allow_pickle=False)
end = int(np.cumsum(stored["lengths"])[sentence])
start = end - int(stored["lengths"][sentence])
query = stored["query"][layer, head, start:end].astype(np.float32)
key = stored["key"][layer, head, start:end].astype(np.float32)
tokens = stored["tokens"][start:end]

scores = (query @ key.T).astype(np.float64)
divided = scores / divisor
exponentials = np.exp(divided - divided.max(axis=-1, keepdims=True))
weights = exponentials / exponentials.sum(axis=-1, keepdims=True)

print("tokens             ", " ".join(tokens))
print("raw score std      ", scores.std().round(2), "against", np.sqrt(32).round(2))
print("mean largest weight", weights.max(axis=-1).mean().round(4))
