"""Reads a file with the Tinker Cookbook's own code and the builder in docs/targets.md. Input {path}; output:
{chosen, rejected, calls} for each record, with the calls as its Qwen renderer writes them, and the fields of
the first message as its own builder of JSONL files returns them."""

import json
import sys

from datasets import Dataset, load_dataset
from load_without import load_without

ABSENT = ["torch", "tinker", "PIL", "chz", "blobfile"]
ABSENT += ["tinker_cookbook.audio_processing_utils", "tinker_cookbook.image_processing_utils"]
compat = load_without(ABSENT, "tinker_cookbook.third_party.openai_compat")
qwen = load_without(ABSENT, "tinker_cookbook.renderers.qwen3")
preference = load_without(ABSENT, "tinker_cookbook.preference.types")


def to_labeled_comparison(row):
    sides = {name: compat.openai_messages_to_tinker(messages) for name, messages in row["comparison"].items()}
    return preference.LabeledComparison(comparison=preference.Comparison(**sides), label=row["label"])


def plain(message):
    """A message whose calls are plain values again."""
    calls = message.get("tool_calls", [])
    return {**message, "tool_calls": [call.model_dump(exclude_none=True) for call in calls]} if calls else message


def answer(labeled):
    comparison = (labeled if labeled.label == "A" else labeled.swap()).comparison
    messages = comparison.prompt_conversation
    calls = [call for message in messages for call in message.get("tool_calls", [])]
    return {
        "chosen": [plain(message) for message in comparison.completion_A],
        "rejected": [plain(message) for message in comparison.completion_B],
        "calls": [qwen._tool_call_payload(call) for call in calls],
    }


path = json.load(sys.stdin)["path"]
rows = load_dataset("json", data_files=path, split="train")
with open(path, encoding="utf-8", newline="\n") as lines:
    own = Dataset.from_list([json.loads(line) for line in lines])
json.dump(
    {
        "records": [answer(to_labeled_comparison(row)) for row in rows],
        "own": sorted(own[0]["comparison"]["prompt_conversation"][0]),
    },
    sys.stdout,
)
