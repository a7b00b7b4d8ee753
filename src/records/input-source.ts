/** Where files and standard input are read from. */
export interface InputSource {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Folder from which relative paths are resolved. */
  readonly cwd: string;
}

/** Standard input and working folder of this process; neither is touched before it is needed. */
export const processSource: InputSource = {
  get stdin() {
    return process.stdin;
  },
  get cwd() {
    return process.cwd();
  },
};

/** Name of standard input among the files of a command line. */
export const STDIN = "-";

/** A file as findings and messages call it. */
export function displayName(file: string): string {
  return file === STDIN ? "<stdin>" : file;
}
