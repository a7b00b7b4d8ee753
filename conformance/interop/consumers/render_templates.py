"""Renders records as TRL does. Input {path, features, columns, templates}; output: the texts of each record
by template. Only `columns` are read, as by the trainer for that type of dataset."""

import json
import sys

from datasets import Features, load_dataset
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast
from trl import apply_chat_template

request = json.load(sys.stdin)
dataset = load_dataset(
    "json",
    data_files=request["path"],
    split="train",
    features=Features.from_dict(request["features"]),
).select_columns(request["columns"])


def render(template):
    # Rendering to text needs no vocabulary.
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(WordLevel({"<unk>": 0}, unk_token="<unk>")),
        bos_token="<s>",
        eos_token="</s>",
    )
    tokenizer.chat_template = template
    return [apply_chat_template(row, tokenizer) for row in dataset]


json.dump({name: render(text) for name, text in request["templates"].items()}, sys.stdout)
