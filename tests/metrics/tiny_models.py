"""Folders of tiny models with random weights, as Hugging Face publishes those of BERT and RoBERTa."""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

ROWS = {"word": "vocab_size", "position": "max_position_embeddings", "token_type": "type_vocab_size"}
SIZE, INNER, LAYERS, HEADS, POSITIONS = 12, 20, 3, 3, 40
WORDS = ("tern", "##s", "fly", "far", "over", "the", "sea", "a", "gull", "rest", "12", "km", ".", ",")


def bert(folder: Path) -> Path:
    """Write a model of the type of BERT: words in lower case, parts of words, [CLS] and [SEP]."""
    vocabulary = {word: n for n, word in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.add_special_tokens(list(vocabulary)[:5])
    return _write(folder, tokenizer, {"model_type": "bert", "pad_token_id": 0, "type_vocab_size": 2}, "")


def roberta(folder: Path) -> Path:
    """Write a model of the type of RoBERTa: pairs of bytes, <s> and </s>, positions from 2."""
    merges = [("t", "e"), ("te", "r"), ("ter", "n"), ("Ġ", "f"), ("Ġf", "l"), ("Ġfl", "y"), ("Ġ", "t")]
    tokens = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet()), *map("".join, merges)]
    vocabulary = {token: n for n, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    return _write(folder, tokenizer, {"model_type": "roberta", "pad_token_id": 1, "type_vocab_size": 1}, "roberta.")


def _write(folder: Path, tokenizer: Tokenizer, config: dict[str, object], prefix: str) -> Path:
    folder.mkdir()
    config |= {
        "vocab_size": tokenizer.get_vocab_size(), "hidden_size": SIZE, "intermediate_size": INNER, "hidden_act": "gelu",
        "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "max_position_embeddings": POSITIONS,
        "layer_norm_eps": 1e-5,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    tokenizer.save(str(folder / "tokenizer.json"))
    weights = {f"{prefix}{name}": values for name, values in _weights(config).items()}
    save_file(weights, folder / "model.safetensors")
    return folder


def _weights(config: dict[str, object]) -> dict[str, np.ndarray]:
    """Return random weights, the same for the same sizes."""
    generator, shapes = np.random.default_rng(7), dict[str, tuple[int, ...]]()
    for name, rows in ROWS.items():
        shapes[f"embeddings.{name}_embeddings.weight"] = (int(str(config[rows])), SIZE)
    shapes |= {"embeddings.LayerNorm.weight": (SIZE,), "embeddings.LayerNorm.bias": (SIZE,)}
    linear = {f"attention.self.{part}": (SIZE, SIZE) for part in ("query", "key", "value")}
    linear |= {
        "attention.output.dense": (SIZE, SIZE),
        "intermediate.dense": (INNER, SIZE),
        "output.dense": (SIZE, INNER),
    }
    for layer in (f"encoder.layer.{n}." for n in range(LAYERS)):
        for name, shape in linear.items():
            shapes |= {f"{layer}{name}.weight": shape, f"{layer}{name}.bias": shape[:1]}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{layer}{name}.weight": (SIZE,), f"{layer}{name}.bias": (SIZE,)}
    about = {name: (float("LayerNorm.weight" in name), 0.1 if "LayerNorm" in name else 0.6) for name in shapes}
    return {name: generator.normal(*about[name], shape).astype(np.float32) for name, shape in shapes.items()}
