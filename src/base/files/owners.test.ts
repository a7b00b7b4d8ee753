import { expect, test } from "vitest";
import { createOwnerTag, hasOwnerEnded, isGone, isOwnerTag, readTagPid } from "./owners.js";
import { endedTag, foreignTag } from "./testing/owner-tags.js";

/** The tag of this process with another part. */
function tagWith(part: "pid" | "start", value: string): string {
  const parts = createOwnerTag().split("-");
  parts[part === "pid" ? 1 : 2] = value;
  return parts.join("-");
}

test("a tag names its process, and no two are equal", () => {
  const tag = createOwnerTag();
  expect([isOwnerTag(tag), readTagPid(tag)]).toEqual([true, process.pid]);
  expect(createOwnerTag()).not.toBe(tag);
  expect([isOwnerTag(`${tag}x`), isOwnerTag("")]).toEqual([false, false]);
});

// Only Linux says when a process started.
test.runIf(process.platform === "linux")(
  "this process is alive; an earlier one with the same pid, such as 1 in containers, has ended",
  () => {
    expect(hasOwnerEnded(createOwnerTag())).toBe(false);
    expect(hasOwnerEnded(tagWith("start", "1"))).toBe(true);
    expect(isGone({ tag: createOwnerTag(), seenAt: 0 })).toBe(false);
  },
);

test("a child that exited has ended", () => {
  expect(hasOwnerEnded(endedTag())).toBe(true);
});

test("unknown for another machine or container, without a start time, and for a process group", () => {
  expect(hasOwnerEnded(foreignTag())).toBeUndefined();
  expect(hasOwnerEnded(tagWith("start", "x"))).toBeUndefined();
  expect(hasOwnerEnded(tagWith("pid", "0"))).toBeUndefined();
});

test("an owner that cannot be checked has ended after ten minutes of silence, and no other", () => {
  const seenAt = Date.now();
  const later = seenAt + 600_000;
  for (const tag of [foreignTag(), undefined]) {
    expect([isGone({ tag, seenAt }, later - 1), isGone({ tag, seenAt }, later)]).toEqual([
      false,
      true,
    ]);
  }
  expect(isGone({ tag: endedTag(), seenAt })).toBe(true);
});
