import { gitWithInput, tryGit } from "../../src/files/git.js";

/**
 * The newest commit at `root` in which a file has this text, abbreviated; undefined when there is none, or no
 * git repository.
 */
export function findCommitWith(root: string, file: string, text: string): string | undefined {
  const changed = tryGit(root, "log", "--format=%h", "--", file)?.toString("utf8").trim();
  if (!changed) return undefined;
  // The file is what it is in a commit until the one that changes it next: that one's parent is the newest.
  const newest = ["HEAD", ...changed.split("\n").map((commit) => `${commit}^`)];
  const found = newest.find((commit) => {
    return tryGit(root, "show", `${commit}:./${file}`)?.toString("utf8") === text;
  });
  if (found === undefined) return undefined;
  return tryGit(root, "rev-parse", "--short", found)?.toString("utf8").trim();
}

/** The texts of all files below `folders` in a commit, by their paths from `root`. */
export function readGitFiles(
  root: string,
  commit: string,
  folders: readonly string[],
): ReadonlyMap<string, string> {
  const listed = tryGit(root, "ls-tree", "-r", "-z", "--name-only", commit, "--", ...folders);
  const files = (listed?.toString("utf8") ?? "").split("\0").filter((file) => file !== "");
  const input = files.map((file) => `${commit}:./${file}\n`).join("");
  const printed = gitWithInput(root, input, "cat-file", "--batch");
  const texts = new Map<string, string>();
  let at = 0;
  for (const file of files) {
    const end = printed.indexOf("\n", at);
    // `<object> blob <size>`, the bytes, and a line break.
    const size = Number(printed.toString("utf8", at, end).split(" ")[2]);
    texts.set(file, printed.toString("utf8", end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return texts;
}
