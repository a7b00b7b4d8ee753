"""Loads a folder with `dataset_info.json` with LLaMA-Factory's own code, and renders every template.
Input {folder, name}, output {converted, qwen, rendered, failures}."""

import json
import os
import sys

from datasets import load_dataset
from load_without import load_without

# Its logger captures standard output when it is imported.
answer, sys.stdout = sys.stdout, sys.stderr
ABSENT = ["peft", "peft.utils", "llamafactory.extras.misc", "llamafactory.data.mm_plugin"]
parser = load_without(ABSENT, "llamafactory.data.parser")
converter = load_without(ABSENT, "llamafactory.data.converter")
template_module = load_without(ABSENT, "llamafactory.data.template")

request = json.load(sys.stdin)
(attributes,) = parser.get_dataset_list([request["name"]], request["folder"])
path = os.path.join(request["folder"], attributes.dataset_name)
convert = converter.get_dataset_converter(attributes.formatting, attributes, None)
converted = [convert(row) for row in load_dataset("json", data_files=path, split="train")]


def render(template, turns):
    formatters = {
        "user": template.format_user,
        "assistant": template.format_assistant,
        "observation": template.format_observation,
    }
    slots = []
    for turn in turns:
        if turn["role"] == "function":
            slots += template.format_function.apply(
                content=turn["content"],
                thought_words=template.thought_words,
                tool_call_words=template.tool_call_words,
            )
        else:
            slots += formatters[turn["role"]].apply(content=turn["content"], idx="0")
    return "".join(slot for slot in slots if isinstance(slot, str))


rendered, failures = {}, {}
for name, template in template_module.TEMPLATES.items():
    try:
        rendered[name] = [render(template, row["_prompt"]) for row in converted]
    except Exception as error:
        failures[name] = f"{type(error).__name__}: {error}"
json.dump(
    {
        "converted": [[row["_prompt"], row["_response"], row["_system"], row["_tools"]] for row in converted],
        "qwen": rendered["qwen"],
        "rendered": len(rendered),
        "failures": failures,
    },
    answer,
)
