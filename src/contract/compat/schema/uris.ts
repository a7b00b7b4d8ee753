/**
 * Resolves a reference without fragment, to the normal form of RFC 3986, section 6.2.2; returns it unchanged if it is not a
 * URI. `path` "" is `base`, which may be a URN;
 * `base` "" is none.
 */
export function toUri(path: string, base: string): string {
  if (path === "") return base.replace(/#.*$/, "");
  const around = base === "" ? undefined : base;
  if (!URL.canParse(path, around)) return path;
  const uri = new URL(path, around).href.replace(/#.*$/, "");
  return uri.replace(/%[\da-f]{2}/gi, (octet) => {
    const decoded = decodeFragment(octet);
    return /^[\w.~-]$/.test(decoded) ? decoded : octet.toUpperCase();
  });
}

/** Decodes a fragment or a path; returns it unchanged if it is not percent-encoded correctly. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
