import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packJson, renderPage } from "./page.js";

const script = 'const a = "</script><b>";';
const styles = "p { color: red; }";
const html = [
  ...renderPage({
    title: "<i>&\u202e",
    ...{ script, styles },
    index: packJson({ text: "</script>\ud800" }),
    chunks: [packJson([1]), packJson([2])],
  }),
].join("");

test("the policy permits the program and the styles of the page, and nothing else", () => {
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const [, program = ""] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  const hash = (text: string): string => createHash("sha256").update(text).digest("base64");
  expect(program).toBe(String.raw`const a = "<\/script><b>";`);
  expect(policy?.split("; ")).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash(program)}'`,
    `style-src 'sha256-${hash(styles)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

test("the title is text", () => {
  expect(html).toContain("<title>&lt;i>&amp;\\u202e</title>");
});

test("what is packed cannot end its element, and is unpacked as it was", () => {
  const packed = [...html.matchAll(/<script type="application\/gzip" id="([\w-]+)">([^<]*)</g)];
  const unpacked = packed.map(([, id, text = ""]) => [
    id,
    JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString("utf8")),
  ]);
  expect(unpacked).toEqual([
    ["index", { text: "</script>\ud800" }],
    ["chunk-0", [1]],
    ["chunk-1", [2]],
  ]);
});
