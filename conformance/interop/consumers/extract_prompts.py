"""Extracts prompt and answers as TRL does. Input [{path, features}], output [{conversational, rows}]."""

import json
import sys

from datasets import Features, load_dataset
from trl import is_conversational, maybe_extract_prompt

answers = []
for request in json.load(sys.stdin):
    dataset = load_dataset(
        "json",
        data_files=request["path"],
        split="train",
        features=Features.from_dict(request["features"]),
    )
    # As in the trainers: either every column is a conversation, or none is.
    columns = [name for name in ("prompt", "chosen", "rejected", "completion", "messages") if name in dataset.features]
    conversational = [all(is_conversational({name: row[name]}) for name in columns) for row in dataset]
    answers.append({"conversational": conversational, "rows": list(dataset.map(maybe_extract_prompt))})
json.dump(answers, sys.stdout)
