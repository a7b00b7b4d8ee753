"""Converts rows with LLaMA-Factory's own code. Input: a list of {attributes, row}; output: for each row the error, or
[prompt, response]. An empty prompt: the row is skipped."""

import json
import os
import sys
import tempfile

from datasets import load_dataset
from load_without import load_without

# Its logger captures standard output when it is imported.
answer, sys.stdout = sys.stdout, sys.stderr
ABSENT = ["peft", "peft.utils", "llamafactory.extras.misc", "llamafactory.data.mm_plugin"]
parser = load_without(ABSENT, "llamafactory.data.parser")
converter = load_without(ABSENT, "llamafactory.data.converter")


def convert(attributes, row):
    (dataset,) = parser.get_dataset_list(["rows"], {"rows": {"file_name": "rows.jsonl", **attributes}})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{json.dumps(row)}\n")
        try:
            (loaded,) = load_dataset("json", data_files=path, split="train")
            done = converter.get_dataset_converter(dataset.formatting, dataset, None)(loaded)
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"prompt": done["_prompt"], "response": done["_response"]}


json.dump([convert(**each) for each in json.load(sys.stdin)], answer)
