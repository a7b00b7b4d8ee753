import { expect, test } from "vitest";
import { requireKnownOptions } from "./options.js";
import { EXIT, UserError } from "./user-error.js";

test("any number of known options is accepted", () => {
  for (const given of [{}, { dir: "x" }, { dir: undefined, gzip: true }]) {
    expect(() => requireKnownOptions("sink:", given, { dir: true, gzip: true })).not.toThrow();
  }
});

test.each([
  [{ spooldir: "x" }, '"spooldir" (did you mean spoolDir?)'],
  [{ QUEUESIZ: 1 }, '"QUEUESIZ" (did you mean queueSize?)'],
  [{ "a\nb": 1 }, '"a\\nb": use'],
])("%o is refused, with the nearest name", (given, message) => {
  const known = { spoolDir: true, queueSize: true } as const;
  const check = () => requireKnownOptions("sink:", given, known);
  expect(check).toThrow(`sink: there is no option ${message}`);
  expect(check).toThrow("use spoolDir, queueSize");
});

test("an out-of-range number is a usage error", () => {
  const check = () => requireKnownOptions("sink:", { x: 1 }, { dir: true });
  expect(check).toThrow(new UserError('sink: there is no option "x": use dir', EXIT.usage));
});
