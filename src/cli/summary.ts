import { escapeControls, formatCount } from "../base/text.js";
import type { CommandContext } from "./command.js";

/** Options of a staging that prints on standard error which outputs of a killed run it completed. */
export function reportRecovery({ stderr }: Pick<CommandContext, "stderr">): {
  readonly onRecovered: (line: string) => void;
} {
  return { onRecovered: (line) => stderr.write(`${escapeControls(line)}\n`) };
}

/** A row of a summary. An empty label continues the row above. */
export type SummaryRow = readonly [label: string, text: string];

/** Width of the label column: the longest label, `decontamination`, plus a gap of four. */
const LABEL_WIDTH = 19;

/** Formats rows as indented lines, each with its newline. */
export function formatRows(rows: readonly SummaryRow[]): string {
  return rows.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}\n`).join("");
}

/** Rollouts that are invalid, and the branches that they take with them; nothing if there are none. */
export function listInvalidRollouts(rollouts: number, branches: number): string[] {
  const taken = formatCount(branches, "branch", "branches");
  return rollouts === 0 ? [] : [`${formatCount(rollouts, "invalid rollout")} (${taken})`];
}
