import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toReject } from "./rejects.js";

describe("toReject", () => {
  const fault = { id: "json", severity: "error", pointer: "", message: "not JSON" } as const;

  test("position, reasons and text", () => {
    const stored = Buffer.from('\ufeff{"a": "é\u2028"\r');
    expect(toReject({ file: "a", line: 3 }, [fault], stored)).toBe(
      '{"file":"a","line":3,"findings":[{"id":"json","pointer":"","message":"not JSON"}],' +
        '"text":"\ufeff{\\"a\\": \\"é\u2028\\"\\r"}',
    );
  });

  test("every line decodes to its original bytes, and is one line of JSON", () => {
    const texts = fc.string({ unit: "binary" }).map((text) => Uint8Array.from(Buffer.from(text)));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), texts), (stored) => {
        const text = toReject({ file: "a", line: 1 }, [fault], stored) ?? "";
        expect(text).not.toContain("\n");
        const reject = JSON.parse(text);
        const bytes =
          "text" in reject ? Buffer.from(reject.text) : Buffer.from(reject.base64, "base64");
        expect(Uint8Array.from(bytes)).toEqual(stored);
      }),
    );
  });

  test("bytes that are part of a larger buffer", () => {
    const stored = Buffer.from("before NaN after").subarray(7, 10);
    expect(toReject({ file: "a", line: 1 }, [], stored)).toContain('"text":"NaN"');
  });
});
