import { DIRECTIONS } from "../../../conformance/compat/direction.js";
import type { CorpusReplay } from "../../../conformance/compat/replay-corpus.js";
import { escapeControls } from "../../records/escape-controls.js";
import { formatCount } from "../../records/format-count.js";

/** What a change does to real records, a line for each direction. */
export function describeCorpus(corpus: CorpusReplay): string {
  const { records, rejected, unreadable } = corpus;
  const lines = DIRECTIONS.map((direction) => {
    const { accepted, broken, brokenByType, first } = corpus[direction];
    const types = Object.entries(brokenByType)
      .filter(([type]) => type !== "")
      .map(([type, count]) => `${type} ${count.toLocaleString("en-US")}`);
    const by = types.length === 0 ? "" : ` (${types.join(", ")})`;
    const example =
      first === undefined
        ? ""
        : `, first ${first.file}:${first.line}  ${first.pointer}  ${first.message} (${first.keyword})`;
    const said = `  ${direction.padEnd(10)}${broken.toLocaleString("en-US")} of ${formatCount(accepted, "valid record")} break${by}${example}`;
    return `${escapeControls(said)}\n`;
  });
  const others = [
    ...(rejected > 0 ? [`${rejected.toLocaleString("en-US")} valid in neither version`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable, "line")} unreadable`] : []),
  ];
  const rest = others.length === 0 ? "" : `: ${others.join(", ")}`;
  return `corpus of ${formatCount(records, "record")}${rest}\n${lines.join("")}`;
}
