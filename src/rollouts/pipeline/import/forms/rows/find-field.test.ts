import { expect, test } from "vitest";
import { findField, findReward } from "./find-field.js";

const find = (row: object, ...messages: string[]) =>
  findField(JSON.parse(JSON.stringify(row)), { messages }, "messages");

test("the first place with a value other than null counts, then the first with null", () => {
  expect(find({ a: null, b: 1 }, "/a", "/b", "/c")).toEqual({
    place: "/b",
    pointer: "/b",
    value: 1,
  });
  expect(find({ b: null }, "/a", "/b")).toMatchObject({ place: "/b", value: null });
  expect(find({}, "/a", "/b/0")).toEqual({ place: "/a", pointer: "/a", value: undefined });
});

test("a place with * is every element, with the place of each", () => {
  const nodes = [{ message: 1 }, {}, { message: 3 }];
  expect(find({ t: { nodes } }, "/t/nodes/*/message")).toEqual({
    place: "/t/nodes/*/message",
    pointer: "/t/nodes",
    value: [1, undefined, 3],
    elements: ["/t/nodes/0/message", "/t/nodes/1/message", "/t/nodes/2/message"],
    branches: [],
  });
  expect(find({ a: { "x/y": 7 } }, "/a/*")).toMatchObject({ value: [7], elements: ["/a/x~1y"] });
  expect(find({ a: "text" }, "/a/*")).toMatchObject({ pointer: "/a", value: undefined });
});

test("nodes whose parents are not the nodes before them are branches", () => {
  const parents = [null, 0, 1, 1, null];
  const nodes = parents.map((parent) => ({ parent, message: 1 }));
  expect(find({ nodes }, "/nodes/*/message").branches).toEqual([
    "/nodes/3/parent",
    "/nodes/4/parent",
  ]);
});

test.each<[unknown, unknown]>([
  [{ a: { score: 0.5, weight: 2 }, b: { score: 1 }, c: null, d: 1, e: true }, 4],
  [[0.25, 0.5], 0.75],
  [[0.7, 0.2, 0.1], 1],
  [[0.1, 0.2], 0.3],
  [{}, undefined],
  [{ a: null }, undefined],
  [{ a: 1, b: "x" }, "x"],
  [{ a: { score: "1" } }, { score: "1" }],
  [7, undefined],
])("the reward of %j is %j", (rewards, value) => {
  const row = JSON.parse(JSON.stringify({ rewards }));
  expect(findReward(row, { reward: ["/rewards/*"] })).toMatchObject({
    place: "/rewards/*",
    pointer: "/rewards",
    value,
  });
});

test("a reward without * is the value", () => {
  expect(findReward({ reward: [1] }, { reward: ["/reward"] }).value).toEqual([1]);
});
