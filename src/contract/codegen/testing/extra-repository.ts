import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { copySchemas } from "../../../base/testing/copy-repository.js";
import { generateFiles } from "../generate-files.js";
import type { GeneratedFile } from "../target.js";
import { planOf } from "./plan-of.js";

/** Faults of one record, each as `pointer keyword`, sorted. */
export type Faults = readonly string[];

/** A few of the repository's schemas and an additional one, in a separate folder. */
export class ExtraRepository {
  readonly #copy = copySchemas(["rollout-trace", "rollout-wire"]);
  readonly root = this.#copy.root;

  /** `schema`: a document, or the text of a possibly invalid file. */
  constructor(schema: unknown) {
    writeFileSync(join(this.root, "package.json"), '{"type": "module"}');
    const text = typeof schema === "string" ? schema : JSON.stringify(schema);
    writeFileSync(join(this.root, "schema/extra.schema.json"), text);
  }

  remove(): void {
    this.#copy.remove();
  }

  /** Prints and writes all code. */
  async generate(): Promise<readonly GeneratedFile[]> {
    const { files } = await generateFiles(planOf(this.root));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
    return files;
  }

  /** The verdicts of the generated validators on records of type `Extra`. */
  async validateInTypescript(records: readonly unknown[]): Promise<Faults[]> {
    const url = pathToFileURL(join(this.root, "generated/typescript/index.js")).href;
    const { findErrors } = await import(url);
    return records.map((record) =>
      findErrors("Extra", record)
        .map((error: { pointer: string; keyword: string }) => `${error.pointer} ${error.keyword}`)
        .sort(),
    );
  }

  /** The verdicts of both generated Python packages on them, which must agree; valid ones must round-trip. */
  validateInPython(records: readonly unknown[]): Faults[] {
    const program = `
import json, sys
import rollout_wire, rollout_wire_pydantic
def judge(record_type, record):
    try:
        assert record_type.from_dict(record).to_dict() == record
        return []
    except rollout_wire.WireError as error:
        return sorted(f"{fault.pointer} {fault.keyword}" for fault in error.faults)
out = []
for record in json.load(sys.stdin):
    faults = judge(rollout_wire.Extra, record)
    assert judge(rollout_wire_pydantic.Extra, record) == faults, record
    out.append(faults)
rollout_wire_pydantic.Extra.model_json_schema()
print(json.dumps(out))`;
    const output = execFileSync("python3", ["-c", program], {
      input: JSON.stringify(records),
      env: { ...process.env, PYTHONPATH: join(this.root, "generated/python") },
      encoding: "utf8",
    });
    return JSON.parse(output);
  }
}
