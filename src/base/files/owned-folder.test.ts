import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useFolder } from "../testing/use-folder.js";
import {
  createOwned,
  giveSign,
  readOwned,
  removeIfEmpty,
  removeOwned,
  takeOver,
} from "./owned-folder.js";
import { createOwnerTag } from "./owners.js";

const inFolder = useFolder();
const path = (): string => inFolder("owned");
const [one, other] = [createOwnerTag(), createOwnerTag()];

test("one process creates it, and others read whose it is and since when", () => {
  expect(createOwned(path(), one, "text")).toBe(true);
  giveSign(path(), one, 1000);
  expect(createOwned(path(), other)).toBe(false);
  expect(readOwned(path())).toEqual({ tag: one, text: "text", seenAt: 1000 });
  expect(readdirSync(inFolder("."))).toEqual(["owned"]);
});

test("an empty folder belongs to nobody, and can be removed", () => {
  mkdirSync(path());
  expect([readOwned(path()), createOwned(path(), one)]).toEqual([undefined, false]);
  expect([removeIfEmpty(path()), createOwned(path(), one)]).toEqual([true, true]);
});

test.each([
  ["a file", () => writeFileSync(path(), "")],
  ["a link to a folder", () => symlinkSync(".", path())],
  ["a pipe", () => execFileSync("mkfifo", [path()])],
])("%s in its place stays, and names nobody", (_, create) => {
  create();
  expect(createOwned(path(), one)).toBe(false);
  expect(readOwned(path())).toMatchObject({ tag: undefined, text: "" });
  removeOwned(path(), one);
  expect(readdirSync(inFolder("."))).toEqual(["owned"]);
});

test("one of two processes takes it over, with its text", () => {
  createOwned(path(), one, "text");
  giveSign(path(), one, 1000);
  const start = Date.now();
  expect([takeOver(path(), one, other), takeOver(path(), one, createOwnerTag())]).toEqual([
    true,
    false,
  ]);
  expect(readOwned(path())).toMatchObject({ tag: other, text: "text" });
  expect(readOwned(path())?.seenAt).toBeGreaterThan(start - 1);
});

test("a slow process removes nothing of a later owner", () => {
  createOwned(path(), one);
  removeOwned(path(), one);
  expect(readdirSync(inFolder("."))).toEqual([]);
  createOwned(path(), other);
  removeOwned(path(), one);
  expect([removeIfEmpty(path()), readOwned(path())?.tag]).toEqual([false, other]);
});

test("who may write in the folder around it may remove it too", () => {
  mkdirSync(inFolder("shared"));
  chmodSync(inFolder("shared"), 0o775);
  createOwned(inFolder("shared/owned"), one);
  expect(statSync(inFolder("shared/owned")).mode & 0o777).toBe(0o775);
});

test("a folder around it that is missing is an error of node:fs", () => {
  expect(() => createOwned(inFolder("none/owned"), one)).toThrow(/ENOENT/);
  expect(readOwned(inFolder("none/owned"))).toBeUndefined();
});
