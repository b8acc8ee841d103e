"""The forward pass of all-MiniLM-L6-v2 (a BERT of six layers) in numpy.

All sums are in float64, so that the order in which a machine's BLAS adds does
not reach the eighth bit of the table.
"""

import json

import numpy as np
from scipy.special import erf

LAYERS, HEADS, EPSILON = 6, 12, 1e-12


def load_weights(path):
    """Reads a safetensors file: a length, a JSON header, then raw tensors."""
    with open(path, "rb") as file:
        blob = file.read()
    start = 8 + int.from_bytes(blob[:8], "little")
    header = json.loads(blob[8:start])
    weights = {}
    for name, about in header.items():
        if name == "__metadata__" or about["dtype"] != "F32":
            continue
        begin, end = about["data_offsets"]
        flat = np.frombuffer(blob[start + begin:start + end], dtype="<f4")
        weights[name] = flat.reshape(about["shape"]).astype(np.float64)
    return weights


class Model:
    """Encodes token ids into mean-pooled sentence vectors of 384 components."""

    def __init__(self, weights):
        self.weights = weights

    def pooled(self, ids):
        """Mean over the last hidden states of a batch of equally long rows."""
        hidden = self._embedded(ids)
        for number in range(LAYERS):
            hidden = self._layer(hidden, f"encoder.layer.{number}.")
        return hidden.mean(axis=1)

    def _embedded(self, ids):
        name = "embeddings.%s_embeddings.weight"
        words = self.weights[name % "word"][ids]
        positions = self.weights[name % "position"][: ids.shape[1]]
        segment = self.weights[name % "token_type"][0]
        return self._normed(words + positions + segment, "embeddings.")

    def _layer(self, hidden, name):
        attended = self._linear(self._attention(hidden, name), name + "attention.output.dense")
        hidden = self._normed(hidden + attended, name + "attention.output.")
        inner = self._linear(hidden, name + "intermediate.dense")
        inner *= 0.5 * (1 + erf(inner / np.sqrt(2)))
        return self._normed(hidden + self._linear(inner, name + "output.dense"), name + "output.")

    def _attention(self, hidden, name):
        query, key, value = (
            self._heads(self._linear(hidden, f"{name}attention.self.{part}"))
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        return (shares @ value).transpose(0, 2, 1, 3).reshape(hidden.shape)

    @staticmethod
    def _heads(flat):
        batch, length, width = flat.shape
        return flat.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    def _linear(self, hidden, name):
        return hidden @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def _normed(self, hidden, name):
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        gain = self.weights[name + "LayerNorm.weight"]
        return centred / spread * gain + self.weights[name + "LayerNorm.bias"]
