import { escapeControls, formatCount, formatNumber } from "../../../base/text.js";
import type { CorpusReplay } from "../replay-corpus.js";
import { DIRECTIONS } from "../schema/schema-set.js";

/** The effect on real records, one line per direction. */
export function describeCorpus(corpus: CorpusReplay): string {
  const { records, rejected, unreadable } = corpus;
  const lines = DIRECTIONS.map((direction) => {
    const { accepted, broken, brokenByType, first } = corpus[direction];
    const types = Object.entries(brokenByType)
      .filter(([type]) => type !== "")
      .map(([type, count]) => `${type} ${formatNumber(count)}`);
    const by = types.length === 0 ? "" : ` (${types.join(", ")})`;
    const example =
      first === undefined
        ? ""
        : `, first ${first.file}:${first.line}  ${first.pointer}  ${first.message} (${first.keyword})`;
    const said = `  ${direction.padEnd(10)}${formatNumber(broken)} of ${formatCount(accepted, "valid record")} break${by}${example}`;
    return `${escapeControls(said)}\n`;
  });
  const others = [
    ...(rejected > 0 ? [`${formatNumber(rejected)} valid in neither version`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable, "line")} unreadable`] : []),
  ];
  const rest = others.length === 0 ? "" : `: ${others.join(", ")}`;
  return `corpus of ${formatCount(records, "record")}${rest}\n${lines.join("")}`;
}

/** Maximum number of files that are named. */
const MAX_FILES = 10;

/** Names the files found in a folder or by a pattern, so that a wrong file is noticed. */
export function describeSwept(files: readonly string[]): string {
  const shown = files.slice(0, MAX_FILES).map(escapeControls);
  const more = files.length > shown.length ? `, and ${files.length - shown.length} more` : "";
  return `corpus found in ${formatCount(files.length, "file")}: ${shown.join(", ")}${more}\n`;
}

/** Why a corpus proves less than it seems to; undefined if all of it was validated. */
export function describeCorpusGap({
  records,
  unreadable,
  backward,
  forward,
}: CorpusReplay): string | undefined {
  if (backward.accepted + forward.accepted === 0) {
    const what =
      records === 0 ? "it contains no record" : "none of its records is valid in either version";
    return `the corpus proves nothing: ${what}`;
  }
  if (unreadable === 0) return undefined;
  return `the corpus was not read in full: ${formatCount(unreadable, "line")} unreadable`;
}
