"""Computes the table of token vectors from the model's files; runs in the venv.

usage: table.py MODEL.safetensors VOCAB.txt OUT_FOLDER

Writes OUT_FOLDER/pieces.txt (one piece a line, in the model's order) and
OUT_FOLDER/table.bin, whose numbers are little-endian:
  8 bytes "HFTABLE1", uint32 rows, uint32 dimension,
  rows x float32 factor, rows x dimension int8.
The contribution of a piece to a text is factor x row.
"""

import pathlib
import struct
import sys

import numpy as np

from minilm import Model, load_weights

DIMENSION = 256
BATCH = 512
CLS, SEP = 101, 102
FIRST = 999  # the pieces before are [PAD], [unused], [UNK], [CLS], [SEP], [MASK]


def pooled_pieces(model, count):
    """The vector of [CLS] piece [SEP] for each real piece."""
    batches = []
    for start in range(FIRST, count, BATCH):
        piece = np.arange(start, min(start + BATCH, count))
        ids = np.stack([np.full_like(piece, CLS), piece, np.full_like(piece, SEP)], axis=1)
        batches.append(model.pooled(ids))
        print(f"\r{piece[-1] + 1}/{count}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return np.concatenate(batches)


def principal(vectors):
    """Centred vectors on their first principal components.

    An axis has no sign of its own: its largest component is made positive.
    """
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    axes = axes[:, ::-1][:, :DIMENSION]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(DIMENSION)]
    return centred @ (axes * np.sign(largest))


def quantised(vectors):
    """Rows as int8 with one scale each: the largest component becomes 127."""
    scale = np.abs(vectors).max(axis=1) / 127
    return scale, np.rint(vectors / scale[:, None]).astype(np.int8)


def main(weights_path, vocabulary_path, out):
    vocabulary = pathlib.Path(vocabulary_path).read_bytes().decode().removesuffix("\n").split("\n")
    model = Model(load_weights(weights_path))
    scale, rows = quantised(principal(pooled_pieces(model, len(vocabulary))))
    # Pieces are numbered roughly by falling frequency: ln(1 + id) stands for
    # inverse document frequency and needs no statistics of the store.
    factor = scale * np.log1p(np.arange(FIRST, len(vocabulary)))
    header = b"HFTABLE1" + struct.pack("<II", *rows.shape)
    out = pathlib.Path(out)
    (out / "table.bin").write_bytes(header + factor.astype("<f4").tobytes() + rows.tobytes())
    (out / "pieces.txt").write_bytes("".join(p + "\n" for p in vocabulary[FIRST:]).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
