import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { UserError } from "../../../../../base/user-error.js";
import { chooseMap, findPreset } from "./chosen-map.js";
import { isPlace, isRowField } from "./field-map.js";
import { presets } from "./presets/index.js";

test("fields of --map are JSON Pointers; a repeated one is tried later; a pointer may have commas", () => {
  const fields = "messages=/a,messages=/b/0,reward=/x,y,group=task, tools=/t=1";
  expect(chooseMap({ fields })).toMatchObject({
    map: { messages: ["/a", "/b/0"], reward: ["/x,y"], group: ["task"], tools: ["/t=1"] },
    preset: undefined,
    isFound: false,
  });
});

test("fields of --map replace those of the preset", () => {
  const { map } = chooseMap({ preset: findPreset("openhands"), fields: "reward=/score" });
  expect(map).toMatchObject({ reward: ["/score"], group: ["/instance_id"] });
});

test("an empty pointer names a bare list of messages", () => {
  expect(chooseMap({ fields: "messages=" }).map.messages).toEqual(["/messages"]);
  expect(() => chooseMap({ fields: "messages=/m,reward=" })).toThrow("write a JSON Pointer");
});

test("without a conversation in the map, it is found in each row, and given fields win", () => {
  const { mapOf, isFound } = chooseMap({ fields: "reward=/grade" });
  expect(isFound).toBe(true);
  const conversations = [{ from: "human", value: "Hi" }];
  expect(mapOf({ conversations, reward: 1, system_prompt: "Be brief." })).toMatchObject({
    messages: ["/conversations"],
    system: ["/system_prompt"],
    reward: ["/grade"],
  });
});

test.each<[rows: object[], groups: string]>([
  [[{ id: 1 }, { id: 2 }], "/group,task"],
  [[{ id: 1 }, { id: 1 }], "/group,/id,task"],
  [[{}, {}], "/group,task"],
])("the group of %j ends with %s", (sample, groups) => {
  expect(chooseMap({ sample }).map.group?.join(",")).toMatch(new RegExp(`${groups}$`));
});

test.each<[string, string]>([
  ["message=/m", '"message" is no field (did you mean messages?)'],
  ["messages", "write a JSON Pointer such as messages=/messages"],
  ["messages=messages", "write a JSON Pointer such as messages=/messages"],
  ["messages=/m,group=instance", "such as group=/group, or group=task"],
  ["messages=task", "write a JSON Pointer"],
])("--map %s is a usage error", (fields, message) => {
  expect(() => chooseMap({ fields })).toThrow(UserError);
  expect(() => chooseMap({ fields })).toThrow(message);
});

test("an unknown preset is a usage error", () => {
  expect(() => findPreset("tiech")).toThrow(
    '--preset "tiech": there is no such preset (did you mean teich?)',
  );
});

describe.each(presets)("preset $id", ({ id, purpose, map, signs }) => {
  test("is a file of data with a fixture, and maps known fields to places", () => {
    expect(purpose).not.toBe("");
    for (const [field, places] of Object.entries(map)) {
      expect(isRowField(field)).toBe(true);
      expect(places.every((place) => isRowField(field) && isPlace(field, place))).toBe(true);
    }
    expect(chooseMap({ preset: findPreset(id) }).map).toMatchObject(map);
    expect(signs.flat().every((place) => place.startsWith("/"))).toBe(true);
    const root = new URL("../../../../../../", import.meta.url);
    expect(
      existsSync(new URL(`src/rollouts/pipeline/import/forms/rows/presets/${id}.json`, root)),
    ).toBe(true);
    expect(existsSync(new URL(`fixtures/import/messages/${id}.jsonl`, root))).toBe(true);
  });
});

test("every file of presets is listed", () => {
  const names = readdirSync(new URL("presets", import.meta.url));
  const files = names.filter((name) => name.endsWith(".json"));
  expect(files.sort()).toEqual(presets.map(({ id }) => `${id}.json`).sort());
});
