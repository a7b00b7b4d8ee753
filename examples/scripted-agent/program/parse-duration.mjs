const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Converts a duration such as "1h 30m" to milliseconds. */
export function parseDuration(text) {
  const part = /(\d+)(m|s|h|ms)/.exec(text);
  if (part === null) throw new RangeError(`no duration: ${text}`);
  return Number(part[1]) * MILLISECONDS[part[2]];
}
