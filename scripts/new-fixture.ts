import { measureOwnCoverage } from "../conformance/coverage/coverage.js";
import { proposeFixture } from "../conformance/coverage/missing.js";
import { readFixtures } from "../conformance/fixtures/load.js";
import { addCases } from "../conformance/fixtures/suite.js";
import { EXIT, UserError } from "../src/base/user-error.js";
import { OptionValues } from "../src/cli/command.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "fixtures:new",
    summary:
      "Derives a fixture from the schemas that pins one constraint, and adds it to its suite.",
    options: [
      ["--type <name>", "entry type of one fixture, such as DpoRecord"],
      [
        "--pointer <pointer>",
        "place in the record, such as /provenance/n_gram_hash; the whole by default",
      ],
      ["--keyword <keyword>", "the constraint of that place to break, such as pattern"],
      ["--valid", "a valid fixture at the constraint's boundary instead"],
    ],
  },
  async (values, { root, stdout }) => {
    const options = new OptionValues(values);
    const coverage = measureOwnCoverage(root, readFixtures(root));
    const type = options.optionalText("type");
    const pointer = options.optionalText("pointer") ?? "";
    const keyword = options.optionalText("keyword");
    if (type === undefined || keyword === undefined) {
      const example = "--type DpoRecord --pointer /provenance/n_gram_hash --keyword pattern";
      throw new UserError(
        `name one place:  ${example}; check --write-fixtures adds all that are missing`,
        EXIT.usage,
      );
    }
    const direction = options.flag("valid") ? "tightened" : "loosened";
    const fixture = proposeFixture({ type, pointer, keyword, direction }, coverage);
    addCases(root, [fixture]);
    stdout.write(`${fixture.file}: ${fixture.value.name} added: complete its description\n`);
    return EXIT.ok;
  },
);

await runAsProgram(import.meta.url, run);
