import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";
import { showControls } from "./text-view.js";

interface PageInput {
  readonly file: string;
  /** Relative URL from the page to the file; undefined if it has none. */
  readonly address?: string | undefined;
}

/** The files that the page was made of. */
export const Inputs = createContext<readonly PageInput[]>([]);

interface PlaceProps {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** A line of a file, as a link to the file if it is known where that is. */
export function Place({ file, line, column }: PlaceProps): JSX.Element {
  const { address } = useContext(Inputs).find((input) => input.file === file) ?? {};
  const name = [showControls(file), line, ...(column === undefined ? [] : [column])].join(":");
  const shown = <code>{name}</code>;
  return address === undefined ? shown : <a href={`${address}#L${line}`}>{shown}</a>;
}
