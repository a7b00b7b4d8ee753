import type { InputSource } from "../../../base/files/source.js";
import { toPartLimits } from "../../../base/findings/finding-list.js";
import { type LinesOutcome, type LinesRequest, runLines } from "../../../base/run/run-lines.js";
import {
  type RedactionPlan,
  SecretCounter,
  type SecretCounts,
} from "../../capture/redact/line-redactor.js";
import { beginsDocument, gatherFiles } from "../import/documents.js";
import { mapBlocks, type PoolOptions } from "../workers.js";

interface RedactRequest extends LinesRequest, PoolOptions {
  readonly plan: RedactionPlan;
  /** Undefined: each secret is an error, and nothing is written. */
  readonly output: string | undefined;
}

export interface RedactOutcome extends LinesOutcome {
  /** The secrets that were found. */
  readonly secrets: SecretCounts;
}

/**
 * Redacts the lines of files, in order and atomically: see `runLines`. A line without secrets keeps its bytes. A
 * file that is one JSON document becomes one line. Text that is not JSON is redacted as text, with a warning.
 *
 * Throws UserError as `runLines` does.
 */
export function redactFiles(
  { plan, output, ...request }: RedactRequest,
  source: InputSource,
): Promise<RedactOutcome> {
  return runLines(request, source, async (run) => {
    const { findings } = run;
    const file = output === undefined ? undefined : await run.open(output);
    const secrets = new SecretCounter();
    const { maxErrors } = toPartLimits(request.limits);
    const redacted = mapBlocks(
      "redactBlock",
      request,
      (memory) => gatherFiles(run.blocks({ memory }), beginsDocument),
      (block) => ({ ...block, plan, check: file === undefined, maxErrors }),
    );
    for await (const { tally, bytes, secrets: found } of redacted) {
      findings.addTally(tally);
      secrets.add(found);
      if (findings.errors === 0) await file?.write(bytes);
    }
    return { result: { secrets: secrets.counts } };
  });
}
