import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { escapeControls } from "../text.js";

/** The program of a kind of page. */
export interface PageProgram {
  /** Name of its files in the published package. */
  readonly name: string;
  /** Its module, as a path from the repository's root. */
  readonly module: string;
}

/** The bundled program of a page, and its styles. */
export interface PageAssets {
  readonly script: string;
  readonly styles: string;
}

export interface PageContent extends PageAssets {
  readonly title: string;
  /** What the page's program starts with: see `packJson`. */
  readonly index: string;
  /** What it reads when it is needed: see `packJson`. */
  readonly chunks: readonly string[];
}

/** A `Finding` with its position, as pages show it. */
export interface PageFinding {
  readonly id: string;
  readonly severity: "error" | "warning";
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly message: string;
}

/** How the part of a page begins that no other program writes. */
export const PAGE_MARK = '<script type="application/gzip" id="index">';

/** Packs a value as base64 of gzipped JSON, which HTML can hold whatever is in it. */
export function packJson(value: unknown): string {
  return gzipSync(JSON.stringify(value)).toString("base64");
}

/**
 * A page in one file that loads nothing and connects to nothing: its policy permits this one program and these styles. The
 * program starts before the chunks are read.
 */
export function* renderPage({
  title,
  script,
  styles,
  index,
  chunks,
}: PageContent): Generator<string> {
  // It would end the element. In a program, it can only be in a string or a regular expression.
  const program = script.replaceAll("</script", String.raw`<\/script`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(program)}`,
    `style-src ${hashSource(styles)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(escapeControls(title))}</title>
<style>${styles}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. It runs only the program in it, and connects to nothing.</noscript>
${PAGE_MARK}${index}</script>
<script>${program}</script>
`;
  for (const [number, chunk] of chunks.entries()) {
    yield `<script type="application/gzip" id="chunk-${number}">${chunk}</script>\n`;
  }
  yield "</body>\n</html>\n";
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
