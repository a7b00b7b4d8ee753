import type { Finding } from "../../src/findings/finding.js";
import { createFinding, locateInText } from "../../src/findings/finding.js";
import { escapeControls, formatCount } from "../../src/text.js";
import type { Adapter } from "./adapter.js";
import { describeVerdict } from "./describe-verdict.js";
import type { Comparison, Disagreement } from "./find-disagreements.js";
import { groupDisagreements } from "./group-disagreements.js";
import { requestLine } from "./request-line.js";
import { shrinkDisagreement } from "./shrink-disagreement.js";

/** Ways to differ of which the smallest record is looked for; that of the others is shown as it is. */
const MAX_SHRUNK = 5;

/** Longest request, in UTF-16 code units, that is shown whole. */
const MAX_SHOWN = 2_000;

/**
 * A finding for each way in which an implementation differs from the `first`, with a record that shows
 * it: the smallest that was found.
 */
export async function reportDisagreements(
  first: Adapter,
  comparisons: readonly (Comparison & { readonly adapter: Adapter })[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { adapter, disagreements } of comparisons) {
    for (const [index, group] of groupDisagreements(disagreements).entries()) {
      const { sample, count } = group;
      const shown = index < MAX_SHRUNK ? await shrinkDisagreement(first, adapter, sample) : sample;
      findings.push(toFinding(first, shown, count));
    }
  }
  return findings;
}

function toFinding(first: Adapter, disagreement: Disagreement, count: number): Finding {
  const { adapter, record, left, right, leftOnly, rightOnly } = disagreement;
  const { type, text, source } = record;
  const [lone] = [...leftOnly, ...rightOnly];
  const pointer = lone?.pointer ?? "";
  const said = lone === undefined ? "" : ` (${lone.keyword})`;
  const origin = source.mutated ? "a mutation of this record" : "this record";
  const others = count === 1 ? "" : `, as on ${formatCount(count - 1, "other record")}`;
  return createFinding({
    id: "agreement",
    file: source.file,
    pointer,
    position: locateInText(source.source, `${source.pointer}${pointer}`),
    message: `${adapter} and ${first.id} differ on ${origin}, as ${type}${said}${others}`,
    detail: [
      `${first.id}: ${describeVerdict(left)}`,
      `${adapter}: ${describeVerdict(right)}`,
      requestLine({ type, text }, 0).trimEnd(),
    ]
      .map((line) =>
        escapeControls(line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line),
      )
      .join("\n"),
  });
}
