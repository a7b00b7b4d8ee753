/** What Basic carries is `user:password` in base64; "basic authentication" is not. */
export function isUserAndPassword(base64: string): boolean {
  const decoded = Buffer.from(base64, "base64").toString("latin1");
  return /^[\x20-\x39\x3b-\x7e\x80-\xff]{0,1024}:[\x20-\x7e\x80-\xff]/.test(decoded);
}
