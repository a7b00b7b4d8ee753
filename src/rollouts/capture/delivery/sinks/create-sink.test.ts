import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../../base/package.js";
import { UserError } from "../../../../base/user-error.js";
import { createSink } from "./create-sink.js";

test("creates the sink that the options describe", () => {
  const sinks = [
    createSink({ type: "file", dir: "out" }),
    createSink({ type: "http", url: "https://example.org/in" }),
    createSink({ type: "console" }),
  ];
  expect(sinks.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^file-[0-9a-f]{16}$/),
    expect.stringMatching(/^http-example\.org-[0-9a-f]{16}$/),
    "console-stdout",
  ]);
});

test("different destinations have different ids", () => {
  const ids = ["https://a.org/", "https://a.org/?x=1", "https://a.org/b", "https://b.org/"].map(
    (url) => createSink({ type: "http", url }).id,
  );
  expect(new Set(ids).size).toBe(4);
});

test("returns a sink as it is, whatever its class", () => {
  class Own {
    async write(): Promise<void> {}
    async close(): Promise<void> {}
  }
  const own = new Own();
  expect(createSink(own)).toBe(own);
});

test.each([undefined, null, "file", {}, { type: "kafka" }, { write() {} }])(
  "%o is not a sink",
  (given) => {
    const create: (given: unknown) => unknown = createSink as never;
    expect(() => create(given)).toThrow(UserError);
    expect(() => create(given)).toThrow('must be { type: "file" | "http" | "console"');
  },
);

test.each([
  [{ type: "file", maxbytes: 3 }, 'there is no option "maxbytes" (did you mean maxBytes?)'],
  [{ type: "http", url: "https://a.org", timeout: 3 }, '"timeout" (did you mean timeoutMs?)'],
  [{ type: "console", dir: "x" }, 'there is no option "dir"'],
  [{ type: "console", stream: "x" }, 'sink: stream must be "stdout" or "stderr"'],
])("%o is an error at once", (given, message) => {
  const create = (): unknown => Reflect.apply(createSink, undefined, [given]);
  expect(create).toThrow(UserError);
  expect(create).toThrow(message);
});

/** Every sink of this folder: its `type` is the name of its file. */
const created = readdirSync(import.meta.dirname).flatMap((file) => {
  const text = file.endsWith(".ts") ? readFileSync(join(import.meta.dirname, file), "utf8") : "";
  const [, name] = /^export function create(\w+)Sink\(/m.exec(text) ?? [];
  return name === undefined
    ? []
    : { type: file.replace(/\.ts$/, ""), options: `${name}SinkOptions` };
});

test("the sinks of this folder are found", () => {
  expect(created.length).toBeGreaterThanOrEqual(3);
});

describe.each(created)("the sink $type", ({ type, options }) => {
  test("is in the message of createSink", () => {
    const create = (): unknown => Reflect.apply(createSink, undefined, [{}]);
    expect(create).toThrow(JSON.stringify(type));
  });

  test("has its options in the table of docs/capture.md", () => {
    const page = readFileSync(join(packageRoot(), "docs/capture.md"), "utf8");
    const [table = ""] = /^\| `type` .*\n(?:\|.*\n)+/m.exec(page) ?? [];
    const listed = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, id]) => id);
    expect(listed).toContain(type);
  });

  test("has its options exported by rollout-wire/delivery", () => {
    const text = readFileSync(
      join(packageRoot(), "src/rollouts/capture/delivery/index.ts"),
      "utf8",
    );
    expect(text.match(/\b\w+SinkOptions\b/g)).toContain(options);
  });
});
