import { expect, test } from "vitest";
import { readContent } from "./read-content.js";
import { RowFields } from "./row-fields.js";

test.each<[unknown, string, boolean]>([
  ["a\nb", "a\nb", false],
  [null, "", false],
  [undefined, "", false],
  [[{ type: "text", text: "a" }, { text: "b" }, "c"], "abc", false],
  [
    [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "a" },
    ],
    "a",
    false,
  ],
  [[{ type: "tool_call", tool_call: {} }], "", false],
  [[{ type: "tool_use" }, { type: "tool_result" }, { type: "redacted_thinking" }], "", false],
  [
    [
      { type: "image", image: "a.png" },
      { type: "text", text: "a" },
    ],
    "a",
    true,
  ],
  [[{ type: "text", text: 1 }], "", true],
])("%j says %j", (content, text, hasOther) => {
  const fields = new RowFields();
  expect(readContent(content, "/content", fields)).toEqual({ text, hasOther });
  expect(fields.faults).toEqual([]);
});

test("neither a text nor parts is a fault with its place", () => {
  const fields = new RowFields();
  readContent({ text: "a" }, "/content", fields);
  readContent(["a", 7], "/content", fields);
  expect(fields.faults).toEqual([
    {
      id: "type",
      pointer: "/content",
      message: "must be a string or an array of parts, is an object",
    },
    { id: "type", pointer: "/content/1", message: "must be a part, is 7" },
  ]);
});
