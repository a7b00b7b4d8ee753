import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { appendLines } from "../sinks/append-lines.js";
import { toDay } from "../sinks/daily-name.js";

const PREFIX = "rejected-";

/**
 * Appends records that their destination refused to the file of the day, such as
 * `rejected-2026-01-31.jsonl`; gives its path. Throws as node:fs does, and when all such files hold
 * `maxBytes`.
 */
export async function keepRejects(
  folder: string,
  lines: readonly string[],
  now: number,
  maxBytes: number,
): Promise<string> {
  await access(folder).catch(() => makeFolder(folder, 0o700));
  let bytes = 0;
  for (const name of await readdir(folder)) {
    if (name.startsWith(PREFIX)) bytes += (await stat(join(folder, name))).size;
  }
  if (bytes >= maxBytes) throw new Error(`${folder} holds spoolMaxBytes (${maxBytes}) of them`);
  const path = join(folder, `${PREFIX}${toDay(now)}.jsonl`);
  // Who moves the file away may have read it before.
  while (!(await appendLines(path, lines)));
  return path;
}
