import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as zlib from "node:zlib";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { findCompression, HEAD_LENGTH, openInput } from "./open-input.js";
import type { InputSource } from "./source.js";

describe("openInput", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "rollout-wire-input-"));
    mkdirSync(join(cwd, "folder"));
    symlinkSync("loop", join(cwd, "loop"));
    writeFileSync(join(cwd, "plain"), "a\nb");
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  async function read(file: string, stdin: InputSource["stdin"] = Readable.from([])) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of openInput(file, { stdin, cwd })) chunks.push(Uint8Array.from(chunk));
    return Buffer.concat(chunks).toString("utf8");
  }

  /** A pipe whose writer has written `head` and never disconnects. */
  function openPipe(head: Uint8Array): Readable {
    const pipe = new Readable({ read() {} });
    pipe.push(head);
    return pipe;
  }

  test("plain files and standard input, as bytes or text, in any chunking", async () => {
    expect(await read("plain")).toBe("a\nb");
    expect(await read("-", Readable.from(["a", Buffer.from("\n"), "b"]))).toBe("a\nb");
    expect(await read("-")).toBe("");
  });

  test("text is whole wherever it is cut, also within a character", async () => {
    const text = "é 😀 b";
    expect(await read("-", Readable.from(text.split("")))).toBe(text);
    expect(await read("-", Readable.from(["a\ud83d", Buffer.from("b"), "\ud83d"]))).toBe(
      "a\ufffdb\ufffd",
    );
  });

  test("gzip is detected by its first bytes, even if they arrive one by one", async () => {
    const compressed = gzipSync("a\nb");
    const bytes = [...compressed].map((byte) => Buffer.from([byte]));
    expect(await read("-", Readable.from(bytes))).toBe("a\nb");
  });

  test("concatenated compressed files are all read", async () => {
    writeFileSync(join(cwd, "two"), Buffer.concat([gzipSync("a\n"), gzipSync("b\n")]));
    expect(await read("two")).toBe("a\nb\n");
  });

  test("onStored receives the bytes before decompression", async () => {
    const compressed = gzipSync("x".repeat(1000));
    let stored = 0;
    const onStored = (chunk: Uint8Array) => {
      stored += chunk.length;
    };
    const source = { stdin: Readable.from([compressed]), cwd };
    for await (const _chunk of openInput("-", source, { onStored }))
      expect(stored).toBeGreaterThan(0);
    expect(stored).toBe(compressed.length);
  });

  describe("unreadable inputs", () => {
    const compressed = gzipSync("some text that is long enough to be cut anywhere");
    test.each([
      ["none", /^none: no such file$/],
      ["plain/none", /^plain\/none: no such file$/],
      ["folder", /^folder: is a directory; name the files in it$/],
      ["loop", /^loop: its symbolic links lead in a circle$/],
      ["cut", /^cut: damaged gzip data: unexpected end of file$/],
      ["changed", /^changed: damaged gzip data: /],
      ["followed", /^followed: damaged gzip data: /],
      ["binary", /^binary: binary data or UTF-16 text: convert it to UTF-8$/],
    ])("%s", async (name, message) => {
      writeFileSync(join(cwd, "cut"), compressed.subarray(0, -12));
      writeFileSync(join(cwd, "changed"), Buffer.from(compressed).fill(0xff, 12, 20));
      writeFileSync(
        join(cwd, "followed"),
        Buffer.concat([compressed, Buffer.from("plain text\n")]),
      );
      writeFileSync(join(cwd, "binary"), "a\0b");
      const error: unknown = await read(name).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({
        exitCode: EXIT.unreadable,
        message: expect.stringMatching(message),
      });
    });

    test("an error of the stream is a system error; one without a system call is a bug", async () => {
      const failing = (error: Error) =>
        new Readable({
          read() {
            this.destroy(error);
          },
        });
      const broken = Object.assign(new Error("EIO: i/o error, read"), {
        code: "EIO",
        syscall: "read",
      });
      await expect(read("-", failing(broken))).rejects.toThrow(/^<stdin>: EIO: i\/o error, read$/);
      const bug = new TypeError("a bug");
      await expect(read("-", failing(bug))).rejects.toBe(bug);
    });
  });

  describe("a pipe that stays open is released", () => {
    test("when its data is binary", async () => {
      const pipe = openPipe(Buffer.from("a\0 and more"));
      await expect(read("-", pipe)).rejects.toThrow(UserError);
      expect(pipe.destroyed).toBe(true);
    });

    test("when its data is damaged", async () => {
      const pipe = openPipe(Buffer.from("\x1f\x8bno such method", "latin1"));
      await expect(read("-", pipe)).rejects.toThrow(UserError);
      expect(pipe.destroyed).toBe(true);
    });

    test("when the reader stops early", async () => {
      const pipe = openPipe(Buffer.from("a\nb\nc"));
      for await (const _chunk of openInput("-", { stdin: pipe, cwd })) break;
      expect(pipe.destroyed).toBe(true);
    });
  });

  describe("a stream that is no pipe of Node is released", () => {
    test.each([
      ["when its data is binary", "a\0 and more"],
      ["when the reader stops at its first chunk", "a\nb\nc"],
    ])("%s", async (_, content) => {
      let isReleased = false;
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(Buffer.from(content)),
        cancel: () => {
          isReleased = true;
        },
      });
      try {
        for await (const _chunk of openInput("-", { stdin: stream, cwd })) break;
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
      }
      expect(isReleased).toBe(true);
    });
  });

  const openFiles = (): number => readdirSync("/proc/self/fd").length;

  describe.skipIf(!existsSync("/proc/self/fd"))("no file descriptor stays open", () => {
    test.each([
      ["after its end", "plain", undefined],
      ["when nobody wants more", "plain", 1],
      ["when nobody wants more of a compressed one", "compressed", 1],
      ["when it is damaged", "damaged", undefined],
    ])("%s", async (_, name, wanted) => {
      const compressed = gzipSync(randomBytes(2 ** 20).toString("hex"));
      writeFileSync(join(cwd, "compressed"), compressed);
      writeFileSync(join(cwd, "damaged"), Buffer.from(compressed).fill(0xff, 5000, 6000));
      const before = openFiles();
      let taken = 0;
      try {
        for await (const _chunk of openInput(name, { stdin: Readable.from([]), cwd })) {
          taken += 1;
          if (taken === wanted) break;
        }
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
      }
      expect(openFiles()).toBe(before);
    });
  });
});

describe("Compression", () => {
  const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

  test("compressed files are detected by their first bytes", () => {
    const compressed = zlib.gzipSync("text");
    const gzip = findCompression(compressed.subarray(0, HEAD_LENGTH));
    expect(gzip?.magic).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(findCompression(Buffer.concat([zstd, compressed]))?.magic).toEqual(zstd);
    expect(zstd.length).toBe(HEAD_LENGTH);
  });

  test.each(["", "{", '{"a": 1}', "\x1f", "\x28\xb5\x2f"])("%j is not compressed", (head) => {
    expect(findCompression(Buffer.from(head, "latin1"))).toBeUndefined();
  });

  test("zstd if Node supports it, otherwise advice", () => {
    const create = () => findCompression(zstd)?.createDecompressor("-");
    if (Reflect.has(zlib, "createZstdDecompress")) {
      const decompressor = create();
      expect(decompressor).toBeDefined();
      decompressor?.destroy();
      return;
    }
    expect(create).toThrow(UserError);
    expect(create).toThrow(
      "<stdin>: zstd is not supported by this Node (22.15 or later has it): zstd -dc | rollout-wire ... -",
    );
  });
});
