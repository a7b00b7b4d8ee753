/**
 * Milliseconds from `now` (Unix time in milliseconds) that a `Retry-After` header asks to wait, in seconds
 * or as a date (RFC 9110, section 10.2.3); 0 for a date that has passed. Undefined when there is no such
 * header, or none that can be read.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // In the oldest of the three, asctime's, no zone stands, and GMT is meant.
  const zoned = /\d{4}$/.test(text) && !/[+-]\d{4}$/.test(text) ? `${text} GMT` : text;
  // Only HTTP's own three forms begin with the name of a day; Date.parse reads much more.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(zoned) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
