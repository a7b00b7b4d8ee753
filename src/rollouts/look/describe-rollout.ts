import type { Message, MessageToolCall } from "#generated/index.js";
import { isJsonObject } from "../../base/json/value.js";
import { createPaint, hasColour, type OutputStream, type Paint } from "../../base/paint.js";
import { formatCount, previewValue } from "../../base/text.js";
import { columnWidth, PLAIN_WIDTH, sideBySide, truncate, wrap } from "./columns.js";
import { foldMessage } from "./fold-message.js";
import {
  type BranchView,
  explainOutcome,
  type PairView,
  type RolloutView,
} from "./rollout-view.js";

/** How a rollout is printed. */
export interface ShowStyle {
  /** Columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
}

/** Widths of a terminal that a rollout is laid out for. */
const [MIN_WIDTH, MAX_WIDTH] = [40, 400];

/** A layout for standard output. */
export function createShowStyle({
  stdout,
  env,
}: {
  readonly stdout: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}): ShowStyle {
  const columns = (stdout.isTTY === true ? stdout.columns : undefined) ?? PLAIN_WIDTH;
  return {
    width: Math.min(Math.max(columns, MIN_WIDTH), MAX_WIDTH),
    paint: createPaint(hasColour(stdout, env)),
  };
}

/** Narrower columns show too little of a turn. */
const MIN_COLUMN = 36;

const INDENT = "  ";

/** Columns that an id has on any terminal. */
const MIN_ID = 10;

/** A rollout with each message on one line: what all branches share once, then the branches. */
export function describeRollout(view: RolloutView, style: ShowStyle): string[] {
  const { branches, shared } = view;
  const inner = style.width - INDENT.length;
  const [first] = branches;
  const column = columnWidth(branches.length, inner);
  const own =
    column >= MIN_COLUMN || branches.length === 1
      ? describeSideBySide(view, column, style)
      : branches.flatMap((branch) => ["", ...describeAlone(branch, view, inner, style)]);
  return [
    ...describeHead(view, style),
    ...wrap(describeOutcome(view), inner),
    ...describeShared(first?.messages.slice(0, shared) ?? [], branches.length, inner, style),
    ...own,
  ].map(indentAfterHead);
}

/** The two branches that are compared, with all of what they say from where they part. */
export function describePair(view: RolloutView, style: ShowStyle): string[] {
  const { pair } = view;
  if (pair === undefined) {
    return [...describeHead(view, style), "no two ranked branches to compare"].map(indentAfterHead);
  }
  const sides = [pair.chosen, pair.rejected];
  const inner = style.width - INDENT.length;
  const column = columnWidth(2, inner);
  const isWide = column >= MIN_COLUMN;
  const width = isWide ? column : inner;
  const columns = sides.map((side) => [
    ...wrap(describeBranch(side), width).map((line) => style.paint("bold", line)),
    ...side.messages
      .slice(pair.parting.at)
      .flatMap((message) => ["", ...printMessage(message, width)]),
  ]);
  return [
    ...describeHead(view, style),
    ...wrap(describeOutcome(view), inner),
    "",
    ...wrap(`${pair.parting.shared}, then:`, inner),
    "",
    ...(isWide ? sideBySide(columns, column) : [...(columns[0] ?? []), "", ...(columns[1] ?? [])]),
  ].map(indentAfterHead);
}

/** One branch with all of its messages. */
export function describeWholeBranch(
  view: RolloutView,
  branch: BranchView,
  style: ShowStyle,
): string[] {
  const inner = style.width - INDENT.length;
  return [
    ...describeHead(view, style),
    ...wrap(describeBranch(branch), inner).map((line) => style.paint("bold", line)),
    ...branch.messages.flatMap((message) => ["", ...printMessage(message, inner)]),
  ].map(indentAfterHead);
}

function indentAfterHead(line: string, index: number): string {
  return index === 0 || line === "" ? line : `${INDENT}${line}`;
}

function describeHead({ id, branches }: RolloutView, { paint, width }: ShowStyle): string[] {
  const passed = branches.filter(({ verdict }) => verdict === "pass").length;
  const counts = `${formatCount(branches.length, "branch", "branches")}, ${passed} passed`;
  const name = `rollout ${truncate(id, Math.max(MIN_ID, width - counts.length - 10))}`;
  return [`${paint("bold", name)}  ${counts}`];
}

function describeBranch({ branch, turns, verdict }: BranchView): string {
  const { branch_index: index, rank, total_score: score } = branch;
  const error = isJsonObject(branch.branch_error) ? branch.branch_error.message : undefined;
  return [
    `branch ${index}`,
    ...(rank === undefined ? [] : [`rank ${rank}`]),
    ...(score === undefined ? [] : [`score ${score}`]),
    verdict ?? "not verified",
    formatCount(turns, "turn"),
    ...(typeof error === "string" ? [`failed: ${previewValue(error)}`] : []),
  ].join(", ");
}

/** Which pair the trainer gets, or why it gets none. */
function describeOutcome({ outcome, pair }: RolloutView): string {
  if (outcome !== "pair" || pair === undefined) {
    const difference = pair?.parting.difference;
    const where = difference === undefined ? "" : `; first at ${difference}`;
    return `no pair (${outcome}): ${explainOutcome(outcome)}${where}`;
  }
  const { chosen, rejected, parting } = pair;
  const [better, worse] = [chosen, rejected].map(
    ({ branch }) => `branch ${branch.branch_index} (${branch.total_score})`,
  );
  const [act, other] = parting.acts;
  return `pair: ${better} over ${worse}; they part in assistant turn ${parting.turn}: ${act} against ${other}`;
}

function describeShared(
  messages: readonly Message[],
  branches: number,
  width: number,
  { paint }: ShowStyle,
): string[] {
  const lines = messages.map((message) => foldMessage(message, width, paint));
  if (lines.length === 0) return [];
  const title = `the same in ${branches === 2 ? "both" : `all ${branches}`} branches:`;
  return ["", paint("dim", title), ...lines];
}

function describeSideBySide(
  { branches, shared, pair }: RolloutView,
  width: number,
  style: ShowStyle,
): string[] {
  const { paint } = style;
  const heads = branches.map((branch) =>
    wrap(describeBranch(branch), width).map((line) => paint("bold", line)),
  );
  const end = Math.max(...branches.map(({ messages }) => messages.length));
  const rows = Array.from({ length: end - shared }, (_, row) => {
    const at = shared + row;
    const cells = branches.map(({ messages }) =>
      messages.slice(at, at + 1).map((message) => foldMessage(message, width, paint)),
    );
    return [
      ...(pair?.parting.at === at ? markDivergence(pair, style) : []),
      ...sideBySide(cells, width),
    ];
  });
  return ["", ...sideBySide(heads, width), ...rows.flat()];
}

function describeAlone(
  branch: BranchView,
  { shared, pair }: RolloutView,
  width: number,
  style: ShowStyle,
): string[] {
  const { paint } = style;
  const isCompared = branch === pair?.chosen || branch === pair?.rejected;
  const lines = branch.messages
    .slice(shared)
    .flatMap((message, row) => [
      ...(isCompared && pair.parting.at === shared + row ? markDivergence(pair, style) : []),
      foldMessage(message, width, paint),
    ]);
  return [paint("bold", truncate(describeBranch(branch), width)), ...lines];
}

/** Where the branches of a pair part; nothing if they are no pair. */
function markDivergence(
  { chosen, rejected, reason }: PairView,
  { paint, width }: ShowStyle,
): string[] {
  if (reason !== undefined) return [];
  const [better, worse] = [chosen, rejected].map(({ branch }) => branch.branch_index);
  const mark = `── branch ${better} and branch ${worse} part here ──`;
  return [paint("cyan", truncate(mark, width - INDENT.length))];
}

/** A message in full: its role, then its text, and its calls with their arguments. */
function printMessage(message: Message, width: number): string[] {
  const { role, content, reasoning_content: thought = "", tool_calls: calls = [], name } = message;
  const body = [
    ...(thought === "" ? [] : [`(${thought})`]),
    ...(content === "" && calls.length > 0 ? [] : [content === "" ? "(nothing)" : content]),
    ...calls.map(printCall),
  ];
  const title = name === undefined ? role : `${role} ${name}`;
  return [
    truncate(title, width),
    ...body.flatMap((text) => wrap(text, width - INDENT.length)).map((line) => `${INDENT}${line}`),
  ];
}

function printCall({ function: { name, arguments: given } }: MessageToolCall): string {
  return `${name} ${isJsonObject(given) ? JSON.stringify(given, undefined, 2) : String(given)}`;
}
