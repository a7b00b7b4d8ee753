import { delimiter } from "node:path";
import { packageRoot } from "../../../src/base/package.js";
/** A step of a page that shows, in code blocks, how to do something from the first file to the last command. */
export type PageStep =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly language: string;
      readonly text: string;
    }
  | { readonly kind: "commands"; readonly lines: readonly string[]; readonly printed: string }
  | { readonly kind: "edit"; readonly from: string; readonly to: string };

const BLOCK = /^(?:[^\n]*`([\w./-]+)`:\n\n)?```(\w*)\n([\s\S]*?)^```$/gm;

/** Languages whose first line may name the file, in a comment. */
const NAMED = /^(?:\/\/|#) ([\w./-]+)\n/;

/**
 * The steps of the section with a heading. A block is a file if the line before it, or a comment in its first line, names it;
 * `sh` is commands, and the block without a language that follows is what the last of them prints; `diff` is an edit.
 * Throws Error for any other block.
 */
export function readSteps(markdown: string, heading: string): PageStep[] {
  const [, section = ""] = markdown.split(`\n## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const steps: PageStep[] = [];
  for (const [, named, language = "", content = ""] of text.matchAll(BLOCK)) {
    const path = named ?? NAMED.exec(content)?.[1];
    const last = steps.at(-1);
    if (language === "sh") {
      steps.push({ kind: "commands", lines: content.trimEnd().split("\n"), printed: "" });
    } else if (language === "" && last?.kind === "commands") {
      steps[steps.length - 1] = { ...last, printed: content };
    } else if (language === "diff") {
      const [from = "", to = ""] = content.split("\n").map((line) => line.slice(1));
      steps.push({ kind: "edit", from, to });
    } else if (path !== undefined) {
      steps.push({ kind: "file", path, language, text: content });
    } else {
      throw new Error(`nobody knows what to do with the block: ${content.slice(0, 80)}`);
    }
  }
  return steps;
}

/** Whether a text is what a page shows of it: a line of three dots stands for any lines. */
export function isShownAs(text: string, shown: string): boolean {
  const [beginning = "", end] = shown.split("\n...\n");
  if (end === undefined) return text === shown;
  return text.startsWith(`${beginning}\n`) && text.endsWith(`\n${end}`);
}

/** PATH without the Python of this repository, whose packages few users have. */
export function userPath(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !folder.startsWith(packageRoot())).join(delimiter);
}
