import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type ExportReport, isExportReport, type ReportedShard } from "#generated/index.js";
import { hasCode, toReadError } from "../../../base/files/source.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { MANIFEST } from "../export/dataset-folder.js";

/** A dataset folder that an export of one shard wrote. */
export interface ExportedShard {
  readonly folder: string;
  readonly report: ExportReport;
  readonly shard: ReportedShard;
}

/** What has to be equal in the reports of all shards. */
const EQUAL = ["report_version", "tool_version", "target", "schemas"] as const;
const EQUAL_GATE = [
  ...(["performed", "n", "evaluation_items", "items_without_words"] as const),
  ...(["boilerplate_share", "min_overlap", "distinct_tasks", "boilerplate_ngrams"] as const),
] as const;

/**
 * Reads the manifests of exported shards, and returns them in the order of the shards.
 *
 * Throws UserError: exit 1 if a shard is missing or there twice, or if they are of different partitions, or were exported with
 * other options or by another version; exit 3 if a folder holds no exported shard.
 */
export function readShards(
  folders: readonly string[],
  cwd: string,
): readonly [ExportedShard, ...ExportedShard[]] {
  const shards = folders.map((folder) => readShard(folder, cwd));
  const [first, ...others] = shards.toSorted((a, b) => a.shard.number - b.shard.number);
  if (first === undefined)
    throw new UserError("shard join needs the folders of all shards", EXIT.usage);
  for (const other of others) requireEqual(first, other);
  requireAll([first, ...others]);
  return [first, ...others];
}

function readShard(folder: string, cwd: string): ExportedShard {
  const name = join(folder, MANIFEST);
  let report: unknown;
  const path = resolve(cwd, name);
  try {
    // Reading a pipe would wait for its writer.
    if (statSync(path).isFile()) report = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT") && existsSync(resolve(cwd, folder))) {
      throw new UserError(`${folder}: is no folder of a shard: it has no ${MANIFEST}`);
    }
    if (!(error instanceof SyntaxError)) throw toReadError(name, error);
  }
  if (!isExportReport(report)) throw new UserError(`${name}: is no manifest of an export`);
  if (!report.written) throw new UserError(`${name}: says that nothing was written`);
  const { shard } = report;
  if (shard === undefined) {
    throw new UserError(`${name}: is of a whole export, not of a shard (export --shard)`);
  }
  return { folder, report, shard };
}

function requireEqual(first: ExportedShard, other: ExportedShard): void {
  const { settings } = first.report;
  const pairs: [name: string, one: unknown, another: unknown][] = [
    ["shard.partition", first.shard.partition, other.shard.partition],
    ["shard.count", first.shard.count, other.shard.count],
    ...EQUAL.map((name): [string, unknown, unknown] => {
      return [name, first.report[name], other.report[name]];
    }),
    ...Object.keys({ ...settings, ...other.report.settings }).map(
      (name): [string, unknown, unknown] => {
        const [one, another] = [settings, other.report.settings];
        return [`settings.${name}`, Reflect.get(one, name), Reflect.get(another, name)];
      },
    ),
    ...EQUAL_GATE.map((name): [string, unknown, unknown] => {
      const [one, another] = [first.report.decontamination, other.report.decontamination];
      return [`decontamination.${name}`, one[name], another[name]];
    }),
    [
      "decontamination.evaluation_set",
      first.report.decontamination.evaluation_set?.sha256,
      other.report.decontamination.evaluation_set?.sha256,
    ],
  ];
  const different = pairs.find(([, one, another]) => !isDeepStrictEqual(one, another));
  if (different === undefined) return;
  const [name, one, another] = different;
  throw refuse(
    `${other.folder} and ${first.folder} differ in ${name} (${describe(another)}, ${describe(one)}): export one of them again`,
  );
}

function describe(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

function requireAll(shards: readonly [ExportedShard, ...ExportedShard[]]): void {
  const [{ shard: first }] = shards;
  for (const [index, { folder, shard }] of shards.entries()) {
    const before = shards[index - 1];
    if (before?.shard.number === shard.number) {
      throw refuse(`${before.folder} and ${folder} are both shard ${shard.number}/${shard.count}`);
    }
  }
  const gap = shards.findIndex(({ shard }, index) => shard.number !== index + 1);
  const missing = first.count - shards.length;
  if (gap < 0 && missing === 0) return;
  const shard = `${(gap < 0 ? shards.length : gap) + 1}/${first.count}`;
  throw refuse(
    missing <= 1
      ? `shard ${shard} is missing: export it with --shard ${shard}`
      : `shards ${shard} and ${missing - 1} more are missing: export them, beginning with --shard ${shard}`,
  );
}

function refuse(problem: string): UserError {
  return new UserError(problem, EXIT.findings);
}
