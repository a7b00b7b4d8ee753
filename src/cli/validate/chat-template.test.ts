import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { byteTokenizer } from "../../rollouts/wire/preflight/testing/byte-tokenizer.js";
import {
  answer,
  callMessage,
  noTools,
  pair,
  user,
} from "../../rollouts/wire/preflight/testing/rows.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const QWEN = join(packageRoot(), "conformance/interop/templates/qwen.jinja");
const PLAIN = "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}";

/** `line id pointer message` of each finding, and the exit code. */
async function validate(rows: readonly object[], ...argv: readonly string[]) {
  const file = folder.write("rows.jsonl", toJsonl(rows));
  const run = await folder.run(["validate", "--target", "trl", ...argv, file, "--format", "json"]);
  const { exitCode, stdout, stderr } = run;
  if (stdout === "") return { exitCode, stderr, found: [] };
  const report: { findings: { line: number; id: string; pointer: string; message: string }[] } =
    JSON.parse(stdout);
  const found = report.findings.map(
    ({ line, id, pointer, message }) => `${line} ${id} ${pointer} ${message}`,
  );
  return { exitCode, stderr, found };
}

describe("--chat-template", () => {
  test("a template that renders everything", async () => {
    const withoutTools = { ...noTools, chosen: [{ ...answer, content: " Three.\n" }] };
    expect((await validate([withoutTools], "--chat-template", QWEN)).found).toEqual([]);
  });

  test("a template that raises, with its message", async () => {
    const template = `{% if messages[0].role != "system" %}{{ raise_exception("system first") }}{% endif %}${PLAIN}`;
    const file = folder.write("strict.jinja", template);
    const { exitCode, found } = await validate([noTools], "--chat-template", file);
    expect(exitCode).toBe(EXIT.findings);
    expect(found).toEqual([
      '1 chat-template /chosen the chat template fails: "system first"',
      '1 chat-template /rejected the chat template fails: "system first"',
    ]);
  });

  test("a template that drops calls, definitions, results or a part of a text", async () => {
    const dropsCalls = folder.write("plain.jinja", PLAIN);
    const { found } = await validate([pair], "--chat-template", dropsCalls);
    expect(found).toEqual([
      "1 template-drops /prompt/2/tool_calls/0 the chat template drops this call: the model never sees it",
      "1 template-drops /tools/0 the chat template drops this tool definition: the model never sees it",
    ]);
    const cuts = folder.write("cut.jinja", PLAIN.replace("m.content", "m.content[:3]"));
    const cut = await validate([noTools], "--chat-template", cuts);
    expect(cut.found.map((each) => each.split(" ").slice(1, 3).join(" "))).toEqual([
      "template-drops /prompt/0",
      "template-drops /chosen/0",
      "template-drops /rejected/0",
    ]);
  });

  test("a template that joins text and arguments that are an object", async () => {
    const template = `{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function.name + c.function.arguments }}{% endfor %}{% endfor %}`;
    const file = folder.write("joins.jinja", template);
    const { found } = await validate(
      [{ ...noTools, chosen: [callMessage()] }],
      "--chat-template",
      file,
    );
    expect(found.find((each) => each.includes("chat-template"))).toContain("it expects text");
  });

  test("the template in a tokenizer_config.json, with its tokens, and the one for tools", async () => {
    const config = {
      eos_token: { content: "<end>" },
      chat_template: [
        { name: "default", template: `${PLAIN}{{ eos_token }}` },
        { name: "tool_use", template: '{{ raise_exception("for tools") }}' },
      ],
    };
    const file = folder.write("tokenizer_config.json", JSON.stringify(config));
    const { found } = await validate([noTools, pair], "--chat-template", file);
    expect(found).toHaveLength(2);
    expect(found.every((each) => each.startsWith("2 ") && each.includes("for tools"))).toBe(true);
  });

  test.each([
    ["no such file", "missing.jinja", undefined],
    ["no template", "broken.jinja", "{% for %}"],
    ["no chat_template", "config.json", "{}"],
  ])("%s: exit 3, before any row", async (_, name, content) => {
    if (content !== undefined) folder.write(name, content);
    const { exitCode, stderr } = await validate([noTools], "--chat-template", name);
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stderr).toContain(name);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("--max-tokens", () => {
  const tokenizer = folder.write("tokenizer.json", JSON.stringify(byteTokenizer()));
  const rows = [
    { prompt: "ab", chosen: "c", rejected: "d" },
    { prompt: "abcdef", chosen: "ghij", rejected: "k" },
    { prompt: "abcdefghi", chosen: "j", rejected: "k" },
  ];

  test("rows that are longer, and prompts that leave no room", async () => {
    const { found } = await validate(rows, "--max-tokens", "8", "--tokenizer", tokenizer);
    expect(found).toEqual([
      "2 too-long /chosen has at least 10 tokens (6 of them the prompt) of 8: its end is cut off",
      "3 too-long /prompt the prompt alone has at least 9 tokens of 8: nothing is learned; shorten it or leave the row out",
    ]);
    expect((await validate(rows, "--max-tokens", "10", "--tokenizer", tokenizer)).found).toEqual(
      [],
    );
  });

  test("with a template, the rendered text is counted", async () => {
    const template = folder.write("plain.jinja", PLAIN);
    const row = { prompt: [user], chosen: [answer], rejected: [{ ...answer, content: "3" }] };
    const size = `<user>${user.content}\n<assistant>${answer.content}\n`.length;
    const options = ["--chat-template", template, "--tokenizer", tokenizer, "--max-tokens"];
    expect((await validate([row], ...options, String(size))).found).toEqual([]);
    const { found } = await validate([row], ...options, String(size - 1));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`too-long /chosen has ${size} tokens`);
  });

  test("a file that is no tokenizer", async () => {
    const file = folder.write("no.json", "[]");
    const { exitCode, stderr } = await validate(rows, "--max-tokens", "8", "--tokenizer", file);
    expect([exitCode, stderr.includes("is no tokenizer.json")]).toEqual([EXIT.unreadable, true]);
  });
});
