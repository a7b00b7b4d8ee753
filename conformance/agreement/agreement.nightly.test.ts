import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { countAttacks } from "../../src/base/testing/attacks.js";
import { Workspace } from "../workspace.js";
import { measureAgreement } from "./agreement.js";

test("five implementations agree on fixtures and mutated records", async (context) => {
  const records = 60_000;
  const attacks = countAttacks(context, "mutated records in five validators", records);
  await attacks.attemptAll(records, async () => {
    const { checked, findings } = await measureAgreement(new Workspace(packageRoot()), [], {
      size: { withManyChanges: records, places: 1_000 },
    });
    expect(findings).toEqual([]);
    expect(checked).toContainEqual(expect.objectContaining({ thing: "implementation", count: 5 }));
    const count = checked.find(({ thing }) => thing === "record")?.count;
    expect(count).toBeGreaterThanOrEqual(records);
  });
});
