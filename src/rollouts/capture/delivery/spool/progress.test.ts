import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { runCount } from "../../../../base/testing/run-count.js";
import { useFolder } from "../../../../base/testing/use-folder.js";
import { type Progress, readProgress, writeProgress } from "./progress.js";

const inFolder = useFolder();
const LOG = "0mwreih5n-2d33244dd677";
const NOTE: Progress = { segment: 3, batch: 12, record: 512, written: 700, isClosed: false };

function read() {
  return readProgress(inFolder(), LOG);
}

test("a note covers the one before, whatever their lengths", () => {
  expect(read()).toBe("absent");
  const largest = Number.MAX_SAFE_INTEGER;
  for (const note of [
    { segment: largest, batch: largest, record: largest, written: largest, isClosed: true },
    NOTE,
  ]) {
    writeProgress(inFolder(), LOG, note);
    expect(read()).toEqual(note);
  }
});

test("each altered character, and each cut at either end, is noticed", () => {
  writeProgress(inFolder(), LOG, NOTE);
  const text = readFileSync(inFolder("done"), "latin1");
  // Each in the full run, otherwise every seventh, which meets every part of the note.
  for (let index = 0; index < text.length - 1; index += runCount(1, 7)) {
    for (const character of ["9", "\0", "\n"]) {
      if (text[index] === character) continue;
      const altered = `${text.slice(0, index)}${character}${text.slice(index + 1)}`;
      writeFileSync(inFolder("done"), altered);
      expect(read()).toBe("damaged");
    }
    writeFileSync(inFolder("done"), text.slice(index + 1));
    expect(read()).toBe("damaged");
    writeFileSync(inFolder("done"), text);
    truncateSync(inFolder("done"), index);
    expect(read()).toBe("damaged");
  }
});

test("a note of another log is damaged; what follows a note does no harm", () => {
  writeProgress(inFolder(), "0mwreih5n-2d33244dd678", NOTE);
  expect(read()).toBe("damaged");
  writeProgress(inFolder(), LOG, NOTE);
  writeFileSync(inFolder("done"), "more", { flag: "a" });
  expect(read()).toEqual(NOTE);
});

test("a folder, link or pipe in the place of the note is neither read nor written", () => {
  mkdirSync(inFolder("done"));
  expect(read()).toBe("damaged");
  renameSync(inFolder("done"), inFolder("folder"));
  writeFileSync(inFolder("other"), "precious");
  symlinkSync(inFolder("other"), inFolder("done"));
  expect(read()).toBe("damaged");
  expect(() => writeProgress(inFolder(), LOG, NOTE)).toThrow();
  expect(readFileSync(inFolder("other"), "utf8")).toBe("precious");
});

test.runIf(process.platform !== "win32")(
  "a pipe in the place of the note is not waited for",
  () => {
    execFileSync("mkfifo", [inFolder("done")]);
    expect(read()).toBe("damaged");
    expect(() => writeProgress(inFolder(), LOG, NOTE)).toThrow();
  },
);
