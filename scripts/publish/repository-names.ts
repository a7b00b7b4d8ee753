import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** A line of the documentation that names the repository: as an address, or as GitHub's `uses:` does. */
export interface RepositoryName {
  /** File and line, from the repository's root. */
  readonly place: string;
  /** The page that it names, such as `https://github.com/jane/rollout-wire`. */
  readonly page: string;
}

/** Finds the names of the repository in README.md, in docs/ and in the pages of the integrations below `root`. */
export function findRepositoryNames(root: string): RepositoryName[] {
  const files = ["docs", "integrations"].flatMap((folder) => listPages(root, folder));
  return ["README.md", ...files]
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          [...line.matchAll(/(?:\buses: |github\.com\/)([^\s/]+\/rollout-wire)\b/g)].map(
            ([, name]) => ({
              place: `${file}:${index + 1}`,
              page: `https://github.com/${name}`,
            }),
          ),
        ),
    );
}

function listPages(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((name) => name.endsWith(".md"))
    .sort();
}
