import { toSafeJson } from "../../base/json/print.js";
import { alignColumns, escapeControls, formatCount, formatNumber } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { explainFiles, type FileExplanation } from "../../rollouts/pipeline/import/explain.js";
import type { FormChoice } from "../../rollouts/pipeline/import/file-forms.js";
import type { CommandContext } from "../command.js";

/**
 * Prints what goes where, and what is dropped, and writes nothing. Exit code 1 if no row gives a branch. Throws
 * UserError (exit 2) for a format that cannot hold a table.
 */
export async function explainMap(
  choice: FormChoice,
  files: readonly string[],
  format: string,
  context: CommandContext,
): Promise<ExitCode> {
  if (format !== "text" && format !== "json") {
    throw new UserError(`--explain-map prints text or json, not ${format}`, EXIT.usage);
  }
  const explanation = await explainFiles(files, choice, context);
  context.stdout.write(format === "json" ? toSafeJson(explanation) : describe(explanation));
  return explanation.branches > 0 ? EXIT.ok : EXIT.findings;
}

function describe(explanation: FileExplanation): string {
  const { title, rows, branches, places, problems, hasMore, unreadable } = explanation;
  const table = places.map(({ from, to, rows: count, example }) => [
    escapeControls(from),
    to,
    formatNumber(count),
    example,
  ]);
  const read = `${hasMore ? "the first " : ""}${formatCount(rows, "row")}`;
  const lines = [
    `${title}`,
    "",
    ...alignColumns([["from", "to", "rows", "in the first of them"], ...table], {
      isNumber: (column) => column === 2,
    }).map((line) => `  ${line}`),
    "",
    "imported_from.record stays with the branch, and is not exported",
    `${read}: ${formatCount(branches, "branch", "branches")}`,
    ...problems.map(
      ({ id, pointer, message, rows: count }) =>
        `  ${formatCount(count, "row")} without a branch: ${escapeControls(pointer)}  ${escapeControls(message)}  (${id})`,
    ),
    ...(unreadable > 0 ? [`  ${formatCount(unreadable, "line")} without a JSON object`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
