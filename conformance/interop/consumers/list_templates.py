"""Lists the chat templates of TRL. Input {probe: {messages, tools, definition, conversation}}; output: for each
template its text, whether it renders the `definition` of a tool and the texts of the `conversation` (calls and
results), and whether TRL can train with it on assistant turns only."""

import json
import sys
from pathlib import Path

import trl
from byte_tokenizer import create_tokenizer
from jinja2 import TemplateError
from trl.chat_template_utils import get_training_chat_template, supports_tool_calling


def renders(tokenizer, probe, texts):
    try:
        text = tokenizer.apply_chat_template(probe["messages"], tools=probe["tools"], tokenize=False)
    except (TemplateError, TypeError):
        return False
    return all(each in text for each in texts)


def can_train(tokenizer):
    try:
        get_training_chat_template(tokenizer)
    except ValueError:
        return False
    return True


def describe(text, probe):
    tokenizer = create_tokenizer(text)
    return {
        "text": text,
        "tools": renders(tokenizer, probe, probe["definition"]),
        "calls": renders(tokenizer, probe, probe["conversation"]) and supports_tool_calling(tokenizer),
        "trains": can_train(tokenizer),
    }


probe = json.load(sys.stdin)["probe"]
folder = Path(trl.__file__).parent / "chat_templates"
templates = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.jinja"))}
json.dump({name: describe(text, probe) for name, text in templates.items()}, sys.stdout)
