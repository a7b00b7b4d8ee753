"""Prepares rows as TRL's trainers do, whoever wrote them: with the trainers' own `_prepare_dataset`, and a tokenizer of
one token per byte. Input {templates, requests: [{trainer, path}]}, or `rows`, which are written to a file; `datasets`
infers the columns of files. Output for each request, by template: `error`, or for each row `texts`, pairs of what the model
reads and what it learns."""

import json
import os
import sys
import tempfile
from types import SimpleNamespace

from byte_tokenizer import create_tokenizer
from datasets import load_dataset
from trl_trainers import WHOLE, dpo, kto, sft


def prepare(trainer, rows, tokenizer):
    decode = tokenizer.decode
    tokenizer_of = SimpleNamespace(_tokenizer=tokenizer)
    if trainer == "dpo":
        args = SimpleNamespace(**WHOLE)
        for row in dpo.DPOTrainer._prepare_dataset(tokenizer_of, rows, tokenizer, args, "train"):
            prompt = decode(row["prompt_ids"])
            yield [[prompt, decode(row["chosen_ids"])], [prompt, decode(row["rejected_ids"])]]
    elif trainer == "kto":
        args = SimpleNamespace(**WHOLE)
        trainer = SimpleNamespace(
            _tokenizer=tokenizer, calculate_KL=False, desirable_weight=1.0, undesirable_weight=1.0
        )
        for row in kto.KTOTrainer._prepare_dataset(trainer, rows, tokenizer, args, "train"):
            yield [[decode(row["prompt_ids"]), decode(row["completion_ids"])]]
    else:
        args = SimpleNamespace(
            **WHOLE, assistant_only_loss=False, dataset_text_field="text", shuffle_dataset=False
        )
        trainer = SimpleNamespace(
            _tokenizer=tokenizer,
            chat_template=None,
            completion_only_loss="prompt" in rows.column_names or "completion_mask" in rows.column_names,
        )
        is_processed = "input_ids" in rows.column_names
        prepared = sft.SFTTrainer._prepare_dataset(trainer, rows, tokenizer, args, False, None, "train")
        for row in prepared:
            if is_processed:
                yield [[len(row["input_ids"]), [label != -100 for label in row["labels"]]]]
                continue
            is_learned = [label != -100 for label in row["labels"]]
            learned = [each for each, kept in zip(row["input_ids"], is_learned, strict=True) if kept]
            read = [each for each, kept in zip(row["input_ids"], is_learned, strict=True) if not kept]
            yield [[decode(read), decode(learned)]]


def attempt(trainer, path, template):
    try:
        rows = load_dataset("json", data_files=path, split="train")
        return {"texts": list(prepare(trainer, rows, create_tokenizer(template)))}
    except Exception as error:
        reason = error.__cause__ or error
        return {"error": f"{type(reason).__name__}: {reason}"[:500]}


request = json.load(sys.stdin)
answers = []
for each in request["requests"]:
    with tempfile.TemporaryDirectory() as folder:
        path = each.get("path") or os.path.join(folder, "rows.jsonl")
        if "rows" in each:
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(row)}\n" for row in each["rows"])
        answers.append(
            {name: attempt(each["trainer"], path, text) for name, text in request["templates"].items()}
        )
json.dump(answers, sys.stdout)
