"""A plain export script: no validation, everything in memory.

    python export_records.py --json {json,orjson} --target {wire,training,trl} [--eval-items FILE] [--parquet]
        INPUT FOLDER

Writes FOLDER/dpo.jsonl and FOLDER/ppo.jsonl, or with --parquet, for the target wire, FOLDER/dpo.parquet and
FOLDER/ppo.parquet, with the same records as `rollout-wire export` for the same input, as far as that is valid: tool events in any of the three dialects, every result with the
id of its call. With evaluation items, rollouts whose task shares 8 words in a row with one of them
are left out: G3 as a set of n-grams.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

Record = dict[str, Any]

N = 8
EXPORTED_AT_MS = 1_700_000_000_000
MAX_TOTAL_SCORE = 1.3


class JsonLibrary(NamedTuple):
    parse: Callable[[bytes], Any]
    print: Callable[[object], bytes]


def use_json() -> JsonLibrary:
    def print_json(value: object) -> bytes:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    return JsonLibrary(json.loads, print_json)


def use_orjson() -> JsonLibrary:
    import orjson

    return JsonLibrary(orjson.loads, orjson.dumps)


LIBRARIES = {"json": use_json, "orjson": use_orjson}


def task_hash(task: str) -> str:
    return hashlib.sha256(task.encode()).hexdigest()[:16]


def read_rollouts(path: Path) -> list[list[Record]]:
    rollouts: dict[str, list[Record]] = {}
    with path.open("rb") as file:
        for line in file:
            branch = library.parse(line)
            rollouts.setdefault(branch["rollout_id"], []).append(branch)
    return [sorted(branches, key=lambda each: each["branch_index"]) for branches in rollouts.values()]


def is_preferred(chosen: Record, rejected: Record) -> bool:
    """Whether the scores of a pair are a preference."""
    if chosen["total_score"] == rejected["total_score"]:
        return False
    return "unknown" not in (chosen.get("objective_status"), rejected.get("objective_status"))


def preferred_pairs(branches: list[Record]) -> Iterator[tuple[Record, Record]]:
    """The best and the worst rank of a rollout, then those of the same total scores."""
    ranked = sorted(branches, key=lambda each: each["rank"])
    best = [each for each in ranked if each["total_score"] == ranked[0]["total_score"]]
    worst = [each for each in reversed(ranked) if each["total_score"] == ranked[-1]["total_score"]]
    return (pair for pair in itertools.product(best, worst) if is_preferred(*pair))


def has_answers(chosen: Record, rejected: Record) -> bool:
    return chosen["final_answer"] not in (rejected["final_answer"], "")


def wire_dpo(chosen: Record, rejected: Record) -> Record | None:
    if not has_answers(chosen, rejected):
        return None
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


class Call(NamedTuple):
    id: str
    name: str
    args: Record
    batch: str | None
    text: str


class Turn(NamedTuple):
    """Calls that were made together, and whether a tool had failed before."""

    calls: list[Call]
    follows_error: bool


class Reading(NamedTuple):
    """The tool events of a branch."""

    turns: list[Turn]
    results: dict[str, Record]
    """By the id of the call."""
    has_error: bool


def read_events(branch: Record) -> Reading:
    """Calls are a turn if they have the same batch; without a batch, until a result arrives."""
    turns: list[Turn] = []
    results: dict[str, Record] = {}
    batch: str | None = None
    result_seen = has_error = False
    for event in branch["tool_call_sequence"]:
        data = event.get("data", event)
        kind = event.get("event")
        if kind is None:  # the flat dialect
            kind = "tool_call" if "args" in data else "tool_result"
        if kind == "tool_result":
            results[data["callId"] if "callId" in data else data["call_id"]] = data
            result_seen = True
            has_error = has_error or bool(data.get("error"))
            continue
        call = to_call(data)
        if not turns or call.batch != batch or (batch is None and result_seen):
            turns.append(Turn([], has_error))
        turns[-1].calls.append(call)
        batch = call.batch
        result_seen = False
    return Reading(turns, results, has_error)


def to_call(data: Record) -> Call:
    if "toolName" in data:
        return Call(
            data["callId"], data["toolName"], data["args"], data.get("batchId"), data.get("text", "")
        )
    if "name" in data:
        return Call(data["callId"], data["name"], data["arguments"], None, "")
    return Call(data["call_id"], data["tool_name"], data["args"], None, "")


def to_content(result: Record) -> str:
    output = result["output"] if "output" in result else result.get("result")
    if output is None:
        error = result.get("error")
        return error["message"] if isinstance(error, dict) else error or ""
    return output if isinstance(output, str) else library.print(output).decode()


def to_messages(branch: Record, reading: Reading) -> list[Record]:
    """One assistant message per turn, followed by the results in the order of the calls."""
    messages: list[Record] = [{"role": "user", "content": branch["task"]}]
    for calls, _ in reading.turns:
        messages.append(
            {
                "role": "assistant",
                "content": "\n".join(dict.fromkeys(call.text for call in calls if call.text)),
                "tool_calls": [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": call.args},
                    }
                    for call in calls
                ],
            }
        )
        for call in calls:
            if call.id in reading.results:
                messages.append(
                    {
                        "role": "tool",
                        "content": to_content(reading.results[call.id]),
                        "tool_call_id": call.id,
                        "name": call.name,
                    }
                )
    messages.append({"role": "assistant", "content": branch["final_answer"]})
    return messages


def loss_weight_label(branch: Record, reading: Reading) -> str:
    if any(turn.follows_error for turn in reading.turns):
        return "recovery"
    if reading.has_error and branch["final_answer"]:
        return "recovery"
    text_seen = any(call.text for turn in reading.turns for call in turn.calls)
    return "state_summary" if text_seen else "default"


def training_provenance(branch: Record) -> Record:
    return {
        "source": "wasmagent-rollout",
        "rollout_id": branch["rollout_id"],
        "task_hash": task_hash(branch["task"]),
    }


def pair_provenance(chosen: Record, rejected: Record) -> Record:
    return {
        **training_provenance(chosen),
        "chosen_branch": chosen["branch_index"],
        "rejected_branch": rejected["branch_index"],
        "total_score": {"chosen": chosen["total_score"], "rejected": rejected["total_score"]},
    }


def reward(branch: Record) -> float:
    share: float = branch["total_score"] / MAX_TOTAL_SCORE
    return min(1, max(0, share))


def training_dpo(chosen: Record, rejected: Record) -> Record | None:
    if not has_answers(chosen, rejected):
        return None
    reading = read_events(chosen)
    messages = to_messages(chosen, reading)
    return {
        "messages": messages,
        "prompt_messages": messages[:-1],
        "chosen": chosen["final_answer"],
        "rejected": rejected["final_answer"],
        "loss_weight_tokens": loss_weight_label(chosen, reading),
        "provenance": pair_provenance(chosen, rejected),
    }


def training_ppo(branch: Record) -> Record:
    reading = read_events(branch)
    return {
        "messages": to_messages(branch, reading),
        "reward": reward(branch),
        "loss_weight_tokens": loss_weight_label(branch, reading),
        "provenance": training_provenance(branch),
    }


def trl_dpo(chosen: Record, rejected: Record) -> Record | None:
    """The first turns with other calls, else the last texts. Calls of both sides have ids by position."""
    better = to_messages(chosen, read_events(chosen))
    worse = to_messages(rejected, read_events(rejected))
    pairs = enumerate(zip(better, worse))
    at = next((index for index, (one, other) in pairs if act(one) != act(other)), None)
    if at is None:
        if len(better) != len(worse) or better[-1]["content"].strip() == worse[-1]["content"].strip():
            return None
        at = len(better) - 1
    turn, other = better[at], worse[at]
    if not turn["role"] == other["role"] == "assistant":
        return None
    if "tool_calls" not in turn and not turn["content"].strip():
        return None
    turns = sum(message["role"] == "assistant" for message in better[:at])
    return {
        "prompt": better[:at],
        "chosen": [turn],
        "rejected": [other],
        "provenance": {
            **pair_provenance(chosen, rejected),
            "divergence_turn": turns + 1,
            "common_prompt": "identical" if better[:at] == worse[:at] else "same-acts",
        },
    }


def act(message: Record) -> Record:
    """A message without the words of the model."""
    return {**message, "content": ""} if message["role"] == "assistant" else message


def trl_ppo(branch: Record) -> Record:
    messages = to_messages(branch, read_events(branch))
    return {
        "prompt": messages[:1],
        "completion": messages[1:],
        "reward": reward(branch),
        "provenance": training_provenance(branch),
    }


TARGETS = {
    "wire": (wire_dpo, wire_ppo),
    "training": (training_dpo, training_ppo),
    "trl": (trl_dpo, trl_ppo),
}


WORD = re.compile(r"\w+")


def n_grams(text: str) -> Iterator[tuple[str, ...]]:
    words = WORD.findall(unicodedata.normalize("NFKC", text).lower())
    return (tuple(words[at : at + N]) for at in range(len(words) - N + 1))


def drop_contaminated(rollouts: list[list[Record]], eval_items: Path) -> list[list[Record]]:
    known: set[tuple[str, ...]] = set()
    with eval_items.open("rb") as file:
        for line in file:
            known.update(n_grams(library.parse(line)["prompt"]))
    return [
        branches
        for branches in rollouts
        if not any(gram in known for gram in n_grams(branches[0]["task"]))
    ]


def write(path: Path, records: Iterable[Record | None]) -> None:
    with path.open("wb") as file:
        for record in records:
            if record is not None:
                file.write(library.print(record) + b"\n")


def write_parquet(path: Path, records: Iterable[Record | None], columns: Record) -> None:
    """Tool events are text: pyarrow makes no column of JSON from Python values. Row groups are about as large as ours."""
    import pyarrow
    import pyarrow.parquet

    types = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "events": pyarrow.list_(pyarrow.string()),
    }

    def to_type(column: Any) -> Any:
        if isinstance(column, dict):
            return pyarrow.struct([(name, to_type(each)) for name, each in column.items()])
        return types[column]

    schema = pyarrow.schema([(name, to_type(column)) for name, column in columns.items()])

    def to_row(record: Record) -> Record:
        events = [library.print(event).decode() for event in record["tool_call_sequence"]]
        return {**record, "tool_call_sequence": events}

    with pyarrow.parquet.ParquetWriter(path, schema, compression="gzip", compression_level=6) as writer:
        rows = (to_row(record) for record in records if record is not None)
        while batch := list(itertools.islice(rows, 10_000)):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))


PROVENANCE = {"source": "text", "rollout_id": "text"}
REST = {"exported_at_ms": "integer", "n_gram_hash": "text"}
PAIR = {"chosen": "integer", "rejected": "integer"}
WIRE_DPO = {
    "prompt": "text",
    "chosen": "text",
    "rejected": "text",
    "tool_call_sequence": "events",
    "provenance": {
        **PROVENANCE,
        "chosen_branch": "integer",
        "rejected_branch": "integer",
        "objective_score": PAIR,
        **REST,
    },
}
WIRE_PPO = {
    "prompt": "text",
    "completion": "text",
    "reward": "number",
    "tool_call_sequence": "events",
    "provenance": {**PROVENANCE, "branch_index": "integer", "objective_score": "integer", **REST},
}


def main() -> None:
    global library
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", choices=LIBRARIES, required=True)
    parser.add_argument("--target", choices=TARGETS, required=True)
    parser.add_argument("--eval-items", type=Path)
    parser.add_argument("--parquet", action="store_true")
    parser.add_argument("input", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    library = LIBRARIES[options.json]()
    to_dpo, to_ppo = TARGETS[options.target]

    rollouts = read_rollouts(options.input)
    if options.eval_items is not None:
        rollouts = drop_contaminated(rollouts, options.eval_items)
    dpo = (
        next((record for pair in preferred_pairs(branches) if (record := to_dpo(*pair))), None)
        for branches in rollouts
    )
    ppo = (to_ppo(each) for branches in rollouts for each in branches)
    if options.parquet:
        write_parquet(options.folder / "dpo.parquet", dpo, WIRE_DPO)
        write_parquet(options.folder / "ppo.parquet", ppo, WIRE_PPO)
    else:
        write(options.folder / "dpo.jsonl", dpo)
        write(options.folder / "ppo.jsonl", ppo)


library: JsonLibrary
main()
