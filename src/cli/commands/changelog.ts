import { EXIT } from "../../base/user-error.js";
import type { Command } from "../command.js";
import { schemaRootOption } from "../options.js";
import { outlineOf } from "./outlines.js";

/** Prints the changelog entry that follows from the verdict on two versions of a schema. */
export const changelog: Command = {
  ...outlineOf("changelog"),
  options: [schemaRootOption],
  examples: [
    "changelog released:rollout-wire/v1 schema/rollout-wire.schema.json",
    "changelog released:rollout-wire/v1.0.1 released:rollout-wire/v1.1.0",
    "changelog main...HEAD schema/",
  ],
  async run({ operands, options }, { cwd, stdout, stderr }) {
    // Lazy, because Ajv is large and most other commands do not need it.
    const [{ findPairs }, { describeEntry }] = await Promise.all([
      import("../../contract/compat/versions/range.js"),
      import("../../contract/compat/versions/changelog.js"),
    ]);
    const schemaRoot = options.optionalText("schemaRoot");
    const pairs = findPairs("changelog", operands, { cwd, schemaRoot });
    const entries = pairs.map(describeEntry);
    stdout.write(entries.join(""));
    if (entries.every((entry) => entry === "")) stderr.write("nothing changed\n");
    return EXIT.ok;
  },
};
