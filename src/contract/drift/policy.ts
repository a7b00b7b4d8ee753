import { isDeepStrictEqual } from "node:util";
import type { Config, KnownDifference } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { CONFIGURABLE } from "./config.js";
import { hasText } from "./hash-grade.js";
import type { Tree } from "./trees/tree.js";

interface Judged {
  /** The findings that remain, with their configured severity, and those about the baseline itself. */
  readonly findings: readonly Finding[];
  /** The number of findings that the baseline accepts. */
  readonly accepted: number;
}

interface PolicyContext {
  /** What is new in a file since the baseline accepted it, in lines. */
  readonly describeNews?: (known: KnownDifference) => string | undefined;
  readonly config: Config;
  readonly tree: Tree;
  /** The current day in UTC, as YYYY-MM-DD. */
  readonly today: string;
  /** Whether the findings are not all that its baseline may be about. Default: false. */
  readonly isPartial?: boolean;
}

/** Applies the severities and the baseline of a repository to the findings about it. */
export function applyPolicy(findings: readonly Finding[], context: PolicyContext): Judged {
  const { severity = {}, baseline = [] } = context.config;
  const used = new Set<KnownDifference>();
  const kept: Finding[] = [];
  let accepted = 0;
  for (const finding of findings) {
    const known = baseline.find((each) => isAbout(each, finding, context.tree));
    const objection = known && findObjection(known, context);
    if (known !== undefined) used.add(known);
    if (known !== undefined && objection === undefined) {
      accepted += 1;
      continue;
    }
    const set = severity[finding.id] ?? finding.severity;
    if (set === "off") continue;
    const note = objection === undefined ? "" : ` (${objection})`;
    const news = objection === CHANGED && known ? context.describeNews?.(known) : undefined;
    const detail = [...(news ? [news] : []), ...(finding.detail ? [finding.detail] : [])];
    kept.push({
      ...finding,
      severity: set,
      message: `${finding.message}${note}`,
      ...(detail.length > 0 && { detail: detail.join("\n") }),
    });
  }
  const stale = baseline.flatMap((each, index) =>
    context.isPartial || used.has(each) ? [] : [toStale(each, index, context.tree)],
  );
  return { findings: [...kept, ...stale], accepted };
}

/** Whether the baseline accepts a file as it is now, whatever was found in it. */
export function isAccepted(path: string, { config, tree, today }: PolicyContext): boolean {
  return (config.baseline ?? []).some(
    (known) => known.file === path && findObjection(known, { config, tree, today }) === undefined,
  );
}

function isAbout(
  { id, file, pointer = "" }: KnownDifference,
  finding: Finding,
  tree: Tree,
): boolean {
  return id === finding.id && pointer === finding.pointer && tree.nameOf(file) === finding.file;
}

const CHANGED = "the file changed since its baseline";

/** Why an entry of the baseline no longer holds; undefined if it does. */
function findObjection(
  { file, hash, expires }: KnownDifference,
  { tree, today }: PolicyContext,
): string | undefined {
  if (expires < today) return `its baseline expired on ${expires}`;
  const bytes = tree.read(file);
  const isSame = bytes === undefined ? hash === undefined : hasText(bytes, hash);
  return isSame ? undefined : CHANGED;
}

/** Id of a finding about an entry that is no longer needed. */
const STALE = "stale-baseline";

function toStale({ id, file }: KnownDifference, index: number, tree: Tree): Finding {
  const source = tree.read(CONFIG_FILE)?.toString("utf8");
  const finding = createFinding({
    id: STALE,
    file: tree.nameOf(CONFIG_FILE),
    pointer: `/baseline/${index}`,
    message: `${id} of ${file} is no longer found: remove the entry`,
    ...(source !== undefined && { source }),
  });
  return { ...finding, severity: "warning" };
}

interface BaselineOptions {
  readonly config: Config;
  readonly tree: Tree;
  /** Why the findings are accepted. */
  readonly reason: string;
  /** The last day on which they are accepted, as YYYY-MM-DD. */
  readonly expires: string;
  /** The semantic rules, whose findings can be accepted too. */
  readonly ruleIds: readonly string[];
}

interface UpdatedBaseline {
  readonly baseline: KnownDifference[];
  /** The number of findings that it accepts in addition. */
  readonly added: number;
  /** The findings that cannot be accepted. */
  readonly left: Finding[];
}

/**
 * The baseline that accepts `findings`, which remained after `applyPolicy`. Entries that expired, that are no longer
 * found, or whose file changed are replaced or dropped.
 */
export function updateBaseline(
  findings: readonly Finding[],
  { config, tree, reason, expires, ruleIds }: BaselineOptions,
): UpdatedBaseline {
  const isAcceptable = ({ id }: Finding): boolean =>
    CONFIGURABLE.includes(id) || ruleIds.includes(id);
  const kept = (config.baseline ?? []).filter((known, index) => {
    const isStale = ({ id, pointer }: Finding): boolean =>
      id === STALE && pointer === `/baseline/${index}`;
    return !findings.some((finding) => isStale(finding) || isAbout(known, finding, tree));
  });
  const open = findings.filter(({ id }) => id !== STALE);
  const accepted = open.filter(isAcceptable);
  const entries = accepted.map(({ id, file: name, pointer }): KnownDifference => {
    const file = tree.pathOf(name);
    const bytes = tree.read(file);
    return {
      id,
      file,
      ...(pointer !== "" && { pointer }),
      ...(bytes !== undefined && { hash: sha256(bytes) }),
      reason,
      expires,
    };
  });
  // One place may have several findings, such as several records of a line.
  const isFirst = (entry: KnownDifference, index: number): boolean =>
    entries.findIndex((each) => isDeepStrictEqual(each, entry)) === index;
  return {
    baseline: [...kept, ...entries.filter(isFirst)],
    added: accepted.length,
    left: open.filter((finding) => !isAcceptable(finding)),
  };
}
