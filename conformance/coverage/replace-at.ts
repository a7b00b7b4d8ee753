import { isJsonObject } from "../../src/json/value.js";

/** The value that the tokens of `path` lead to; undefined when there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, token) => {
    if (Array.isArray(value)) return value[Number(token)];
    return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  }, root);
}

/** A copy of `root` with `value` at `path`, of which all but the last token must lead somewhere. */
export function replaceAt(root: unknown, path: readonly string[], value: unknown): unknown {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  if (Array.isArray(root)) {
    return root.with(Number(token), replaceAt(root[Number(token)], rest, value));
  }
  if (!isJsonObject(root)) throw new TypeError(`there is no ${token} in what is no container`);
  return { ...root, [token]: replaceAt(root[token], rest, value) };
}
