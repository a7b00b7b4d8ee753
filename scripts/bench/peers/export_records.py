"""A plain export script: no validation, standard library only, everything in memory.

    python export_records.py --layer {2,3} [--eval-items FILE] INPUT FOLDER

Writes FOLDER/dpo.jsonl and FOLDER/ppo.jsonl with the same records as `rollout-wire export` for the
same input, as far as that is valid and in the format's own dialect of tool events. With evaluation
items, rollouts whose task shares 8 words in a row with one of them are left out: G3 as a set of
n-grams.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]

N = 8
EXPORTED_AT_MS = 1_700_000_000_000
MAX_TOTAL_SCORE = 1.3


def task_hash(task: str) -> str:
    return hashlib.sha256(task.encode()).hexdigest()[:16]


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_rollouts(path: Path) -> list[list[Record]]:
    rollouts: dict[str, list[Record]] = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            branch = json.loads(line)
            rollouts.setdefault(branch["rollout_id"], []).append(branch)
    return [sorted(branches, key=lambda each: each["branch_index"]) for branches in rollouts.values()]


def select_pair(branches: list[Record]) -> tuple[Record, Record] | None:
    """The pair of the best and the worst rank, if there is a preference."""
    chosen = min(branches, key=lambda each: each["rank"])
    rejected = max(branches, key=lambda each: each["rank"])
    if chosen["total_score"] == rejected["total_score"]:
        return None
    if chosen["final_answer"] in (rejected["final_answer"], ""):
        return None
    if "unknown" in (chosen.get("objective_status"), rejected.get("objective_status")):
        return None
    return chosen, rejected


def wire_dpo(chosen: Record, rejected: Record) -> Record:
    return {
        "prompt": chosen["task"],
        "chosen": chosen["final_answer"],
        "rejected": rejected["final_answer"],
        "tool_call_sequence": chosen["tool_call_sequence"],
        "provenance": {
            "source": "wasmagent-rollout",
            "rollout_id": chosen["rollout_id"],
            "chosen_branch": chosen["branch_index"],
            "rejected_branch": rejected["branch_index"],
            "objective_score": {
                "chosen": chosen["objective_score"],
                "rejected": rejected["objective_score"],
            },
            "exported_at_ms": EXPORTED_AT_MS,
            "n_gram_hash": task_hash(chosen["task"]),
        },
    }


def wire_ppo(branch: Record) -> Record:
    return {
        "prompt": branch["task"],
        "completion": branch["final_answer"],
        "reward": branch["total_score"],
        "tool_call_sequence": branch["tool_call_sequence"],
        "provenance": {
            "source": "wasmagent-rollout",
            "rollout_id": branch["rollout_id"],
            "branch_index": branch["branch_index"],
            "objective_score": branch["objective_score"],
            "exported_at_ms": EXPORTED_AT_MS,
            "n_gram_hash": task_hash(branch["task"]),
        },
    }


def to_content(result: Record) -> str:
    output = result.get("output")
    if output is None:
        error = result.get("error")
        return error["message"] if error else ""
    return output if isinstance(output, str) else to_json(output)


def to_messages(branch: Record) -> list[Record]:
    """One assistant message per batch of calls, followed by the results in the order of the calls."""
    batches: dict[str, list[Record]] = {}
    results: dict[str, Record] = {}
    for event in branch["tool_call_sequence"]:
        data = event["data"]
        if event["event"] == "tool_call":
            batches.setdefault(data["batchId"], []).append(data)
        else:
            results[data["callId"]] = data
    messages: list[Record] = [{"role": "user", "content": branch["task"]}]
    for calls in batches.values():
        messages.append(
            {
                "role": "assistant",
                "content": "\n".join(call["text"] for call in calls if call.get("text")),
                "tool_calls": [
                    {
                        "id": call["callId"],
                        "type": "function",
                        "function": {"name": call["toolName"], "arguments": call["args"]},
                    }
                    for call in calls
                ],
            }
        )
        for call in calls:
            if call["callId"] in results:
                messages.append(
                    {
                        "role": "tool",
                        "content": to_content(results[call["callId"]]),
                        "tool_call_id": call["callId"],
                        "name": call["toolName"],
                    }
                )
    messages.append({"role": "assistant", "content": branch["final_answer"]})
    return messages


def loss_weight_label(branch: Record) -> str:
    error_seen = False
    text_seen = False
    for event in branch["tool_call_sequence"]:
        data = event["data"]
        if event["event"] == "tool_result":
            error_seen = error_seen or data.get("error") is not None
        elif error_seen:
            return "recovery"
        else:
            text_seen = text_seen or bool(data.get("text"))
    if error_seen and branch["final_answer"]:
        return "recovery"
    return "state_summary" if text_seen else "default"


def training_provenance(branch: Record) -> Record:
    return {
        "source": "wasmagent-rollout",
        "rollout_id": branch["rollout_id"],
        "task_hash": task_hash(branch["task"]),
    }


def training_dpo(chosen: Record, rejected: Record) -> Record:
    messages = to_messages(chosen)
    return {
        "messages": messages,
        "prompt_messages": messages[:-1],
        "chosen": chosen["final_answer"],
        "rejected": rejected["final_answer"],
        "loss_weight_tokens": loss_weight_label(chosen),
        "provenance": {
            **training_provenance(chosen),
            "chosen_branch": chosen["branch_index"],
            "rejected_branch": rejected["branch_index"],
            "total_score": {"chosen": chosen["total_score"], "rejected": rejected["total_score"]},
        },
    }


def training_ppo(branch: Record) -> Record:
    return {
        "messages": to_messages(branch),
        "reward": min(1, max(0, branch["total_score"] / MAX_TOTAL_SCORE)),
        "loss_weight_tokens": loss_weight_label(branch),
        "provenance": training_provenance(branch),
    }


WORD = re.compile(r"\w+")


def n_grams(text: str) -> Iterator[tuple[str, ...]]:
    words = WORD.findall(unicodedata.normalize("NFKC", text).lower())
    return (tuple(words[at : at + N]) for at in range(len(words) - N + 1))


def drop_contaminated(rollouts: list[list[Record]], eval_items: Path) -> list[list[Record]]:
    known: set[tuple[str, ...]] = set()
    with eval_items.open(encoding="utf-8") as file:
        for line in file:
            known.update(n_grams(json.loads(line)["prompt"]))
    return [
        branches
        for branches in rollouts
        if not any(gram in known for gram in n_grams(branches[0]["task"]))
    ]


def write(path: Path, records: Iterable[Record]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(to_json(record) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--layer", type=int, choices=(2, 3), required=True)
    parser.add_argument("--eval-items", type=Path)
    parser.add_argument("input", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    to_dpo, to_ppo = (wire_dpo, wire_ppo) if options.layer == 2 else (training_dpo, training_ppo)

    rollouts = read_rollouts(options.input)
    if options.eval_items is not None:
        rollouts = drop_contaminated(rollouts, options.eval_items)
    pairs = (pair for branches in rollouts if (pair := select_pair(branches)) is not None)
    write(options.folder / "dpo.jsonl", (to_dpo(*pair) for pair in pairs))
    write(options.folder / "ppo.jsonl", (to_ppo(each) for branches in rollouts for each in branches))


main()
