import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { planFiles } from "./plan.js";

test("named files are generated with format as the configuration above them says", () => {
  const folder = createTestFolder();
  try {
    mkdirSync(join(folder.path, "schemas"));
    const options = { out: "generated", targets: [] };
    const plan = () => planFiles(folder.path, ["schemas/*.json"], options).formats;
    expect(plan()).toBe("annotate");
    folder.write("rollout-wire.config.json", '{"schemas": {"formats": "assert"}}');
    expect(plan()).toBe("assert");
  } finally {
    folder.remove();
  }
});
