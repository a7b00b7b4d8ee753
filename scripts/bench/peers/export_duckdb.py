"""The export to Layer 2 as SQL, in DuckDB:

    python export_duckdb.py INPUT FOLDER

Writes FOLDER/dpo.jsonl and FOLDER/ppo.jsonl with the same records as `rollout-wire export --target wire` for the
same input, as far as that is valid, sorted by rollout. Tool events are copied as JSON.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

THREADS = 2
EXPORTED_AT_MS = 1_700_000_000_000

READ = """
CREATE TEMP VIEW branches AS SELECT * FROM read_ndjson($path, columns = {
    rollout_id: 'VARCHAR',
    task: 'VARCHAR',
    branch_index: 'BIGINT',
    tool_call_sequence: 'JSON',
    final_answer: 'VARCHAR',
    objective_status: 'VARCHAR',
    objective_score: 'DOUBLE',
    total_score: 'DOUBLE',
    rank: 'BIGINT'
})
"""

DPO = f"""
SELECT
    chosen.task AS prompt,
    chosen.final_answer AS chosen,
    rejected.final_answer AS rejected,
    chosen.tool_call_sequence AS tool_call_sequence,
    {{
        source: 'wasmagent-rollout',
        rollout_id: rollout_id,
        chosen_branch: chosen.branch_index,
        rejected_branch: rejected.branch_index,
        objective_score: {{ chosen: chosen.objective_score, rejected: rejected.objective_score }},
        exported_at_ms: {EXPORTED_AT_MS},
        n_gram_hash: substr(sha256(chosen.task), 1, 16)
    }} AS provenance
FROM (
    SELECT rollout_id, max(total_score) AS most, min(total_score) AS least
    FROM branches
    GROUP BY rollout_id
    HAVING most <> least
)
JOIN branches AS chosen USING (rollout_id)
JOIN branches AS rejected USING (rollout_id)
WHERE chosen.total_score = most
    AND rejected.total_score = least
    AND chosen.final_answer NOT IN (rejected.final_answer, '')
    AND coalesce(chosen.objective_status, '') <> 'unknown'
    AND coalesce(rejected.objective_status, '') <> 'unknown'
QUALIFY row_number() OVER (PARTITION BY rollout_id ORDER BY chosen.rank, rejected.rank DESC) = 1
ORDER BY rollout_id
"""

PPO = f"""
SELECT
    task AS prompt,
    final_answer AS completion,
    total_score AS reward,
    tool_call_sequence,
    {{
        source: 'wasmagent-rollout',
        rollout_id: rollout_id,
        branch_index: branch_index,
        objective_score: objective_score,
        exported_at_ms: {EXPORTED_AT_MS},
        n_gram_hash: substr(sha256(task), 1, 16)
    }} AS provenance
FROM branches
ORDER BY rollout_id, branch_index
"""


def quote(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def main(path: Path, folder: Path) -> None:
    database = duckdb.connect()
    database.execute(f"SET threads = {THREADS}")
    database.execute(READ.replace("$path", quote(path)))
    for query, name in ((DPO, "dpo.jsonl"), (PPO, "ppo.jsonl")):
        database.execute(f"COPY ({query}) TO {quote(folder / name)} (FORMAT json)")


main(Path(sys.argv[1]), Path(sys.argv[2]))
