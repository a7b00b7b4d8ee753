"""Renders conversations with transformers' own Jinja environment. Input {templates, rows: [{messages, tools}]}; output:
for each template the text or the error of each row."""

import json
import sys
from pathlib import Path

import trl
from transformers.utils.chat_template_utils import render_jinja_template


def render(text, row):
    tokens = {"bos_token": "<s>", "eos_token": "</s>"}
    try:
        (rendered, *_), _ = render_jinja_template(
            [row["messages"]], tools=row.get("tools"), chat_template=text, **tokens
        )
        return {"text": rendered}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


request = json.load(sys.stdin)
folder = Path(trl.__file__).parent / "chat_templates"
# As it is: line breaks are part of what must be read alike.
templates = {path.name: path.read_bytes().decode() for path in sorted(folder.glob("*.jinja"))}
templates |= request["templates"]
rendered = {name: [render(text, row) for row in request["rows"]] for name, text in templates.items()}
json.dump({"templates": templates, "rendered": rendered}, sys.stdout)
