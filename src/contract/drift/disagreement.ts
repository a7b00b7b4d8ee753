import { basename } from "node:path/posix";
import type { Disagreement } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { withPlainLineEnds } from "./hash-grade.js";
import type { ReplayedHolder } from "./records/replay.js";
import { isWholeSchema } from "./scan/compare-fork.js";

/** One file that several repositories hold. */
interface HeldFile {
  readonly repository: string;
  /** As for messages. */
  readonly file: string;
  readonly hash: string;
}

/**
 * The schemas and fixtures that several repositories hold, but not all with the same bytes, and who agrees with whom:
 * the largest group first. A fixture is the same by its file name, a schema by its name, also if it is a fork.
 */
export function findDisagreements(scanned: readonly ReplayedHolder[]): {
  readonly disagreements: Disagreement[];
  readonly findings: Finding[];
} {
  const artefacts = new Map<string, HeldFile[]>();
  for (const each of scanned) {
    for (const [artefact, held] of listHeldFiles(each)) {
      artefacts.set(artefact, [...(artefacts.get(artefact) ?? []), held]);
    }
  }
  const disagreements: Disagreement[] = [];
  const findings: Finding[] = [];
  for (const [artefact, held] of artefacts) {
    const hashes = [...new Set(held.map(({ hash }) => hash))];
    if (hashes.length < 2 || new Set(held.map(({ repository }) => repository)).size < 2) continue;
    const groups = hashes
      .map((hash) => toGroup(hash, held))
      .sort((one, other) => other.repositories.length - one.repositories.length);
    disagreements.push({
      artefact,
      groups: groups.map(({ hash, repositories }) => ({ hash, repositories })),
    });
    findings.push(toFinding(artefact, groups, held[0]?.file ?? ""));
  }
  return { disagreements, findings };
}

function listHeldFiles({
  holder: { name, tree, artefacts },
  forks,
  fixtures,
}: ReplayedHolder): [artefact: string, held: HeldFile][] {
  const copies = artefacts.filter(({ kind }) => kind === "schema");
  const schemas = [...copies, ...forks.filter(isWholeSchema)];
  return [
    ...schemas.map(({ schema, path }) => [`schema ${schema}`, path] as const),
    ...fixtures.map(({ path }) => [`${FIXTURE}${basename(path)}`, path] as const),
  ].flatMap(([artefact, path]) => {
    const bytes = tree.read(path);
    if (bytes === undefined) return [];
    return [
      [
        artefact,
        { repository: name, file: tree.nameOf(path), hash: sha256(withPlainLineEnds(bytes)) },
      ],
    ];
  });
}

/** Those that hold the same bytes. */
interface Group {
  readonly hash: string;
  readonly repositories: string[];
  /** As for messages. */
  readonly files: readonly string[];
}

function toGroup(hash: string, held: readonly HeldFile[]): Group {
  const own = held.filter((each) => each.hash === hash);
  return {
    hash,
    repositories: [...new Set(own.map(({ repository }) => repository))],
    files: own.map(({ file }) => file),
  };
}

/** What the name of a fixture begins with, among those of artefacts. */
const FIXTURE = "fixture ";

/** Digits of a hash that are shown. */
const SHOWN = 8;

function toFinding(artefact: string, groups: readonly Group[], file: string): Finding {
  const sides = groups.map(
    ({ hash, repositories }) =>
      `${hash.replace("sha256:", "").slice(0, SHOWN)} ${repositories.join(", ")}`,
  );
  const next = artefact.startsWith(FIXTURE) ? `; ${describeStep(groups)}` : "";
  const message = `the repositories hold different files of the ${artefact}: ${sides.join(" | ")}${next}`;
  return { ...createFinding({ id: "disagreement", file, message }), severity: "warning" };
}

/** What makes the files equal: those of the largest group, which is the first, for the others. */
function describeStep([largest, ...others]: readonly Group[]): string {
  const keep =
    "or list it under artefacts in each configuration, so that sync keeps it equal to its original";
  const agreeing = largest?.repositories.length ?? 0;
  if (others.some(({ repositories }) => repositories.length === agreeing)) {
    return `no side is larger: copy the right file over the others, ${keep}`;
  }
  const all = new Set([largest, ...others].flatMap((group) => group?.repositories ?? []));
  const targets = others.flatMap(({ files }) => files).join(", ");
  return `${agreeing} of ${all.size} agree: copy ${largest?.files[0]} to ${targets}, ${keep}`;
}
