import { readdirSync, readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/base/json/value.js";
import { ChatTemplate } from "../../src/rollouts/wire/preflight/chat-template.js";
import { checkRow } from "../../src/rollouts/wire/preflight/check-row.js";
import { runConsumer } from "./run-consumer.js";

// The template engine and the tokenizer of `validate --target` are JavaScript. Trainers use these.

interface Rendered {
  readonly templates: Readonly<Record<string, string>>;
  readonly rendered: Readonly<Record<string, readonly { text?: string; error?: string }[]>>;
}

const OWN = new URL("templates/", import.meta.url);
const GOLDEN = new URL("../../fixtures/golden/", import.meta.url);

/** TRL's templates for pictures iterate over the characters of a text, which the engine cannot. */
const UNSUPPORTED = [
  "idefics3.jinja",
  "idefics3_training.jinja",
  "smolvlm.jinja",
  "smolvlm_training.jinja",
];

/** The golden demonstrations, as rows of `trl-sft`. */
function readRows(): JsonObject[] {
  return readdirSync(GOLDEN).flatMap((name) => {
    const text = readFileSync(new URL(`${name}/expected.trl-sft.sft.jsonl`, GOLDEN), "utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line): JsonObject => JSON.parse(line));
  });
}

test("templates render the same bytes as transformers does, or fail as well", () => {
  const rows = readRows();
  const own = Object.fromEntries(
    readdirSync(OWN).map((file) => [`own/${file}`, readFileSync(new URL(file, OWN), "utf8")]),
  );
  const { templates, rendered } = runConsumer<Rendered>("render_jinja", { templates: own, rows });
  const differing = new Map<string, number>();
  let same = 0;
  for (const [name, text] of Object.entries(templates)) {
    const template = new ChatTemplate({ text, tokens: { bos_token: "<s>", eos_token: "</s>" } });
    for (const [index, value] of rows.entries()) {
      // Jinja prints a null as "None", which has a finding of its own; JavaScript takes a byte-order mark for a space.
      if (/null|\ufeff/.test(JSON.stringify(value))) continue;
      const expected = rendered[name]?.[index];
      // Of a truth value as text, Jinja begins with a capital.
      if (render(template, value) === expected?.text?.replaceAll(/\bTrue\b/g, "true")) same += 1;
      else differing.set(name, (differing.get(name) ?? 0) + 1);
    }
  }
  process.stderr.write(
    `chat templates: ${same} texts of ${Object.keys(templates).length} templates\n`,
  );
  expect([...differing.keys()]).toEqual(UNSUPPORTED);
  expect(same).toBeGreaterThan(1500);
});

/** Undefined if the template refuses it. */
function render(template: ChatTemplate, value: JsonObject): string | undefined {
  const { row } = checkRow(value, "trl-sft");
  const [side] = row?.sides ?? [];
  try {
    return row && template.render(side?.messages ?? [], row);
  } catch {
    return undefined;
  }
}

test("a tokenizer counts as the one in Rust does", () => {
  const texts = [
    ...readRows().map((row) => JSON.stringify(row)),
    "<|im_start|>user\nhi<|im_end|>\n",
    "é e\u0301 \u200d 👩‍👩‍👧 日本語 ไทย \ufeff",
    "  \n\n\t 12345 it's I'LL",
  ];
  type Counted = { readonly tokenizer: unknown; readonly counts: readonly number[] };
  const kinds = runConsumer<Record<string, Counted>>("count_tokens", { texts });
  expect(Object.keys(kinds)).toHaveLength(4);
  for (const [kind, { tokenizer, counts }] of Object.entries(kinds)) {
    if (!isJsonObject(tokenizer)) throw new TypeError(`no tokenizer of the kind ${kind}`);
    const counter = new Tokenizer(tokenizer, {});
    const own = texts.map((text) => counter.encode(text, { add_special_tokens: false }).ids.length);
    expect([kind, own]).toEqual([kind, counts]);
  }
});
