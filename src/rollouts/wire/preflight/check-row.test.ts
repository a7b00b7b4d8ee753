import { describe, expect, test } from "vitest";
import { checkRow } from "./check-row.js";
import { formats, isTrainerId } from "./formats/index.js";
import { answer, callMessage, labelled, TOOLS, user, validRows } from "./testing/rows.js";
import { findFaults } from "./testing/test-rows.js";

const ids = Object.keys(formats).filter(isTrainerId);

describe.each(ids)("%s", (id) => {
  test.each(validRows[id])("row %#, which is valid", (row) => {
    expect(checkRow(row, id).faults).toEqual([]);
  });

  test("a row of another trainer", () => {
    const found = checkRow({ question: "?", solution: "!" }, id).faults;
    expect(found).toMatchObject([{ id: "missing-column", pointer: "" }]);
    expect(found[0]?.message).toContain(
      Object.keys(formats[id].forms[0]?.required ?? {}).join(" + "),
    );
  });

  test("messages that are none, and a role that nobody knows", () => {
    for (const row of validRows[id]) {
      const column = Object.keys(row).find((name) => isMessages(row[name]));
      if (column === undefined) continue;
      const messages: readonly unknown[] = Array.isArray(row[column]) ? row[column] : [];
      const key = formats[id].style.keys[0]?.[0] ?? "";
      const strange = findFaults({ ...row, [column]: [...messages, { [key]: "narrator" }] }, id);
      expect(strange).toContain(`message-role error /${column}/${messages.length}/${key}`);
      const broken = findFaults({ ...row, [column]: [...messages, "hello"] }, id);
      expect(broken).toContain(`message-content error /${column}/${messages.length}`);
    }
  });
});

function isMessages(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    typeof value[0] === "object" &&
    !Array.isArray(value[0]) &&
    !("type" in value[0]) &&
    !("rank" in value[0])
  );
}

test("nothing is found where a null or an open call means something", () => {
  const optional = { label: { type: "string", default: null, enum: ["bug", null] } };
  const tools = [
    {
      type: "function",
      function: { name: "count_issues", parameters: { type: "object", properties: optional } },
    },
  ];
  const row = { messages: [user, callMessage({ label: null })], tools };
  expect(findFaults(row, "trl-sft")).toEqual([]);
  expect(findFaults({ messages: [user, { ...answer, name: null }] }, "axolotl")).toEqual([]);
});

test("a run with a reward may break off", () => {
  const row = {
    prompt: [user],
    completion: [callMessage(), { role: "assistant", content: "" }],
    reward: 0,
    tools: TOOLS,
  };
  expect(findFaults(row, "trl")).toEqual(["unanswered-call warning /completion/0/tool_calls/0"]);
});

test("another trainer that reads the row is named", () => {
  const [first] = checkRow(labelled, "trl").faults;
  expect(first?.message).toContain("looks like a row for trl-kto");
});
