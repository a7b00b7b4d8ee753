import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** All that the modules of a folder export, lists flattened; tests and the folder's index are left out. */
export async function exportsOf(folder: string): Promise<unknown[]> {
  const files = readdirSync(folder).filter((file) => /^(?!index\.)[^.]+\.ts$/.test(file));
  const modules = await Promise.all(
    files.map((file): Promise<object> => import(pathToFileURL(join(folder, file)).href)),
  );
  return modules.flatMap((each) => Object.values(each).flat());
}

/** Those of the exports of a folder that have all the `members` of a kind of unit. */
export async function unitsOf(folder: string, members: readonly string[]): Promise<Set<unknown>> {
  const exported = await exportsOf(folder);
  return new Set(
    exported.filter(
      (value) =>
        typeof value === "object" && value !== null && members.every((member) => member in value),
    ),
  );
}
