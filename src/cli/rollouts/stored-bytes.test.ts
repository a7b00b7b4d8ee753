import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { StoredBytes } from "./stored-bytes.js";

test("bytes of each input by their names, those of which nothing came too", () => {
  const stored = new StoredBytes(["a", "-", "b"], false);
  stored.add(0, Buffer.from("one"));
  stored.add(1, Buffer.from("two"));
  stored.add(0, Buffer.from("three"));
  expect(stored.inputs()).toEqual([
    { file: "a", bytes: 8, hash: undefined },
    { file: "<stdin>", bytes: 3, hash: undefined },
    { file: "b", bytes: 0, hash: undefined },
  ]);
});

test("hashes, if asked, as often as one likes", () => {
  const stored = new StoredBytes(["a"], true);
  stored.add(0, Buffer.from("one"));
  stored.add(0, Buffer.from("two"));
  const hash = `sha256:${createHash("sha256").update("onetwo").digest("hex")}`;
  expect(stored.inputs()).toEqual([{ file: "a", bytes: 6, hash }]);
  expect(stored.inputs()).toEqual([{ file: "a", bytes: 6, hash }]);
});
