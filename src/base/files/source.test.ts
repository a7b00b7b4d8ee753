import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { hasCode, toWriteError } from "./source.js";

describe("hasCode", () => {
  test("only a Node error with that code matches", () => {
    let thrown: unknown;
    try {
      readFileSync("/no/such/file");
    } catch (error) {
      thrown = error;
    }
    expect([hasCode(thrown, "ENOENT"), hasCode(thrown, "EEXIST")]).toEqual([true, false]);
  });

  test("a value without a code, or that is no error, does not match", () => {
    for (const thrown of [new Error("ENOENT"), { code: "ENOENT" }, "ENOENT", null, undefined]) {
      expect(hasCode(thrown, "ENOENT")).toBe(false);
    }
  });
});

describe("toWriteError", () => {
  test("a system error becomes a UserError", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    const error = toWriteError("/a", full);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({
      exitCode: EXIT.unreadable,
      message: "/a: cannot be written: no space is left on the disk",
    });
  });

  test.each([new TypeError("a bug"), new UserError("told already"), "no error", undefined])(
    "any other error is returned unchanged: %s",
    (error) => {
      expect(toWriteError("/a", error)).toBe(error);
    },
  );
});
