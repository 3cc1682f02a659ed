"""The process that runs a model: the only file that knows llama.cpp.

In: one JSON request per line on stdin. Out: JSON events on stdout. It runs as a script, imports nothing of rpg, and may
crash as native code does without taking the server along. Requests are answered one at a time; `cancel` is read at any
time; the process ends when stdin does.

    {"op": "load", "file", "context", "threads", "gpu_layers", "embed"}       -> {"loaded": {...}}
    {"op": "count", "texts": [...]}                                           -> {"counts": [...]}
    {"op": "speed"}                                                           -> {"tokens_per_second": n}
    {"op": "answer", "messages": [{"role", "content"}], "grammar", "max_tokens", "temperature", "seed", "repetition"}
        -> {"read": n, "of": n} ... {"text": "..."} ... {"done": {"reason": "end" | "length" | "cancelled", ...}}
    {"op": "embed", "texts": [...]}                                           -> {"vectors": [[...], ...]}
    a request that cannot be served                                           -> {"error": {"kind", "message"}}
"""

from __future__ import annotations

import codecs
import ctypes
import json
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

EVENTS = os.fdopen(os.dup(1), "wb", buffering=0)
# Libraries print wherever they like; only events may reach the real stdout.
os.dup2(2, 1)
cancelled = threading.Event()

BATCH = 512
SPEED_TOKENS = 64
"""How many tokens are read to measure how fast that is: a large model reads as many in seconds."""
REPEATED = 64
"""How many of the last tokens count as repeated."""
STAND_IN = "rpgcontent"
FEW, SOME = 64, 4096
# A chat template is a program from the model file.
TEMPLATE_FAILURES = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError)


class Refused(Exception):
    """A request that cannot be served. `kind`: load, overflow, template, grammar, failed."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def main() -> None:
    requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    model: Model | None = None
    while True:
        request = requests.get()
        try:
            if request["op"] == "load":
                model = Model(request)
                emit({"loaded": model.card()})
            elif model is None:
                raise Refused("failed", "no model was loaded")
            elif request["op"] == "count":
                emit({"counts": [len(model.tokens(text, special=False)) for text in request["texts"]]})
            elif request["op"] == "speed":
                emit({"tokens_per_second": model.reading_speed()})
            elif request["op"] == "embed":
                emit({"vectors": model.embed(request["texts"])})
            else:
                for event in model.answer(request):
                    emit(event)
        except Refused as refused:
            emit({"error": {"kind": refused.kind, "message": str(refused)}})


def listen(requests: queue.SimpleQueue[dict[str, Any]]) -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["op"] == "cancel":
            cancelled.set()
            continue
        cancelled.clear()
        requests.put(request)
    os._exit(0)


def emit(event: dict[str, Any]) -> None:
    EVENTS.write(json.dumps(event).encode() + b"\n")


class Model:
    def __init__(self, request: dict[str, Any]) -> None:
        started = time.monotonic()
        from llama_cpp import llama_cpp

        self.c: Any = llama_cpp
        self.log_messages: list[str] = []
        self.level = 0
        self.log = llama_cpp.llama_log_callback(self._hear)
        llama_cpp.llama_log_set(self.log, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        parameters = llama_cpp.llama_model_default_params()
        layers = request["gpu_layers"]
        if layers is None:
            layers = -1 if llama_cpp.llama_supports_gpu_offload() else 0
        parameters.n_gpu_layers = 0x7FFFFFFF if layers < 0 else layers
        self.file = request["file"]
        self.model = llama_cpp.llama_model_load_from_file(os.fsencode(self.file), parameters)
        if not self.model:
            raise Refused("load", self._logged_reason() or "llama.cpp could not load it")
        self.vocabulary = llama_cpp.llama_model_get_vocab(self.model)
        self.words = llama_cpp.llama_vocab_n_tokens(self.vocabulary)
        self.trained = llama_cpp.llama_model_n_ctx_train(self.model)
        self.embeds = request["embed"]
        self.context = self._context(request)
        self.abort = llama_cpp.ggml_abort_callback(lambda _: cancelled.is_set())
        llama_cpp.llama_set_abort_callback(self.context, self.abort, None)
        template = llama_cpp.llama_model_chat_template(self.model, None)
        self.template = template.decode("utf-8", "replace") if template else ""
        self.read: list[int] = []
        """The tokens whose state the context holds."""
        self.prompt_read: list[int] = []
        self.after_prompt: Any = None
        """The last prompt that was read to its end, and what may follow it."""
        self.speed = 0.0
        self.seconds = time.monotonic() - started

    def _context(self, request: dict[str, Any]) -> Any:
        parameters = self.c.llama_context_default_params()
        parameters.n_ctx = min(request["context"], self.trained) if self.trained > 0 else request["context"]
        parameters.n_batch = parameters.n_ubatch = min(BATCH, parameters.n_ctx)
        parameters.n_threads = parameters.n_threads_batch = request["threads"]
        parameters.no_perf = True
        if self.embeds:
            # Bidirectional models need the whole text in one batch.
            parameters.n_batch = parameters.n_ubatch = parameters.n_ctx
            parameters.embeddings = True
        # llama.cpp rounds the context up, beyond the positions that the model was trained for.
        self.size = parameters.n_ctx
        context = self.c.llama_init_from_model(self.model, parameters)
        if not context:
            raise Refused(
                "load",
                self._logged_reason() or f"llama.cpp could not create a context of {parameters.n_ctx} tokens for it",
            )
        return context

    def _hear(self, level: int, text: bytes, _: Any) -> None:
        """Keeps warnings (3), errors (4) and their continuations (5): they give the reason when a call only returns
        null."""
        self.level = level if level != 5 else self.level
        if self.level >= 3:
            self.log_messages.append(text.decode("utf-8", "replace"))
            del self.log_messages[:-20]

    def _logged_reason(self) -> str:
        return " ".join("".join(self.log_messages).split())[-400:]

    def card(self) -> dict[str, Any]:
        buffer = ctypes.create_string_buffer(256)
        self.c.llama_model_desc(self.model, buffer, len(buffer))
        return {
            "context": self.size,
            "trained": self.trained,
            "description": buffer.value.decode("utf-8", "replace"),
            "template": bool(self.template),
            "vector": self.c.llama_model_n_embd(self.model),
            "parameters": self.c.llama_model_n_params(self.model),
            "seconds": round(self.seconds, 3),
        }

    def tokens(self, text: str, *, special: bool, first: bool = False) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        buffer = (self.c.llama_token * room)()
        count = self.c.llama_tokenize(self.vocabulary, data, len(data), buffer, room, first, special)
        if count < 0:
            raise Refused("failed", f"the model's tokenizer refused a text of {len(data)} bytes")
        return list(buffer[:count])

    def piece(self, token: int) -> bytes:
        for room in (64, 4096):
            buffer = ctypes.create_string_buffer(room)
            count = self.c.llama_token_to_piece(self.vocabulary, token, buffer, room, 0, False)
            if count >= 0:
                return bytes(buffer.raw[:count])
        return b""

    def prompt(self, messages: list[dict[str, str]]) -> tuple[list[int], int]:
        """Tokens of the conversation in the model's own template, and how many of them come before the last message.

        Invariant: a message's text never becomes a control token, whatever it contains. The template is rendered with
        placeholders; its own parts are tokenised with control tokens, and the texts as plain text.
        """
        marks = [f"{STAND_IN}{number}{STAND_IN}" for number in range(len(messages))]
        stood_in = [{"role": m["role"], "content": mark} for m, mark in zip(messages, marks, strict=True)]
        texts = dict(zip(marks, (m["content"] for m in messages), strict=True))
        frame = self.render_prompt(stood_in)
        beginning = self.c.llama_vocab_bos(self.vocabulary)
        out: list[int] = []
        before_last = 0
        while frame:
            at, mark = min(((frame.find(mark), mark) for mark in marks if mark in frame), default=(len(frame), ""))
            if at:
                out += self.tokens(frame[:at], special=True)
            if mark:
                before_last = len(out)
                out += self.tokens(texts[mark], special=False)
            frame = frame[at + len(mark) :]
        if self.c.llama_vocab_get_add_bos(self.vocabulary) and out[:1] != [beginning]:
            out.insert(0, beginning)
            before_last += 1
        return out, before_last

    def render_prompt(self, messages: list[dict[str, str]]) -> str:
        if not self.template:
            return "\n\n".join(m["content"] for m in messages) + "\n\n"
        # Some templates have no system role: its text then starts the user's message.
        joined = [{"role": "user", "content": "\n\n".join(m["content"] for m in messages)}]
        problem = ""
        for attempt in (messages, joined):
            try:
                text = self._render(attempt)
            except TEMPLATE_FAILURES as error:
                problem = problem or f"{type(error).__name__}: {error}"
                continue
            if all(m["content"] in text for m in messages):
                return text
        raise Refused("template", f"its chat template cannot be used ({problem or 'it drops messages'})")

    def _render(self, messages: list[dict[str, str]]) -> str:
        """Raises one of TEMPLATE_FAILURES."""
        import jinja2
        from jinja2.ext import Extension, loopcontrols
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        class Generation(Extension):
            """Marks the text that training counts; has no effect here."""

            tags = {"generation"}  # noqa: RUF012

            def parse(self, parser: Any) -> Any:
                parser.stream.skip(1)
                return parser.parse_statements(("name:endgeneration",), drop_needle=True)

        def refuse(message: str) -> None:
            raise ValueError(message)

        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, Generation]
        )
        environment.filters["tojson"] = lambda value, **options: json.dumps(value, ensure_ascii=False)
        # The template gets no clock (`strftime_now`): the same question gives the same prompt on any day.
        try:
            return environment.from_string(self.template).render(
                messages=messages,
                add_generation_prompt=True,
                enable_thinking=False,
                raise_exception=refuse,
                bos_token=self._text_of(self.c.llama_vocab_bos(self.vocabulary)),
                eos_token=self._text_of(self.c.llama_vocab_eos(self.vocabulary)),
            )
        except jinja2.TemplateError as error:
            raise ValueError(str(error)) from error

    def _text_of(self, token: int) -> str:
        text = self.c.llama_vocab_get_text(self.vocabulary, token) if token >= 0 else None
        return text.decode("utf-8", "replace") if text else ""

    def answer(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        prompt, before_last = self.prompt(request["messages"])
        limit = min(request["max_tokens"], self.size - len(prompt))
        if limit <= 0:
            raise Refused("overflow", f"{len(prompt)} tokens do not fit into a context of {self.size}")
        sampler = Sampler(self, request["grammar"], request["temperature"], request["seed"], request["repetition"])
        started = time.monotonic()
        kept = self._keep(prompt, before_last)
        count, reason = 0, "length"
        whole = codecs.getincrementaldecoder("utf-8")("replace")
        for start, end in batches(kept, before_last, len(prompt)):
            if not self._evaluate(prompt[start:end]):
                reason = "cancelled"
                break
            yield {"read": end, "of": len(prompt)}
        else:
            if kept < len(prompt):
                self.prompt_read, self.after_prompt = prompt, self.logits().copy()
        began = time.monotonic()
        while reason == "length" and count < limit:
            token = sampler.next(self.logits() if count else self.after_prompt)
            if token is None or self.c.llama_vocab_is_eog(self.vocabulary, token):
                reason = "end"
                break
            count += 1
            text = whole.decode(self.piece(token))
            if text:
                yield {"text": text}
            if cancelled.is_set() or (count < limit and not self._evaluate([token])):
                reason = "cancelled"
        sampler.close()
        yield {
            "done": {
                "reason": reason,
                "prompt_tokens": len(prompt),
                "kept_tokens": kept,
                "tokens": count,
                "prompt_seconds": round(began - started, 3),
                "seconds": round(time.monotonic() - began, 3),
            }
        }

    def _keep(self, prompt: list[int], before_last: int) -> int:
        """Leaves in the context what it holds of the prompt, and nothing else. How many tokens that is: all, if the
        same prompt was read before, those before the last message, if they are the same, or none. Nothing between: what
        is read in other batches gives slightly other numbers, and an answer would depend on the one before it."""
        memory = self.c.llama_get_memory(self.context)
        for kept in (len(prompt), before_last):
            if kept == len(prompt) and self.prompt_read != prompt:
                continue
            # Not every kind of model can forget a part.
            if kept and self.read[:kept] == prompt[:kept] and self.c.llama_memory_seq_rm(memory, 0, kept, -1):
                del self.read[kept:]
                return kept
        self._forget()
        return 0

    def _forget(self) -> None:
        memory = self.c.llama_get_memory(self.context)
        if memory:
            self.c.llama_memory_clear(memory, True)
        self.read, self.prompt_read = [], []

    def _evaluate(self, tokens: list[int]) -> bool:
        """False if it was cancelled."""
        array = (self.c.llama_token * len(tokens))(*tokens)
        code = self.c.llama_decode(self.context, self.c.llama_batch_get_one(array, len(tokens)))
        if cancelled.is_set() or code:
            # What the context holds now is not known.
            self._forget()
        if cancelled.is_set():
            return False
        if code:
            raise Refused("failed", f"llama.cpp stopped with code {code}: {self._logged_reason()}")
        self.read += tokens
        return True

    def logits(self) -> Any:
        """What may follow the last token that was read. The next one overwrites it."""
        import numpy

        return numpy.ctypeslib.as_array(self.c.llama_get_logits_ith(self.context, -1), shape=(self.words,))

    def reading_speed(self) -> float:
        """Tokens of a prompt in a second, measured once."""
        if not self.speed:
            self._forget()
            tokens = [token % self.words for token in range(1, min(SPEED_TOKENS, self.size - 1) + 1)]
            started = time.monotonic()
            if not self._evaluate(tokens):
                return 0.0
            self.speed = round(len(tokens) / (time.monotonic() - started), 1)
        return self.speed

    def embed(self, texts: list[str]) -> list[list[float]]:
        """One vector of length 1 per text; a text longer than the context is cut."""
        width = self.c.llama_model_n_embd(self.model)
        pooled = self.c.llama_pooling_type(self.context) != self.c.LLAMA_POOLING_TYPE_NONE
        vectors = []
        for text in texts:
            tokens = self.tokens(text, special=False, first=True)[: self.size] or [0]
            self._forget()
            self._evaluate(tokens)
            pointer = (
                self.c.llama_get_embeddings_seq(self.context, 0)
                if pooled
                else self.c.llama_get_embeddings_ith(self.context, len(tokens) - 1)
            )
            if not pointer:
                raise Refused("failed", "the model returned no vector: it is not an embedding model")
            vector = [float(value) for value in pointer[:width]]
            norm = sum(value * value for value in vector) ** 0.5 or 1.0
            vectors.append([value / norm for value in vector])
        return vectors


def batches(start: int, middle: int, end: int) -> Iterator[tuple[int, int]]:
    """From start to end; none crosses the middle, so that those after it are the same wherever reading begins."""
    for first, last in ((start, max(start, middle)), (max(start, middle), end)):
        for at in range(first, last, BATCH):
            yield at, min(at + BATCH, last)


class Sampler:
    """The next token that the grammar allows.

    The most likely tokens are checked against the grammar first, the whole vocabulary only if it rejects all of them:
    with 150,000 tokens that is microseconds instead of a tenth of a second per token.
    """

    def __init__(self, model: Model, grammar: str, temperature: float, seed: int, repetition: float) -> None:
        self.c = model.c
        self.model = model
        self.temperature = temperature
        self.dice = random.Random(seed)
        self.repetition = repetition
        """What a token that was written lately is divided by; 1: nothing changes."""
        self.written: list[int] = []
        self.grammar: Any = None
        if grammar:
            self.grammar = self.c.llama_sampler_init_grammar(model.vocabulary, grammar.encode("utf-8"), b"root")
            if not self.grammar:
                raise Refused("grammar", f"llama.cpp did not accept the grammar: {model._logged_reason()}")

    def next(self, logits: Any) -> int | None:
        """None if the grammar allows nothing more."""
        import numpy

        if not numpy.isfinite(logits).any():
            raise Refused("failed", "its weights yield no numbers: the file is damaged")
        if self.repetition != 1 and self.written:
            lately = numpy.unique(self.written[-REPEATED:])
            logits = logits.copy()
            found = logits[lately]
            logits[lately] = numpy.where(found > 0, found / self.repetition, found * self.repetition)
        for count in (FEW, SOME, self.model.words):
            tokens = numpy.argpartition(-logits, count)[:count] if count < len(logits) else numpy.arange(len(logits))
            tokens, chances = self._allowed(tokens, logits)
            if len(tokens):
                token = int(self._choose(tokens, chances))
                self.written.append(token)
                if self.grammar:
                    self.c.llama_sampler_accept(self.grammar, token)
                return token
        return None

    def _allowed(self, tokens: Any, logits: Any) -> tuple[Any, Any]:
        """Those that the grammar allows, with their logits."""
        import numpy

        data = numpy.zeros(len(tokens), dtype=[("id", "i4"), ("logit", "f4"), ("p", "f4")])
        data["id"], data["logit"] = tokens, logits[tokens]
        if self.grammar:
            pointer = data.ctypes.data_as(ctypes.POINTER(self.c.llama_token_data))
            array = self.c.llama_token_data_array(data=pointer, size=len(data), selected=-1, sorted=False)
            self.c.llama_sampler_apply(self.grammar, ctypes.byref(array))
        data = data[numpy.isfinite(data["logit"])]
        return data["id"], data["logit"]

    def _choose(self, tokens: Any, chances: Any) -> Any:
        import numpy

        if self.temperature <= 0:
            # Among equals, the first in the vocabulary, so that every machine takes the same.
            return tokens[chances == chances.max()].min()
        order = numpy.lexsort((tokens, -chances))
        weights = numpy.exp((chances[order] - chances.max()) / self.temperature)
        return self.dice.choices(tokens[order].tolist(), weights.tolist())[0]

    def close(self) -> None:
        if self.grammar:
            self.c.llama_sampler_free(self.grammar)


if __name__ == "__main__":
    main()
