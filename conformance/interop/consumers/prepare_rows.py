"""Prepares rows as TRL's trainers do: with their own `_prepare_dataset`, and a tokenizer of one token per byte.

Input: {marker, requests: [{path, features, trainer, sources, templates}]}. `sources` has the conversations
({messages, tools}) of each row; the trainer `sft-assistant` is SFTTrainer with `assistant_only_loss`. Output for
each request, by template: `refused`, what the template says to each row that it refuses; `rows`, for each other row
and each of its conversations: how its text differs from that of the source (`difference`), and the markers in it
(`all`), in what the model learns (`learned`) and in the rest (`read`)."""

import json
import re
import sys
from types import SimpleNamespace

from byte_tokenizer import create_tokenizer
from datasets import Features, load_dataset
from jinja2 import TemplateError
from trl.chat_template_utils import get_training_chat_template, has_generation_markers
from trl_trainers import WHOLE, dpo, kto, sft


def prepare_pairs(rows, tokenizer):
    args = SimpleNamespace(**WHOLE)
    for row in dpo.DPOTrainer._prepare_dataset(SimpleNamespace(), rows, tokenizer, args, "train"):
        yield [split(row["prompt_ids"], row["chosen_ids"]), split(row["prompt_ids"], row["rejected_ids"])]


def prepare_unpaired(rows, tokenizer):
    args = SimpleNamespace(**WHOLE)
    trainer = SimpleNamespace(calculate_KL=False, desirable_weight=1.0, undesirable_weight=1.0)
    for row in kto.KTOTrainer._prepare_dataset(trainer, rows, tokenizer, args, "train"):
        yield [split(row["prompt_ids"], row["completion_ids"])]


def split(prompt, completion):
    """Tokens, and which of them are learned, as the collators of both trainers have them."""
    return prompt + completion, [False] * len(prompt) + [True] * len(completion)


def prepare_labels(rows, tokenizer, only_assistant):
    args = SimpleNamespace(
        **WHOLE, assistant_only_loss=only_assistant, dataset_text_field="text", shuffle_dataset=False
    )
    trainer = SimpleNamespace(
        chat_template=training_template(tokenizer) if only_assistant else None,
        # The default of SFTTrainer.
        completion_only_loss="prompt" in rows.column_names and "completion" in rows.column_names,
    )
    for row in sft.SFTTrainer._prepare_dataset(trainer, rows, tokenizer, args, False, None, "train"):
        yield [(row["input_ids"], [label != -100 for label in row["labels"]])]


def training_template(tokenizer):
    """What SFTTrainer renders with for `assistant_only_loss`; None: with the tokenizer's own template."""
    return None if has_generation_markers(tokenizer.chat_template) else get_training_chat_template(tokenizer)


PREPARE = {
    "dpo": prepare_pairs,
    "kto": prepare_unpaired,
    "sft": lambda rows, tokenizer: prepare_labels(rows, tokenizer, False),
    "sft-assistant": lambda rows, tokenizer: prepare_labels(rows, tokenizer, True),
}


def render(conversation, tokenizer, template):
    tools = conversation.get("tools")
    return tokenizer.apply_chat_template(
        conversation["messages"], tools=tools, chat_template=template, tokenize=False
    )


def find_difference(expected, text):
    if expected == text:
        return None
    at = next((i for i, pair in enumerate(zip(expected, text, strict=False)) if len(set(pair)) > 1), -1)
    return f"{expected[max(at - 40, 0) : at + 40]!r} became {text[max(at - 40, 0) : at + 40]!r}"


def describe(expected, ids, learned, tokenizer):
    def markers(wanted):
        kept = [each for each, is_learned in zip(ids, learned, strict=True) if is_learned in wanted]
        return re.findall(marker, tokenizer.decode(kept))

    return {
        "difference": find_difference(expected, tokenizer.decode(ids)),
        "all": markers((True, False)),
        "learned": markers((True,)),
        "read": markers((False,)),
    }


def prepare(rows, trainer, sources, text):
    tokenizer = create_tokenizer(text)
    template = training_template(tokenizer) if trainer == "sft-assistant" else None
    refused, expected = {}, {}
    for index, conversations in enumerate(sources):
        try:
            expected[index] = [render(each, tokenizer, template) for each in conversations]
        except TemplateError as error:
            refused[index] = str(error)
    prepared = PREPARE[trainer](rows.select(expected.keys()), tokenizer)
    described = {
        index: [describe(text, *tokens, tokenizer) for text, tokens in zip(texts, row, strict=True)]
        for (index, texts), row in zip(expected.items(), prepared, strict=True)
    }
    return {"refused": refused, "rows": described}


def answer(path, features, trainer, sources, templates):
    rows = load_dataset("json", data_files=path, split="train", features=Features.from_dict(features))
    assert len(rows) == len(sources), f"{len(rows)} rows of {len(sources)} sources"
    return {name: prepare(rows, trainer, sources, text) for name, text in templates.items()}


request = json.load(sys.stdin)
marker = request["marker"]
json.dump([answer(**each) for each in request["requests"]], sys.stdout)
