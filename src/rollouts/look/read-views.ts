import type { InputSource } from "../../base/files/source.js";
import type { RecordLine } from "../../base/jsonl/reader.js";
import type { Progress } from "../../base/run/progress.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { readRollouts } from "../pipeline/read-rollouts.js";
import type { TargetId } from "../wire/export/targets/index.js";
import { checkRolloutLines } from "./check-rollout.js";
import { type RolloutView, viewRollout } from "./rollout-view.js";

export interface ReadViewsOptions {
  readonly target: TargetId;
  /** The id of the only rollout that is wanted. Default: all. */
  readonly id?: string | undefined;
  /** Gets the lines that are no valid branch. */
  readonly invalid: InvalidLines;
  readonly progress?: Progress | undefined;
}

/** Yields the rollouts of files that have a valid branch; see `readRollouts`. */
export async function* readViews(
  files: readonly string[],
  source: InputSource,
  { target, id, invalid, progress }: ReadViewsOptions,
): AsyncGenerator<RolloutView> {
  const onUnplaced = (line: RecordLine): void => invalid.add(line);
  for await (const rollout of readRollouts(files, source, { id, onUnplaced, progress })) {
    const { lines, branches, isInvalid } = checkRolloutLines(rollout.lines);
    for (const { line, isBranch } of lines) if (!isBranch) invalid.add(line);
    if (branches.length === 0) continue;
    yield viewRollout(
      rollout.id,
      branches.map(({ value }) => value),
      { lost: lines.length - branches.length, isInvalid, target },
    );
  }
}

/** Counts lines that are no valid branch. A line that names several rollouts counts once for each. */
export class InvalidLines {
  #count = 0;
  #first: RecordLine | undefined;

  add(line: RecordLine): void {
    this.#count += 1;
    this.#first ??= line;
  }

  /** A line for people that says where the first one is; empty if there is none. `program` starts this program. */
  describe(program: string): string {
    if (this.#first === undefined) return "";
    const { file, line } = this.#first;
    const counted = formatCount(
      this.#count,
      "line is no valid branch",
      "lines are no valid branches",
    );
    const name = escapeControls(file);
    return `${counted}, the first is ${name}:${line}  Why:  ${program} validate ${name}\n`;
  }
}
