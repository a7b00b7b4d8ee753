import { describe, expect, test } from "vitest";
import { decodeRows, encodeRows } from "../../base/files/row-log.js";
import { positionCodec } from "./positions.js";

describe("positionCodec", () => {
  test("positions survive a round trip, up to the largest possible numbers", () => {
    const small = { hash: 0, input: 0, offset: 0, length: 2, line: 1, checksum: 0 };
    const large = {
      hash: 2 ** 53 - 1,
      input: 1,
      offset: 2 ** 53 - 1,
      length: 2 ** 31,
      line: 2 ** 40,
      checksum: 2 ** 32 - 1,
    };
    const rows = encodeRows([small, large], positionCodec);
    expect(rows.length).toBe(2 * positionCodec.width);
    expect([...decodeRows(rows, positionCodec)]).toEqual([small, large]);
    expect(encodeRows([], positionCodec).length).toBe(0);
  });
});
