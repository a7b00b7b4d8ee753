import {
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { useFolder } from "../testing/use-folder.js";
import { listFiles } from "./folders.js";
import { createOwned, takeOver } from "./owned-folder.js";
import { createOwnerTag, readTagPid } from "./owners.js";
import { sweepFolder, writeJournal } from "./recovery.js";
import { toFormerPath, toJournalPath, toLockPath, toStagedPath } from "./run-files.js";
import { withStaging } from "./staging.js";
import { endedTag, foreignTag } from "./testing/owner-tags.js";

const inFolder = useFolder();

let tag = "";
beforeEach(() => {
  tag = endedTag();
  for (const folder of ["home", "other"]) mkdirSync(inFolder(folder), { recursive: true });
  for (const name of ["home/a", "other/b", "home/gone"]) writeFileSync(inFolder(name), "old");
});

function leaveStaged(name: string, owner: string = tag): void {
  const lock = toLockPath(inFolder(name));
  createOwned(lock, owner, relative(dirname(lock), inFolder("home")));
  writeFileSync(toStagedPath(inFolder(name), owner), "new");
}

const MOVES = () => [
  { path: inFolder("home/a"), omit: false },
  { path: inFolder("other/b"), omit: false },
  { path: inFolder("home/gone"), omit: true },
];

function leaveCommit(): void {
  for (const name of ["home/a", "other/b", "home/gone"]) leaveStaged(name);
  writeJournal(inFolder("home"), tag, MOVES());
}

function sweep(...folders: string[]): string[] {
  const lines: string[] = [];
  for (const folder of folders) sweepFolder(inFolder(folder), (line) => lines.push(line));
  return lines;
}

function contents(): Record<string, string> {
  const paths = ["home", "other"].flatMap((folder) =>
    listFiles(inFolder(folder)).map((name) => `${folder}/${name}`),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(inFolder(path), "utf8")]));
}

/** Lets a process take over the journal of the killed run. */
function settleBy(settler: string): void {
  expect(takeOver(toJournalPath(inFolder("home"), tag), tag, settler)).toBe(true);
}

const OLD = { "home/a": "old", "home/gone": "old", "other/b": "old" };
const NEW = { "home/a": "new", "other/b": "new" };

describe.each(["home", "other"])("from the folder %s", (folder) => {
  test("a commit that has a journal is completed everywhere", () => {
    leaveCommit();
    expect(sweep(folder)).toEqual([
      `completed what process ${readTagPid(tag)} was writing when it was killed: ${inFolder("home/a")} and 2 other files`,
    ]);
    expect(contents()).toEqual(NEW);
    expect(sweep(folder)).toEqual([]);
  });

  test("also if a process that completed it was killed too", () => {
    leaveCommit();
    settleBy(endedTag());
    expect(sweep(folder)).toHaveLength(1);
    expect(contents()).toEqual(NEW);
    expect(readdirSync(inFolder("home"))).toEqual(["a"]);
  });

  test("and no move is made again if that process had made all, and had begun to remove the journal", () => {
    leaveStaged("home/a");
    writeFileSync(inFolder("home/a"), "new");
    rmSync(toStagedPath(inFolder("home/a"), tag));
    mkdirSync(toJournalPath(inFolder("home"), tag));
    expect(sweep("home")).toEqual([]);
    expect(contents()).toEqual({ ...OLD, "home/a": "new" });
    expect(readdirSync(inFolder("home"))).toEqual(["a", "gone"]);
  });
});

test("staged files are removed if the run was killed before its journal was whole", () => {
  for (const name of ["home/a", "other/b", "home/gone"]) leaveStaged(name);
  createOwned(toJournalPath(inFolder("home"), tag), tag, '{"moves": [{"path": "a"');
  expect(sweep("home", "other")).toEqual([]);
  expect(contents()).toEqual(OLD);
});

test("a commit that cannot be completed now is completed later, by the same process too", async () => {
  leaveCommit();
  rmSync(inFolder("other/b"));
  mkdirSync(inFolder("other/b"));
  await withStaging({}, async (staging) => {
    await expect(staging.reserve([inFolder("home/a")])).rejects.toThrow(
      /\/b: cannot be written: a folder is already there$/,
    );
  });
  rmSync(inFolder("other/b"), { recursive: true });
  expect(sweep("home")).toHaveLength(1);
  expect(contents()).toEqual(NEW);
});

test("former files of a commit are removed, and those that a run could not put back stay", () => {
  leaveCommit();
  writeFileSync(toFormerPath(inFolder("home/a"), tag), "old");
  const kept = toFormerPath(inFolder("home/x"), endedTag());
  writeFileSync(kept, "former");
  sweep("home");
  expect(existsSync(toFormerPath(inFolder("home/a"), tag))).toBe(false);
  expect(readFileSync(kept, "utf8")).toBe("former");
});

test("a move is made only where the killed run still has the lock", () => {
  leaveCommit();
  // The first settler was killed as well, and another run has written the outputs since.
  sweep("home");
  leaveCommitAgain();
  sweep("home");
  expect(contents()).toMatchObject({ "home/gone": "newer", "other/b": "newer" });

  function leaveCommitAgain(): void {
    writeJournal(inFolder("home"), tag, MOVES());
    leaveStaged("home/a");
    writeFileSync(inFolder("home/gone"), "newer");
    writeFileSync(inFolder("other/b"), "newer");
  }
});

describe("stays:", () => {
  test.each([
    ["what a live process", () => createOwnerTag()],
    ["what a process on another machine", () => foreignTag()],
  ])("%s is writing", (_, createTag) => {
    tag = createTag();
    leaveCommit();
    const before = contents();
    expect(sweep("home", "other")).toEqual([]);
    expect(contents()).toEqual(before);
  });

  test("what a live process is settling", () => {
    leaveCommit();
    settleBy(createOwnerTag());
    const before = contents();
    expect(sweep("home", "other")).toEqual([]);
    expect(contents()).toEqual(before);
  });

  test("a file whose name is only similar", () => {
    const similar = [
      ".rollout-wire-01234567-89ab-cdef-0123-456789abcdef.tmp",
      `.rollout-wire-${tag}.tmp.jsonl`,
      `rollout-wire-${tag}.tmp`,
      ".rollout-wire-0123456789abcdef.lock",
    ];
    for (const name of similar) writeFileSync(inFolder("home", name), "mine");
    leaveStaged("home/a");
    sweep("home");
    expect(readdirSync(inFolder("home"))).toEqual(expect.arrayContaining(similar));
  });

  test("the target of a link in the place of a staged file", () => {
    writeFileSync(inFolder("victim"), "mine");
    createOwned(toLockPath(inFolder("home/a")), tag);
    symlinkSync(inFolder("victim"), toStagedPath(inFolder("home/a"), tag));
    sweep("home");
    expect(contents()).toEqual(OLD);
    expect(readFileSync(inFolder("victim"), "utf8")).toBe("mine");
  });
});

describe.runIf(process.getuid?.() === 0)("another user's", () => {
  test("files are not swept", () => {
    leaveCommit();
    for (const folder of ["home", "other"]) {
      for (const name of readdirSync(inFolder(folder), { encoding: "utf8", recursive: true }))
        lchownSync(inFolder(folder, name), 65534, 0);
    }
    const before = contents();
    expect(sweep("home", "other")).toEqual([]);
    expect(contents()).toEqual(before);
  });

  test("journal is not followed, even if its locks are in the way", async () => {
    leaveCommit();
    lchownSync(join(toJournalPath(inFolder("home"), tag), tag), 65534, 0);
    const before = contents();
    await withStaging({}, async (staging) => {
      await expect(staging.reserve([inFolder("home/a")])).rejects.toThrow(
        /: a run of another user was killed while it renamed its outputs: that user has to run it again$/,
      );
    });
    expect(contents()).toEqual(before);
  });
});

test("a folder that is missing has nothing to settle", () => {
  expect(sweep("none")).toEqual([]);
});
