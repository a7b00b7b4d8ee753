import { expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { toWriteError } from "./to-write-error.js";

test("what the system says is the user's to mend", () => {
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
  "anything else is given back: %s",
  (error) => {
    expect(toWriteError("/a", error)).toBe(error);
  },
);
