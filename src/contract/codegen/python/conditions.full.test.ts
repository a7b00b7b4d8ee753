import { fullFormats } from "ajv-formats/dist/formats.js";
import { expect, test } from "vitest";
import { ExtraRepository } from "../testing/extra-repository.js";
import { formatFailure } from "./conditions.js";

const FORMATS = Object.keys(fullFormats).filter(
  (format) => formatFailure(format, "", () => "") !== undefined,
);

/** A schema with one field per format. */
const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.com/schemas/formats/v1",
  anyOf: [{ $ref: "#/$defs/Extra" }],
  $defs: {
    Extra: {
      type: "object",
      properties: Object.fromEntries(FORMATS.map((format) => [format, { type: "string", format }])),
    },
  },
};

const TEXTS = [
  ...["", "a", "2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "0000-02-29", "0000-01-01"],
  ...[
    "2024-13-01",
    "2024-00-10",
    "2024-01-32",
    "2024-04-31",
    "2024-1-1",
    "２024-01-01",
    "2024-02-29\n",
  ],
  ...["12:00:00Z", "12:00:00z", "12:00:00", "24:00:00Z", "12:60:00Z", "12:00:60Z", "23:59:60Z"],
  ...[
    "23:59:60.5Z",
    "23:59:61Z",
    "00:59:60+01:00",
    "22:59:60-01:00",
    "15:59:60-08:00",
    "01:29:60+01:30",
  ],
  ...[
    "12:00:00+24:00",
    "12:00:00+01",
    "12:00:00+0130",
    "12:00:00+01:60",
    "12:00:00.Z",
    "12:00:59.99999999999999999999Z",
  ],
  ...[
    "2024-02-29T12:00:00Z",
    "2024-02-29t12:00:00z",
    "2024-02-29 12:00:00Z",
    "2024-02-29\u001c12:00:00Z",
  ],
  ...[
    "2024-02-29\u202812:00:00Z",
    "2024-02-29\ufeff12:00:00Z",
    "2024-02-29TT12:00:00Z",
    "2024-02-29T12:00:00Z\n",
  ],
  ...[
    "P1Y2M3DT4H5M6S",
    "P",
    "PT",
    "P1W",
    "a@b.co",
    "a@b",
    "A.B@C.DE",
    "a b@c.de",
    "a@b.co\n",
    "ſ@b.co",
    "localhost",
  ],
  ...[
    "a.b.c",
    "a..b",
    "-a.b",
    "a".repeat(64),
    "127.0.0.1",
    "256.0.0.1",
    "01.2.3.4",
    "::1",
    "::",
    "1::2::3",
    "FE80::1",
  ],
  ...[
    "3b241101-e2bb-4255-8caf-4136c566a962",
    "URN:UUID:3B241101-E2BB-4255-8CAF-4136C566A962",
    "3b241101",
  ],
  ...[
    "/a/b~0c~1d",
    "/a~2",
    "#/a",
    "#/%7Ea",
    "0#",
    "1/a",
    "01/a",
    "http://{a}/b{?c*}",
    "{",
    "a b",
    "//a:80/b?c#d",
  ],
  ...["http://example.com/ä", "😀", "\ud800", "%zz", "K"],
];

test("formats in Python have the same verdicts as ajv-formats", async () => {
  expect(FORMATS).toEqual(
    expect.arrayContaining(["date", "time", "date-time", "email", "uuid", "ipv4"]),
  );
  const repository = new ExtraRepository(SCHEMA);
  try {
    await repository.generate();
    const records = TEXTS.map((text) =>
      Object.fromEntries(FORMATS.map((format) => [format, text])),
    );
    const expected = await repository.validateInTypescript(records);
    const verdicts = repository.validateInPython(records);
    expect(TEXTS.map((text, index) => [text, verdicts[index]])).toEqual(
      TEXTS.map((text, index) => [text, expected[index]]),
    );
    expect(new Set(expected.flat()).size).toBe(FORMATS.length);
  } finally {
    repository.remove();
  }
});
