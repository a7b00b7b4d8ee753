import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { StagedFile } from "../../files/staging.js";
import { OutputFile } from "./output-file.js";

/** A file in memory. */
class MemoryFile implements StagedFile {
  readonly path = "/memory";
  text = "";

  async write(content: string | Uint8Array): Promise<void> {
    this.text += typeof content === "string" ? content : Buffer.from(content).toString();
  }

  async clear(): Promise<void> {
    this.text = "";
  }

  omit(): void {
    throw new Error("an output is never omitted");
  }
}

const sha256 = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

test("what was written, counted and hashed; cleared, it begins anew", async () => {
  const file = new MemoryFile();
  const output = new OutputFile(file, true);
  await output.write(Buffer.from("one\ntwo\n"), 2);
  await output.write(new Uint8Array(), 0);
  expect([file.text, output.records, output.bytes]).toEqual(["one\ntwo\n", 2, 8]);
  expect([output.hash(), output.hash()]).toEqual([sha256("one\ntwo\n"), sha256("one\ntwo\n")]);
  await output.clear();
  expect([file.text, output.records, output.bytes, output.hash()]).toEqual(["", 0, 0, sha256("")]);
  await output.write(Buffer.from("x\n"), 1);
  expect([file.text, output.records, output.bytes, output.hash()]).toEqual([
    "x\n",
    1,
    2,
    sha256("x\n"),
  ]);
});
