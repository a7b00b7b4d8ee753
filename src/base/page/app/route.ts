import { useEffect, useMemo, useState } from "preact/hooks";

/** Where in the page the reader is: what the address has after `#`. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter((part) => part !== ""), query: new URLSearchParams(query) };
}

export function toAddress(path: readonly string[], query = new URLSearchParams()): string {
  const text = query.toString();
  return `#/${path.join("/")}${text === "" ? "" : `?${text}`}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    let isLink = false;
    const follow = ({ target }: Event): void => {
      isLink = target instanceof Element && target.closest("a[href^='#/']") !== null;
    };
    const update = (): void => {
      setHash(location.hash);
      // Steps back and forth keep their place.
      if (isLink) scrollTo(0, 0);
      isLink = false;
    };
    // It may have changed before anyone listened.
    update();
    addEventListener("click", follow);
    addEventListener("hashchange", update);
    return () => {
      removeEventListener("click", follow);
      removeEventListener("hashchange", update);
    };
  }, []);
  return useMemo(() => readRoute(hash), [hash]);
}

/**
 * Changes parts of the query of the current address; an empty value removes one. It is no step in the history: that would be
 * one for each letter that is typed.
 */
export function changeQuery(
  { path, query }: Route,
  changes: Readonly<Record<string, string>>,
): void {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") changed.delete(name);
    else changed.set(name, value);
  }
  history.replaceState(null, "", toAddress(path, changed));
  dispatchEvent(new HashChangeEvent("hashchange"));
}
