import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { formatCount } from "../../../../base/text.js";
import type { ImportFault, RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import { type ConvertedMessage, createConvertedReader, toPart } from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";

const SPOKEN: readonly unknown[] = ["user", "assistant"];

/**
 * Sessions of Claude Code: one JSONL file each, in which a line is a part of a message. What a branch takes is what the
 * model saw: lines of subagents and of errors of the API are left out, and all before the last compaction.
 */
export const claudeCode: Form = {
  id: "claude-code",
  purpose: "sessions of Claude Code",
  unit: "session",
  files: packed("**/.claude/projects/**/*.jsonl"),
  joinsLines: true,
  options: [],
  recognise: (sample) =>
    sample.some(
      (line) =>
        isSpoken(["", line]) || (hasKeys(line, LOG_LINES) && listLines(line).some(isSpoken)),
    ),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "claude-code" }, (value) => splitSessions(value)),
};

/** A line with its number. */
type SessionLine = readonly [number: string, line: JsonObject];

/** Where sessions on the web have their lines. */
const LOG_LINES = "loglines";

/** The lines of a session, which may be in a list of one object. */
function listLines(value: unknown, prefix = ""): SessionLine[] {
  const lines = isJsonObject(value) || Array.isArray(value) ? Object.entries(value) : [];
  return lines.flatMap(([key, line]: [string, unknown]) => {
    const at = `${prefix}${key}`;
    if (key === LOG_LINES) return listLines(line, `${at}/`);
    if (hasKeys(line, LOG_LINES)) return listLines(line, `${at}/`);
    return isJsonObject(line) ? [[at, line] as const] : [];
  });
}

/** The sessions of a file. A line without a session belongs to that of the line before it. */
function splitSessions(value: unknown): RecordPart[] {
  const lines = listLines(value);
  const sessions = new Map<unknown, SessionLine[]>();
  // What the program prints, `stream-json`, writes some names otherwise than its files.
  const idOf = ([, line]: SessionLine): unknown => line.sessionId ?? line.session_id;
  let latest = lines.map(idOf).find((id) => id !== undefined);
  for (const [number, line] of lines) {
    latest = idOf([number, line]) ?? latest;
    sessions.set(latest, [...(sessions.get(latest) ?? []), [number, line]]);
  }
  return [...sessions].map(([id, own]) => toSession(id, own));
}

function toSession(session: unknown, lines: readonly SessionLine[]): RecordPart {
  const compacted = lines.findLastIndex(([, line]) => line.isCompactSummary === true);
  const seen = lines.slice(Math.max(0, compacted)).filter(isSpoken);
  // The file of a subagent has no other lines.
  const isAgents = seen.every(isAside);
  const isOthers = (line: SessionLine): boolean => isAside(line) && !isAgents;
  const own = seen.filter((line) => !isOthers(line) && !isApiError(line[1]));
  const pointer = `/${lines[0]?.[0] ?? ""}`;
  const tally = new Tally();
  for (const each of lines) {
    if (!isSpoken(each)) tally.skip(`/${each[0]}/${String(each[1].type)}`, each[1]);
  }
  for (const [number, line] of own) {
    for (const [key, value] of Object.entries(line)) {
      if (!READ.has(key)) tally.skip(`/${number}/${key}`, value);
    }
  }
  const warnings: ImportFault[] = [
    ...warn("subagent-trajectory", pointer, seen.filter(isOthers), "of a subagent left out"),
    ...warn(
      "api-error",
      pointer,
      seen.filter(([, line]) => isApiError(line)),
      "of an error of the API left out",
    ),
    ...warn(
      "compacted",
      pointer,
      lines.slice(0, Math.max(0, compacted)),
      "before the last compaction left out: the model no longer saw them",
    ),
  ];
  const { cwd, gitBranch, version } = own[0]?.[1] ?? {};
  const messages = own.map(([number, { type: role, message }]): ConvertedMessage => {
    const { id: _, type: __, ...rest } = isJsonObject(message) ? message : {};
    return [`/${number}/message`, { role, ...rest }];
  });
  const ended = lines.findLast(([, { type }]) => type === "result")?.[1];
  const fields = { cwd, gitBranch, version, stop_condition: ended?.subtype };
  return toPart({ pointer, messages, session, fields, tally, warnings, fault: findFork(own) });
}

/** Fields of a line that are read, or that repeat what a message says. */
const READ: ReadonlySet<string> = new Set([
  ...["type", "message", "sessionId", "isSidechain", "isCompactSummary", "toolUseResult"],
  ...["cwd", "gitBranch", "version", "isApiErrorMessage", "session_id", "parent_tool_use_id"],
]);

/** Tells whether a subagent speaks, or is spoken to. */
const isAside = ([, { isSidechain, parent_tool_use_id: caller }]: SessionLine): boolean =>
  isSidechain === true || typeof caller === "string";

const isSpoken = ([, line]: readonly [string, unknown]): boolean =>
  hasKeys(line, "type", "message") &&
  SPOKEN.includes(line.type) &&
  hasKeys(line.message, "content");

const isApiError = (line: JsonObject): boolean => line.isApiErrorMessage === true;

function warn(id: string, pointer: string, lines: readonly unknown[], why: string): ImportFault[] {
  if (lines.length === 0) return [];
  return [{ id, pointer, message: `${formatCount(lines.length, "line")} ${why}`, cause: why }];
}

/** A session that goes on from one message in two ways: somebody went back and asked anew. */
function findFork(lines: readonly SessionLine[]): ImportFault | undefined {
  const asked = new Set<unknown>();
  for (const [number, { parentUuid, message, isMeta }] of lines) {
    const isQuestion =
      hasKeys(message, "content") && message.role === "user" && !holdsResults(message);
    if (!isQuestion || typeof parentUuid !== "string" || isMeta === true) continue;
    if (asked.has(parentUuid)) {
      const fault =
        "a second question after the same message: a session that was taken back is no single line of messages";
      return { id: "message-graph", pointer: `/${number}/parentUuid`, message: fault };
    }
    asked.add(parentUuid);
  }
  return undefined;
}

function holdsResults({ content }: JsonObject): boolean {
  return (
    Array.isArray(content) &&
    content.some((part) => isJsonObject(part) && part.type === "tool_result")
  );
}
