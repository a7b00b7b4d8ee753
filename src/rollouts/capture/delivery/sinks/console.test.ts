import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { createConsoleSink } from "./console.js";

test("prints one line for each record", async () => {
  const stream = new PassThrough();
  const sink = createConsoleSink({ type: "console" }, stream);
  await sink.write([{ a: 1 }, { b: "\n" }]);
  await sink.write([]);
  await sink.close();
  expect(stream.read().toString()).toBe('{"a":1}\n{"b":"\\n"}\n');
});

test("a stream that fails rejects the write, and does not end the process", async () => {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(new Error("EPIPE")),
  });
  const sink = createConsoleSink({ type: "console", stream: "stderr" }, stream);
  await expect(sink.write([{}])).rejects.toThrow("stderr cannot be written: EPIPE");
  await expect(sink.write([{}])).rejects.toThrow("stderr cannot be written");
});
