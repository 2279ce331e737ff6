"""BERTScore (Zhang et al. 2020) of a response against a reference answer, with a model in a folder of this machine.

The folder is one as Hugging Face publishes it: `config.json`, `tokenizer.json` and `model.safetensors` of BERT, RoBERTa
or XLM-RoBERTa. The encoder is computed with NumPy, because PyTorch alone takes more room than the whole site. Figures
are those of the package bert-score without weights of words (idf) and without a baseline.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..jobs import Refused
from .text_metrics import BERTSCORE

Floats = NDArray[np.float32]
FILES = ("config.json", "tokenizer.json", "model.safetensors")
KINDS = ("bert", "roberta", "xlm-roberta")
"""Types of models. Those of RoBERTa number positions from the id of padding plus 1, and start a text with a space."""


@dataclass(frozen=True)
class Embeddings:
    """Embeddings of a text's tokens, of length 1 and shape (tokens, size); `is_word` is False for special tokens."""

    vectors: Floats
    is_word: NDArray[np.bool_]


class BertModel:
    """An encoder with its tokenizer. `layers`: how many of its layers are computed; None: all."""

    def __init__(self, folder: Path, layers: int | None = None) -> None:
        """Read the files. Raises Refused."""
        Tokenizer, load_file = _packages()
        if missing := [name for name in FILES if not (folder / name).is_file()]:
            message = "%(folder)s is not the folder of a model for %(metric)s: it has no file %(missing)s"
            values = {"folder": folder, "metric": BERTSCORE, "missing": ", ".join(missing)}
            raise Refused([message % values])
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.kind = str(config.get("model_type"))
        if self.kind not in KINDS or config.get("hidden_act", "gelu") != "gelu":
            message = "the model in %(folder)s is of the type %(kind)s; those that can be used are: %(known)s"
            raise Refused([message % {"folder": folder, "kind": self.kind, "known": ", ".join(KINDS)}])
        self.layers = int(config["num_hidden_layers"]) if layers is None else layers
        if not 0 < self.layers <= config["num_hidden_layers"]:
            message = "the model in %(folder)s has %(layers)s layers, not %(wanted)s"
            values = {"folder": folder, "layers": config["num_hidden_layers"], "wanted": self.layers}
            raise Refused([message % values])
        self.heads, self.epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
        self.is_roberta = self.kind != "bert"
        self.first_position = int(config["pad_token_id"]) + 1 if self.is_roberta else 0
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(int(config["max_position_embeddings"]) - self.first_position)
        weights = load_file(folder / "model.safetensors")
        self.weights: dict[str, Floats] = {_bare(name): value.astype(np.float32) for name, value in weights.items()}

    def embed(self, text: str) -> Embeddings:
        """Return the embeddings of a text, of which what is too long for the model is cut off."""
        stripped = text.strip()
        encoded = self.tokenizer.encode(f" {stripped}" if self.is_roberta else stripped)
        tokens = np.array(encoded.ids, dtype=np.int64)
        rows = self._rows("word", tokens) + self._rows("position", np.arange(len(tokens)) + self.first_position)
        rows = rows + self._rows("token_type", 0 * tokens)
        rows = self._normalized(rows, "embeddings.LayerNorm")
        for layer in range(self.layers):
            rows = self._layer(rows, f"encoder.layer.{layer}")
        vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return Embeddings(vectors, np.array(encoded.special_tokens_mask) == 0)

    def _rows(self, name: str, numbers: NDArray[np.int64]) -> Floats:
        rows: Floats = self.weights[f"embeddings.{name}_embeddings.weight"][numbers]
        return rows

    def _layer(self, rows: Floats, name: str) -> Floats:
        """Return the output of a layer: attention, then the feed-forward part (Devlin et al. 2019)."""
        attended = self._linear(self._attention(rows, f"{name}.attention.self"), f"{name}.attention.output.dense")
        rows = self._normalized(rows + attended, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._linear(rows, f"{name}.intermediate.dense"))
        return self._normalized(rows + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _attention(self, rows: Floats, name: str) -> Floats:
        shape = (len(rows), self.heads, -1)
        query, key, value = (
            self._linear(rows, f"{name}.{part}").reshape(shape).transpose(1, 0, 2) for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(query.shape[2]))
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        mixed: Floats = (weights @ value).transpose(1, 0, 2).reshape(len(rows), -1)
        return mixed

    def _linear(self, rows: Floats, name: str) -> Floats:
        product: Floats = rows @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return product

    def _normalized(self, rows: Floats, name: str) -> Floats:
        centered = rows - rows.mean(axis=1, keepdims=True)
        scale = np.sqrt((centered**2).mean(axis=1, keepdims=True) + np.float32(self.epsilon))
        normalized: Floats = centered / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return normalized


def bertscore_f1(response: Embeddings, reference: Embeddings) -> float:
    """Return F1 of the greedy matches: each token of a text with the most similar one of the other; 0 of no token."""
    if not response.is_word.any() or not reference.is_word.any():
        return 0.0
    similarity = response.vectors @ reference.vectors.T
    precision = float(similarity.max(axis=1)[response.is_word].mean())
    recall = float(similarity.max(axis=0)[reference.is_word].mean())
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _gelu(values: Floats) -> Floats:
    from scipy.special import erf

    activated: Floats = values * np.float32(0.5) * (1 + erf(values / np.float32(np.sqrt(2))))
    return activated


def _bare(name: str) -> str:
    """Return the name of weights without that of the model, in the present spelling."""
    name = name.removeprefix("bert.").removeprefix("roberta.")
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def _packages() -> tuple[Any, Any]:
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError:
        raise Refused(
            [f"{BERTSCORE} needs the packages of the extra {'bertscore'}: install requirements-all.lock"]
        ) from None
    return Tokenizer, load_file
