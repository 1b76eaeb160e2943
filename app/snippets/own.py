import numpy as np

query_file = "assets/samples/trained_layer_0.npz"
query_name = "query"
key_file = "assets/samples/trained_layer_0.npz"
key_name = "key"
mask_file = ""  # no mask
mask_name = ""
swaps = {}  # axes to exchange, such as {"query": [(-3, -2)]}
head = 0  # counted along all leading axes
causal = False
divisor = 4.0


def load(file, name, role):
    if file.endswith(".npz"):
        array = np.load(file, allow_pickle=False)[name]
    elif file.endswith(".npy"):
        array = np.load(file, allow_pickle=False)
    else:
        array = np.genfromtxt(file, delimiter=",", ndmin=2)
        array = array[~np.isnan(array).all(axis=1)]  # without a line of names
    for axes in swaps.get(role, []):
        array = np.swapaxes(array, *axes)
    return array if array.dtype == bool else array.astype(np.float64)


query, key = load(query_file, query_name, "query"), load(key_file, key_name, "key")
with np.errstate(invalid="ignore"):
    scores = query @ np.swapaxes(key, -1, -2)
bias = np.zeros(scores.shape)
if mask_file:
    mask = load(mask_file, mask_name, "mask")
    bias = bias + (np.where(mask, 0.0, -np.inf) if mask.dtype == bool else mask)
    scores = np.broadcast_to(scores, bias.shape)
n_q, n_k = scores.shape[-2:]
scores, bias = scores.reshape(-1, n_q, n_k)[head], bias.reshape(-1, n_q, n_k)[head]

allowed = np.isfinite(scores) & (bias > -np.inf)
if causal:
    allowed &= np.tril(np.ones((n_q, n_k), dtype=bool))
std = scores[allowed].std()
choice = allowed.sum(axis=-1) >= 2  # rows with at least two keys to choose between

allowed, bias = allowed[choice], np.where(allowed, bias, 0)[choice]
divided = np.where(allowed, np.where(allowed, scores[choice], 0) / divisor + bias, -np.inf)
exponentials = np.exp(divided - divided.max(axis=-1, keepdims=True))
weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
entropy = -(weights * logs).sum(axis=-1)
normalized_entropy = (entropy / np.log(allowed.sum(axis=-1))).mean()
largest_weight = weights.max(axis=-1).mean()

print("raw score std           ", std.round(4))
print("the random model, √d_k  ", np.sqrt(query.shape[-1]).round(4))
print("mean normalized entropy ", normalized_entropy.round(4))
print("mean largest weight     ", largest_weight.round(4))
