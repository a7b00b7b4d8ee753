import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { packageRoot } from "../../../base/package.js";
import { parseMajor } from "../step.js";
import { Upgrader } from "../upgrader.js";

/**
 * Upgrades a record of this checkout as `migrate --from <from> --to <to>` does. Throws Error with its faults if it cannot
 * be upgraded, or is not valid afterwards.
 */
export async function upgradeRecord(
  from: string,
  to: string,
  record: JsonObject,
): Promise<JsonObject> {
  const [older, target] = [from, to].map(parseMajor);
  if (older === undefined || target === undefined) throw new Error("not two versions");
  const upgrader = await Upgrader.open({ root: packageRoot(), target, unnamed: older.major });
  const text = JSON.stringify(record);
  const line = { file: "record", line: 1, byteLength: text.length, text, value: record };
  const outcome = upgrader.upgrade(line);
  if (outcome.kind === "current") return record;
  if (outcome.kind === "faulty") {
    throw new Error(outcome.faults.map(({ message }) => message).join("; "));
  }
  const upgraded: unknown = JSON.parse(outcome.text);
  if (!isJsonObject(upgraded)) throw new Error("a record is an object");
  return upgraded;
}
