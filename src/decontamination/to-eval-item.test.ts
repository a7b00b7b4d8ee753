import { describe, expect, test } from "vitest";
import { UserError } from "../user-error.js";
import { EVAL_FIELDS, toEvalItem } from "./to-eval-item.js";

const ref = { file: "eval.jsonl", line: 3, id: "#3" };

describe("toEvalItem", () => {
  test("takes a string as the text", () => {
    expect(toEvalItem("What?", ref)).toEqual({ ...ref, text: "What?" });
    expect(() => toEvalItem("What?", ref, "body")).toThrow(
      "eval.jsonl:3: text without fields, so it has no field body",
    );
  });

  test.each(EVAL_FIELDS)("takes the text from %s", (field) => {
    expect(toEvalItem({ answer: "no", [field]: "What?" }, ref).text).toBe("What?");
  });

  test("tries the fields in their order and passes over those without text", () => {
    const value = { text: "5", input: "4", task: "3", question: " ", prompt: ["1"] };
    expect(toEvalItem(value, ref).text).toBe("3");
  });

  test("takes the text from the field that was named, and from no other", () => {
    const value = { prompt: "a", instruction: "b" };
    expect(toEvalItem(value, ref, "instruction").text).toBe("b");
    expect(() => toEvalItem({ prompt: "a" }, ref, "instruction")).toThrow(
      "eval.jsonl:3: an evaluation item without text in the field instruction",
    );
  });

  test("keeps an id that is a string or a number", () => {
    const idOf = (id: unknown) => toEvalItem({ id, text: "x" }, ref).id;
    expect([idOf("q-7"), idOf(0), idOf(""), idOf(null), idOf({})]).toEqual([
      "q-7",
      "0",
      "#3",
      "#3",
      "#3",
    ]);
  });

  test.each([[{}], [{ prompt: "" }], [{ prompt: 7, answer: "x" }], [{ prompt: null }]])(
    "refuses %j and names the fields that it tried",
    (value) => {
      expect(() => toEvalItem(value, ref)).toThrow(
        new UserError(
          "eval.jsonl:3: an evaluation item without text in the field prompt, question, task, input, text; name its field with --eval-field",
        ),
      );
    },
  );

  test.each([[7], [null], [true], [["a"]]])("refuses %j, which is no item", (value) => {
    expect(() => toEvalItem(value, ref)).toThrow(
      "eval.jsonl:3: an evaluation item must be a string or an object",
    );
  });

  test("refuses a blank string", () => {
    expect(() => toEvalItem(" \t", ref)).toThrow("eval.jsonl:3: an evaluation item without text");
  });

  test("is not misled by what every object inherits", () => {
    expect(() => toEvalItem({ prompt: "a" }, ref, "constructor")).toThrow(UserError);
  });
});
