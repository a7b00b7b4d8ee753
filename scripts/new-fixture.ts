import { measureCoverage } from "../conformance/coverage/coverage.js";
import { createMissingFixtures, proposeFixture } from "../conformance/coverage/missing.js";
import { readFixtures } from "../conformance/fixtures/load.js";
import { addCases } from "../conformance/fixtures/suite.js";
import { formatCount } from "../src/base/text.js";
import { EXIT, UserError } from "../src/base/user-error.js";
import { OptionValues } from "../src/cli/command.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "fixtures:new",
    summary:
      "Derives fixtures from the schemas that pin their constraints, and adds them to the suites.",
    options: [
      ["--missing", "all fixtures that constraint coverage still lacks"],
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
    const coverage = measureCoverage(root, readFixtures(root));
    if (options.flag("missing")) {
      const { created, stuck } = createMissingFixtures(coverage);
      addCases(root, created);
      for (const { location, pointer, change } of stuck) {
        const place = `${location.definition.schema.file} ${pointer}`;
        stdout.write(`${place}: write a fixture by hand that fails when it ${change.change}\n`);
      }
      stdout.write(`${formatCount(created.length, "fixture")} added: check the descriptions\n`);
      return stuck.length === 0 ? EXIT.ok : EXIT.findings;
    }
    const type = options.optionalText("type");
    const pointer = options.optionalText("pointer") ?? "";
    const keyword = options.optionalText("keyword");
    if (type === undefined || keyword === undefined) {
      const example = "--type DpoRecord --pointer /provenance/n_gram_hash --keyword pattern";
      throw new UserError(`give --missing, or one place:  ${example}`, EXIT.usage);
    }
    const direction = options.flag("valid") ? "tightened" : "loosened";
    const fixture = proposeFixture({ type, pointer, keyword, direction }, coverage);
    addCases(root, [fixture]);
    stdout.write(`${fixture.file}: ${fixture.value.name} added: complete its description\n`);
    return EXIT.ok;
  },
);

await runAsProgram(import.meta.url, run);
