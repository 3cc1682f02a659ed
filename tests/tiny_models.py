"""Writes GGUF models of a few hundred kilobytes that the real llama.cpp loads and runs.

Their weights are random. `tiny_llama(order=...)` ties the output to a fixed order of preference, so that what a grammar
lets through is known in advance: the model always takes the first token of the order that is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

SPECIALS = ("<|end|>", "<|system|>", "<|user|>", "<|assistant|>")
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
WIDTH, LAYERS, HEADS, HIDDEN = 32, 2, 4, 64
OUTPUT_NORMS = ("attn_output_norm", "layer_output_norm")


def byte_alphabet() -> list[str]:
    """How byte-level vocabularies spell the 256 bytes: printable ones as themselves, the others from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    spelled, spare = {byte: chr(byte) for byte in printable}, 0x100
    for byte in range(256):
        if byte not in spelled:
            spelled[byte] = chr(spare)
            spare += 1
    return [spelled[byte] for byte in range(256)]


def tiny_llama(
    path: Path,
    *,
    context: int = 2048,
    template: str | None = TEMPLATE,
    order: Sequence[str] | None = None,
    vocabulary: int = 0,
    seed: int = 1,
) -> Path:
    """A llama of two layers whose tokens are bytes, four control tokens and `vocabulary` unused words."""
    import gguf
    import numpy

    dice = numpy.random.default_rng(seed)
    words = [*byte_alphabet(), "th", *SPECIALS, *(f"unused{number}" for number in range(vocabulary))]
    kinds = [gguf.TokenType.NORMAL] * len(words)
    for at in range(257, 257 + len(SPECIALS)):
        kinds[at] = gguf.TokenType.CONTROL

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(words))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(words)
    writer.add_token_types(kinds)
    writer.add_token_merges(["t h"])
    writer.add_bos_token_id(257)
    writer.add_eos_token_id(257)
    writer.add_add_bos_token(False)
    if template is not None:
        writer.add_chat_template(template)

    def random(*shape: int) -> numpy.ndarray:
        return (dice.standard_normal(shape) * 0.05).astype(numpy.float32)

    embedding, output = random(len(words), WIDTH), random(len(words), WIDTH)
    if order is not None:
        # One embedding for all tokens makes one hidden state for all texts; the output rows along it rank the tokens.
        embedding[:] = embedding[0]
        along = embedding[0] / numpy.linalg.norm(embedding[0])
        output[:] = 0
        for rank, token in enumerate(order):
            output[words.index(token)] = along * (len(order) - rank)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, numpy.float32))
    quiet = 1e-4 if order is not None else 1.0
    for layer in range(LAYERS):
        writer.add_tensor(f"blk.{layer}.attn_norm.weight", numpy.ones(WIDTH, numpy.float32))
        writer.add_tensor(f"blk.{layer}.ffn_norm.weight", numpy.ones(WIDTH, numpy.float32))
        for name in ("attn_q", "attn_k", "attn_v"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", random(WIDTH, WIDTH))
        writer.add_tensor(f"blk.{layer}.attn_output.weight", random(WIDTH, WIDTH) * numpy.float32(quiet))
        writer.add_tensor(f"blk.{layer}.ffn_gate.weight", random(HIDDEN, WIDTH))
        writer.add_tensor(f"blk.{layer}.ffn_up.weight", random(HIDDEN, WIDTH))
        writer.add_tensor(f"blk.{layer}.ffn_down.weight", random(WIDTH, HIDDEN) * numpy.float32(quiet))
    finish(writer)
    return path


def finish(writer: object) -> None:
    writer.write_header_to_file()  # type: ignore[attr-defined]
    writer.write_kv_data_to_file()  # type: ignore[attr-defined]
    writer.write_tensors_to_file()  # type: ignore[attr-defined]
    writer.close()  # type: ignore[attr-defined]


def tiny_bert(path: Path, *, context: int = 128, seed: int = 1) -> Path:
    """A BERT of two layers with a vocabulary of letters, whose vectors are means over its tokens."""
    import gguf
    import numpy

    dice = numpy.random.default_rng(seed)
    letters = [chr(code) for code in range(0x21, 0x7F)]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"▁{letter}" for letter in letters), *letters]
    writer = gguf.GGUFWriter(path, "bert")
    writer.add_name("tiny")
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(words)
    writer.add_token_type_count(2)
    writer.add_token_types([gguf.TokenType.CONTROL] * 4 + [gguf.TokenType.NORMAL] * (len(words) - 4))
    writer.add_pad_token_id(0)
    writer.add_unk_token_id(1)
    writer.add_sep_token_id(3)
    writer.add_bos_token_id(2)
    writer.add_eos_token_id(3)

    def random(*shape: int) -> numpy.ndarray:
        return (dice.standard_normal(shape) * 0.3).astype(numpy.float32)

    writer.add_tensor("token_embd.weight", random(len(words), WIDTH))
    writer.add_tensor("token_types.weight", random(2, WIDTH))
    writer.add_tensor("position_embd.weight", random(context, WIDTH))
    for norm in ("token_embd_norm", *(f"blk.{n}.{name}" for n in range(LAYERS) for name in OUTPUT_NORMS)):
        writer.add_tensor(f"{norm}.weight", numpy.ones(WIDTH, numpy.float32))
        writer.add_tensor(f"{norm}.bias", numpy.zeros(WIDTH, numpy.float32))
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", random(WIDTH, WIDTH))
            writer.add_tensor(f"blk.{layer}.{name}.bias", random(WIDTH))
        writer.add_tensor(f"blk.{layer}.ffn_up.weight", random(HIDDEN, WIDTH))
        writer.add_tensor(f"blk.{layer}.ffn_up.bias", random(HIDDEN))
        writer.add_tensor(f"blk.{layer}.ffn_down.weight", random(WIDTH, HIDDEN))
        writer.add_tensor(f"blk.{layer}.ffn_down.bias", random(WIDTH))
    finish(writer)
    return path
