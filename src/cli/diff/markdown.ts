import {
  escapeMarkdown,
  fence,
  indent,
  printTable,
  toCode,
} from "../../base/reporters/markdown.js";
import { formatCount } from "../../base/text.js";
import { RECORD_LENSES } from "../../contract/compat/change.js";
import { capitalise } from "../../contract/compat/changelog-entry.js";
import type { Verdict } from "../../contract/compat/compare-versions.js";
import { DIRECTIONS } from "../../contract/compat/schema/schema-set.js";
import { type Choice, mayBreak } from "../../contract/compat/versions/choice.js";
import type {
  ComparedRange,
  ComparedSchema,
  ShownChange,
  UncomparedSchema,
} from "../../contract/compat/versions/compare.js";
import {
  describeMovers,
  describeNextVersion,
  describeStatus,
  listConditions,
  MEANINGS,
  NO_CHANGE,
} from "./describe.js";

/** A comment for a pull request: which schemas break whom, with a record as proof and what to do. */
export function printMarkdown(
  { compared, uncompared, conditions }: ComparedRange,
  looked: number,
  choice: Choice,
): string {
  const failed = [
    ...uncompared.map(printUncompared),
    ...listConditions(conditions, toCode).map((line) => `- ${line}\n`),
    ...compared.flatMap(({ faults }) =>
      faults.map((fault) => `- not read: ${escapeMarkdown(fault)}\n`),
    ),
  ].join("");
  if (compared.length === 0) {
    const said = `${capitalise(NO_CHANGE)}: ${looked} checked, with the files that they refer to.\n`;
    return failed === "" ? said : `${failed}\n${said}`;
  }
  const broken = compared.filter(({ comparison }) => mayBreak(comparison, choice));
  const head =
    broken.length === 0
      ? `**No break** in ${formatCount(compared.length, "changed schema")}.\n`
      : `**${formatCount(broken.length, "schema")} of ${compared.length} ${broken.length === 1 ? "breaks" : "break"}, or may break.**\n`;
  const sections = compared.map((each) => printSchema(each)).filter((text) => text !== "");
  return [head, ...(failed === "" ? [] : [failed]), printSummary(compared), ...sections].join("\n");
}

function printUncompared({ name, message }: UncomparedSchema): string {
  return `- **not compared** ${toCode(name)}: ${escapeMarkdown(message)}\n`;
}

/** The verdicts of every schema, by the mode that suits most repositories, and the stricter one. */
function printSummary(compared: readonly ComparedSchema[]): string {
  const columns = RECORD_LENSES.toReversed().flatMap((lens) =>
    DIRECTIONS.map((direction) => ({ lens, direction })),
  );
  const rows = compared.map((each) => [
    toCode(each.versions.new.source.name) +
      (each.status ? ` (${escapeMarkdown(describeStatus(each))})` : ""),
    ...columns.map(({ lens, direction }) => toCell(each.comparison.lenses[lens][direction])),
    escapeMarkdown(describeNextVersion(each)),
  ]);
  const heads = columns.map(({ lens, direction }) => `${direction}, ${lens}`);
  return printTable(["schema", ...heads, "next version"], rows);
}

function toCell(verdict: Verdict): string {
  return verdict === "compatible" ? verdict : `**${verdict}**`;
}

/** What breaks in one schema; "" if nothing does. */
function printSchema({ versions, comparison, shown, report }: ComparedSchema): string {
  const harmful = shown.filter(({ listed }) => listed.length > 0);
  const hidden = report.notListed.error;
  if (harmful.length === 0 && hidden === 0) return "";
  const meanings = new Set(
    harmful.flatMap(({ listed }) =>
      listed.flatMap(({ lens, direction, verdict }) =>
        lens === "typescript" || lens === "python"
          ? [`code that uses the old ${lens} types breaks`]
          : [MEANINGS[direction][verdict]],
      ),
    ),
  );
  return [
    `### ${toCode(versions.new.source.name)}\n\n`,
    meanings.size === 0 ? "" : `${capitalise([...meanings].map(escapeMarkdown).join("; "))}.\n`,
    `${capitalise(escapeMarkdown(describeMovers(comparison, versions).trim()))}\n\n`,
    harmful.map(printChange).join("\n"),
    hidden > 0 ? `\n... and ${formatCount(hidden, "more finding")}\n` : "",
  ].join("");
}

function printChange({ change, subject, elsewhere, listed }: ShownChange): string {
  const { rule, message } = change;
  const [first] = listed;
  const place = first && `${first.place_new.file}:${first.place_new.line}`;
  const where = elsewhere ?? place ?? "";
  const proofs = new Map(listed.map(({ detail = "" }) => [detail, detail.split("\n")] as const));
  return [
    `- **${rule.id} ${rule.name}** ${toCode(subject)} ${escapeMarkdown(message)} (${toCode(where)})\n`,
    ...[...proofs.values()].map(printProof),
    `\n  **Fix**: ${escapeMarkdown(rule.fix)}\n`,
  ].join("");
}

/** What a record proves, with the record; a reason alone has no record. */
function printProof([claim = "", ...record]: readonly string[]): string {
  if (claim === "") return "";
  const said = `${capitalise(escapeMarkdown(claim))}\n`;
  return `\n${indent(record.length === 0 ? said : `${said}\n${fence(record.join("\n"), "json")}`)}`;
}
