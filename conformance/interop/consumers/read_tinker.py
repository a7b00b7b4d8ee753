"""The Tinker Cookbook's own reading of messages. Asked a list of conversations, answers the calls of each
as its Qwen renderer writes them, after its strict models have taken them."""

import json
import sys

from load_without import load_without

ABSENT = ["torch", "tinker", "PIL", "chz", "blobfile"]
ABSENT += ["tinker_cookbook.audio_processing_utils", "tinker_cookbook.image_processing_utils"]
compat = load_without(ABSENT, "tinker_cookbook.third_party.openai_compat")
qwen = load_without(ABSENT, "tinker_cookbook.renderers.qwen3")

answers = []
for conversation in json.load(sys.stdin):
    messages = compat.openai_messages_to_tinker(conversation)
    calls = [call for message in messages for call in message.get("tool_calls", [])]
    answers.append([qwen._tool_call_payload(call) for call in calls])
json.dump(answers, sys.stdout)
