import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The tests that take longest, in the order in which they start: at the end, one of them would run alone. */
export const LONGEST = [
  "by-the-book.full.test.ts",
  "failures.test.ts",
  "trl-rows.test.ts",
  "release-package.full.test.ts",
  "consumers.full.test.ts",
  "inputs.test.ts",
  "submit.test.ts",
  "three-repositories.full.test.ts",
  "export.test.ts",
  "gate.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.indexOf(basename(moduleId));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
