import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type InputSource, STDIN } from "../../../base/files/source.js";
import { isJsonObject } from "../../../base/json/value.js";
import { escapeControls } from "../../../base/text.js";
import { recogniseTrainers } from "../../wire/preflight/recognise-row.js";
import { recogniseForm, takeSample } from "./recognise.js";

/**
 * Says of a file that holds no rollouts but what `import` reads, by its first records, what it is, and which command reads
 * it; undefined of any other. With `rows`, files that trainers
 * read are none. Nothing is read of standard input, because its bytes would be lost. `program` starts this program. Throws
 * UserError (exit 3) if the file cannot be read.
 */
export async function describeLog(
  file: string,
  source: InputSource,
  { program, rows = false }: { readonly program: string; readonly rows?: boolean },
): Promise<string | undefined> {
  if (file === STDIN || !statSync(resolve(source.cwd, file), { throwIfNoEntry: false })?.isFile()) {
    return undefined;
  }
  const sample = await takeSample(file, source);
  const [first] = sample;
  const form = recogniseForm(sample);
  const isForTrainers = rows && isJsonObject(first) && recogniseTrainers(first).length > 0;
  if (form === undefined || isForTrainers) return undefined;
  const name = escapeControls(file);
  const command = `${program} import ${name} --output captured.jsonl`;
  return `no rollouts, but ${form.purpose} (${form.id}): ${command}`;
}
