import { useEffect, useState } from "preact/hooks";

/** Where in the page the reader is: what the address has after `#`. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function readRoute(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter((part) => part !== ""), query: new URLSearchParams(query) };
}

export function toAddress(path: readonly string[], query = new URLSearchParams()): string {
  const text = query.toString();
  return `#/${path.join("/")}${text === "" ? "" : `?${text}`}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = (): void => setRoute(readRoute());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}

/** Changes the query of the current address, without a step in the history for each letter that is typed. */
export function replaceQuery(path: readonly string[], query: URLSearchParams): void {
  history.replaceState(null, "", toAddress(path, query));
  dispatchEvent(new HashChangeEvent("hashchange"));
}
