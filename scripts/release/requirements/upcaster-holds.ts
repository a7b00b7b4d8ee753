import type { SchemaVersion } from "../../../conformance/versions/changes.js";
import {
  createFinding,
  type Finding,
  type RecordFault,
} from "../../../src/base/findings/finding.js";
import { isJsonObject } from "../../../src/base/json/value.js";
import { escapeControls, formatCount } from "../../../src/base/text.js";
import { RecordTypes } from "../../../src/contract/migrate/record-types.js";
import {
  hasUpcaster,
  loadUpcaster,
  toUpcasterFile,
  tryUpcast,
  type Upcast,
} from "../../../src/contract/migrate/step.js";
import { type OldRecord, readOldRecords } from "../old-records.js";
import { type Fulfilment, type Requirement, toStep } from "../requirement.js";

export const upcasterHolds: Requirement = {
  id: "upcaster-holds",
  purpose:
    "The upcaster of a breaking release, if there is one, makes valid records of the golden records and valid fixtures of the version before.",
  async check(root, release) {
    const { last, present } = release.change;
    const step = toStep(release);
    if (step === undefined || last === undefined) return { findings: [] };
    const file = toUpcasterFile(step);
    if (!hasUpcaster(root, step)) return { findings: [], shown: `${file}: ${NO_UPCASTER}` };
    const fail = (message: string): Fulfilment => {
      return { findings: [createFinding({ id: upcasterHolds.id, file, message })] };
    };
    const loaded = await loadUpcaster(root, step);
    if ("problem" in loaded) return fail(escapeControls(loaded.problem));
    const old = readOldRecords(root, present.file, last.text);
    if (old === undefined) {
      return fail(
        `cannot be tested: no commit of this clone holds ${present.file} as it is in ${last.file} (a shallow clone lacks it: git fetch --unshallow)`,
      );
    }
    const check = createCheck(last, present, loaded.upcast);
    const checked = old.records.flatMap((record) => {
      const faults = check(record);
      return faults === undefined ? [] : [{ record, faults }];
    });
    if (checked.length === 0) {
      return fail(`cannot be tested: none in the fixtures of ${old.commit} is of ${last.file}`);
    }
    const valid = checked.filter(({ faults }) => faults.length === 0).length;
    const count = formatCount(checked.length, "record");
    return {
      findings: checked.flatMap(({ record, faults }) => toFindings(record, faults, old.commit)),
      shown: `${file}: ${count} of ${old.commit} upgraded, ${valid} valid under ${release.version}`,
    };
  },
};

const NO_UPCASTER =
  "there is none, so nobody can upgrade records (npm run upcaster:new writes a skeleton)";

type Fault = Pick<RecordFault, "pointer" | "message">;

/**
 * Checks that a record, upgraded, is valid under every type that it was of, or under any if such a type no longer exists.
 * Undefined for a record that is not valid under the old version.
 */
function createCheck(before: SchemaVersion, after: SchemaVersion, upcast: Upcast) {
  const types = new RecordTypes([before, after]);
  return ({ value, type }: OldRecord): readonly Fault[] | undefined => {
    const found = types.find(value).filter((name) => type === undefined || type === name);
    if (found.length === 0 || !isJsonObject(value)) return undefined;
    const made = tryUpcast(upcast, structuredClone(value));
    if ("problem" in made) return [{ pointer: "", message: `cannot be upgraded: ${made.problem}` }];
    return types
      .check(made.record, found)
      .map(({ pointer, message }) => ({ pointer, message: `upgraded, it is ${message}` }));
  };
}

/** The faults of an upgraded record, at its position in the commit. */
function toFindings(record: OldRecord, faults: readonly Fault[], commit: string): Finding[] {
  return faults.map(({ pointer, message }) =>
    createFinding({
      id: upcasterHolds.id,
      file: `${commit}:${record.file}`,
      position: { line: record.line, column: 1 },
      pointer,
      message,
    }),
  );
}
