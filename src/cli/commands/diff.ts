import { Option } from "commander";
import { LENSES, type Lens } from "../../contract/compat/change.js";
import { DIRECTIONS, type Direction } from "../../contract/compat/schema/schema-set.js";
import type { Command } from "../command.js";
import { createFindingOptions, fetchOption, schemasOption } from "../options.js";

/** Compares two versions of a schema, or all schemas of a range of commits, and reports what the changes break. */
export const command: Command = {
  options: [
    new Option("--lens <name...>", "what counts as a break; see docs/compatibility.md")
      .choices(LENSES)
      .default(["declared-writer" satisfies Lens], "declared-writer"),
    new Option(
      "--direction <name...>",
      "backward: new readers, old data; forward: old readers, new data; the rest is a note",
    )
      .choices(DIRECTIONS)
      .default(["backward" satisfies Direction], "backward"),
    new Option(
      "--formats <mode>",
      "whether validators check format (default: as the configuration nearest to either file says)",
    ).choices(["assert", "annotate"]),
    schemasOption,
    fetchOption,
    new Option(
      "--corpus <file...>",
      "count how many of these records the change breaks, and show the first",
    ),
    ...createFindingOptions("html", "changelog"),
  ],
  examples: [
    "diff released:rollout-wire/v1 schema/rollout-wire.schema.json",
    "diff main:schema/rollout-wire.schema.json schema/rollout-wire.schema.json",
    "diff old.schema.json new.schema.json --lens validate --direction backward forward",
    "diff 'main:schemas/wire.json#/$defs/DpoRecord' dpo.schema.json",
    "diff released:rollout-wire/v1 new.schema.json --corpus rollouts.jsonl",
    "diff main...HEAD schema/ --format markdown",
    "diff main...HEAD schema/ --format html > changes.html",
    "diff released:rollout-wire/v1 schema/rollout-wire.schema.json --format changelog",
  ],
  // Lazy, because Ajv is large, and help and completion do not need it.
  run: async (input, context) => (await import("../diff/run.js")).runDiff(input, context),
};
