import { escapeControls } from "../../text.js";

/** Longest part of a response that an error shows, in characters. */
const MAX_SHOWN = 200;

/** Shows a text without what no message may hold: header values, their parts, and what the URL asks. */
export function createConcealer(headers: Headers, url: URL): (text: string) => string {
  const secrets = findSecrets(headers, url);
  return (text) => {
    let shown = text;
    for (const secret of secrets) shown = shown.replaceAll(secret, "[...]");
    const short = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
    return escapeControls(short);
  };
}

/** Hooks have their secret in the path: what is long and no word is not shown. */
export function concealToken(part: string): string {
  return /^(?=.*\d)(?=.*[a-z]).{16,}$|^.{40,}$/i.test(part) ? "[...]" : part;
}

/** The longest first. */
function findSecrets(headers: Headers, url: URL): string[] {
  const values = [...headers]
    .filter(([name]) => name !== "content-type")
    .flatMap(([, value]) => [value, ...value.split(/[\s,;=:]+/)]);
  const basic = values.map((value) => Buffer.from(value, "base64").toString("utf8"));
  const query = [url.search, ...url.searchParams.values()];
  const path = url.pathname.split("/").filter((part) => concealToken(part) !== part);
  const pairs = basic.flatMap((text) => [text, ...text.split(":")]);
  const secrets = [...values, ...pairs, ...query, ...path];
  return [...new Set(secrets)]
    .filter((secret) => secret.length >= 4)
    .sort((a, b) => b.length - a.length);
}
