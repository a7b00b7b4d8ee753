import { expect, test } from "vitest";
import { listOf, toDatasetInfo } from "./features.js";

const TEXT = { _type: "Value", dtype: "string" } as const;
const JSON_FEATURE = { _type: "Json" } as const;

test("columns are written as in a dataset card", () => {
  const features = {
    text: TEXT,
    anything: JSON_FEATURE,
    texts: listOf(TEXT),
    messages: listOf(JSON_FEATURE),
    nested: listOf(listOf(TEXT)),
    inner: { score: { _type: "Value", dtype: "float64" }, list: listOf({ text: TEXT }) },
  } as const;
  // The output of Features.from_dict(...)._to_yaml_list() in datasets 5.2.0; `npm run test:interop` compares
  // the two.
  expect(toDatasetInfo(features)).toEqual([
    { name: "text", dtype: "string" },
    { name: "anything", dtype: "json" },
    { name: "texts", list: "string" },
    { name: "messages", list: "json" },
    { name: "nested", list: { list: "string" } },
    {
      name: "inner",
      struct: [
        { name: "score", dtype: "float64" },
        { name: "list", list: [{ name: "text", dtype: "string" }] },
      ],
    },
  ]);
});
