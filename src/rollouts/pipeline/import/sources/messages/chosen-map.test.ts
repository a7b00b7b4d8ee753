import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { UserError } from "../../../../../base/user-error.js";
import { readFieldMap } from "./chosen-map.js";
import { isPlace, isRowField } from "./field-map.js";
import { presets } from "./presets/index.js";

test("fields of --map are JSON Pointers; a repeated one is tried later; a pointer may have commas", () => {
  const fields = "messages=/a,messages=/b/0,reward=/x,y,group=task, tools=/t=1";
  expect(readFieldMap(undefined, fields)).toEqual({
    map: { messages: ["/a", "/b/0"], reward: ["/x,y"], group: ["task"], tools: ["/t=1"] },
    preset: undefined,
  });
});

test("fields of --map replace those of the preset", () => {
  const { map, preset } = readFieldMap("openhands", "reward=/score");
  expect(preset?.id).toBe("openhands");
  expect(map).toMatchObject({ reward: ["/score"], group: ["/instance_id"] });
});

test.each<[string | undefined, string | undefined, string]>([
  [undefined, undefined, "say where things are in a row, by --preset (teich, prime-rl,"],
  ["tiech", undefined, '--preset "tiech": there is no such preset (did you mean teich?)'],
  [undefined, "message=/m", '"message" is no field (did you mean messages?)'],
  [undefined, "messages", "write a JSON Pointer such as messages=/messages"],
  [undefined, "messages=messages", "write a JSON Pointer such as messages=/messages"],
  [undefined, "messages=/m,group=instance", "such as group=/group, or group=task"],
  [undefined, "messages=task", "write a JSON Pointer"],
  [undefined, "reward=/r", "name the conversation: messages=/messages, or prompt=/prompt,"],
  [undefined, "prompt=/p", "name the conversation"],
  [undefined, "", "name the conversation"],
])("--preset %s --map %s is a usage error", (preset, fields, message) => {
  expect(() => readFieldMap(preset, fields)).toThrow(UserError);
  expect(() => readFieldMap(preset, fields)).toThrow(message);
});

describe.each(presets)("preset $id", ({ id, purpose, map }) => {
  test("is a file of data with a fixture, and maps known fields to places", () => {
    expect(purpose).not.toBe("");
    for (const [field, places] of Object.entries(map)) {
      expect(isRowField(field)).toBe(true);
      expect(places.every((place) => isRowField(field) && isPlace(field, place))).toBe(true);
    }
    expect(readFieldMap(id, undefined).map).toEqual(map);
    const root = new URL("../../../../../../", import.meta.url);
    expect(
      existsSync(new URL(`src/rollouts/pipeline/import/sources/messages/presets/${id}.json`, root)),
    ).toBe(true);
    expect(existsSync(new URL(`fixtures/import/messages/${id}.jsonl`, root))).toBe(true);
  });
});

test("every file of presets is listed", () => {
  const names = readdirSync(new URL("presets", import.meta.url));
  const files = names.filter((name) => name.endsWith(".json"));
  expect(files.sort()).toEqual(presets.map(({ id }) => `${id}.json`).sort());
});
