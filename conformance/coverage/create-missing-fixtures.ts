import { definitionOf } from "../schemas/link-definitions.js";
import { createFixture, type DerivedFixture } from "./create-fixture.js";
import { createSample } from "./create-sample.js";
import type { Judge } from "./judge.js";
import { type Coverage, findKiller, type JudgedMutant, survivorsOf } from "./measure-coverage.js";
import { type PrintedFixture, printFixture } from "./print-fixture.js";

export interface MissingFixtures {
  readonly created: readonly PrintedFixture[];
  /** Survivors for which none could be derived. */
  readonly stuck: readonly JudgedMutant[];
}

/**
 * Fixtures that kill every survivor: the fewest that come of taking them one after another. Valid
 * ones come first, since an invalid one is made from a valid one that reaches its place. The judge of
 * `coverage` knows them afterwards.
 *
 * `exists` says whether a file is there already; nothing is written.
 */
export function createMissingFixtures(
  coverage: Coverage,
  exists: (file: string) => boolean,
): MissingFixtures {
  const { judge } = coverage;
  const survivors = survivorsOf(coverage);
  const isTight = ({ direction }: JudgedMutant): boolean => direction === "tightened";
  const created: PrintedFixture[] = [];
  const stuck: JudgedMutant[] = [];
  const isTaken = (file: string): boolean =>
    exists(file) || created.some((other) => other.file === file);
  const add = (derived: DerivedFixture): void => {
    const printed = printFixture(derived, isTaken);
    const { type, kind, record } = derived;
    created.push(printed);
    judge.add({ type, kind, file: printed.file, content: { record } });
  };
  for (const type of typesWithoutRecord(coverage)) add(createSmallest(type, judge));
  for (const mutant of [
    ...survivors.filter(isTight),
    ...survivors.filter((each) => !isTight(each)),
  ]) {
    if (findKiller(mutant, judge) !== undefined) continue;
    const derived = createFixture(mutant, judge);
    if (derived === undefined) stuck.push(mutant);
    else add(derived);
  }
  return { created, stuck };
}

/** Entry types of which there is no valid record to start from. */
function typesWithoutRecord({ schemas, judge }: Coverage): string[] {
  const types = schemas.flatMap(({ entryTypes }) => entryTypes);
  return types.filter((type) => {
    const reaches = judge.reachesOf(definitionOf(type, judge.definitions).node);
    return !reaches.some(
      ({ judged: { fixture } }) => fixture.type === type && fixture.kind === "valid",
    );
  });
}

function createSmallest(type: string, judge: Judge): DerivedFixture {
  const { definitions } = judge;
  const record = createSample(definitionOf(type, definitions).node, definitions);
  const failures = judge.failuresOf(type, record);
  const why = `The smallest ${type}: it has what is required, and nothing else.`;
  return { type, kind: "valid", names: ["smallest"], why, record, failures };
}
