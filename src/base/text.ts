import { escapeControls, previewValue } from "./words.js";

export { escapeControls, previewValue } from "./words.js";

/**
 * Formats a whole number: 2000 as `2,000`, in every locale. `Intl` is not used because loading it slows down
 * every command.
 */
export function formatNumber(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** A count with its noun: `1 error`, `2,000 errors`. The same in every locale. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}

/** A ratio as a percentage with up to six digits: `5 %`, `0.25 %`. */
export function formatShare(ratio: number): string {
  return `${Number((100 * ratio).toPrecision(6))} %`;
}

const UNITS = ["bytes", "kB", "MB", "GB"] as const;

/** A size in decimal units: `512 bytes`, `6.1 MB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
}

interface ColumnOptions {
  /** Minimum widths of the columns, in characters. */
  readonly minWidths?: readonly number[];
  /** Whether the cells of a column, from 0, are right-aligned. */
  readonly isNumber?: (column: number) => boolean;
}

/** Formats the rows of a table as lines, with columns two spaces apart and no spaces at the end. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  { minWidths = [], isNumber = () => false }: ColumnOptions = {},
): string[] {
  const widths: number[] = [...minWidths];
  for (const row of rows) {
    for (const [column, { length }] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, length);
    }
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join("  ").trimEnd();
  });
}

const USER_INFO = /([a-z][a-z0-9+.-]{0,20}):\/\/([^\s/?#"'<>]{1,1024})@/gi;

/** A text without the passwords and tokens of its URLs: they become `***`. */
export function hideCredentials(text: string): string {
  return text.replaceAll(USER_INFO, (url: string, scheme: string, user: string) => {
    if (/^https?$/i.test(scheme)) return `${scheme}://***@`;
    const [name = "", password] = user.split(/:(.*)/s);
    return password === undefined ? url : `${scheme}://${name}:***@`;
  });
}

/**
 * The name with the smallest edit distance to `name`; the first one on a tie. Undefined if more than half of the longer
 * of the two would have to be edited: then it is another word, not a mistyped one.
 */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const other of names) {
    const distance = editDistance(name, other);
    if (2 * distance > Math.max(name.length, other.length)) continue;
    if (nearest === undefined || distance < nearest.distance) nearest = { name: other, distance };
  }
  return nearest?.name;
}

/** What to write in place of an unknown name, to append to what is wrong: the name that was meant, or all names. */
export function suggestName(name: string, names: readonly string[]): string {
  const nearest = findNearest(name, names);
  return nearest === undefined ? `: use ${names.join(", ")}` : ` (did you mean ${nearest}?)`;
}

/** Levenshtein distance, computed row by row. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Odd 32-bit constants with well-mixed bits (Knuth's golden ratio and similar). */
const PRIMES = [0x9e3779b1, 0x85ebca77] as const;

/**
 * A 53-bit hash, as a non-negative integer. Equal texts have equal hashes. Different texts can collide, so
 * compare the texts too where equality matters.
 */
export function hashText(text: string): number {
  let low = 0x2545f491;
  let high = 0x6c078965;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, PRIMES[0]);
    high = Math.imul(high ^ unit, PRIMES[1]);
  }
  low = mix(low ^ (high >>> 15));
  high = mix(high ^ (low >>> 13));
  return 2 ** 32 * (high & 0x1fffff) + (low >>> 0);
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), PRIMES[1]);
  return once ^ (once >>> 13);
}

/** Previews any value for a message, including values that JSON cannot represent. */
export function previewGiven(value: unknown): string {
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  try {
    return previewValue(value);
  } catch {
    // Happens for a revoked proxy.
    return "an object";
  }
}

/** The day of a Unix time in milliseconds, in UTC, as YYYY-MM-DD. */
export function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** The current day. */
export function today(): string {
  return toDay(Date.now());
}

/** Quotes a word for a POSIX shell if necessary. */
export function quoteForShell(word: string): string {
  if (/^[\w./@:+-]+$/.test(word)) return word;
  return `'${escapeControls(word).replaceAll("'", "'\\''")}'`;
}
