import type { RowLog } from "../../../base/files/row-log.js";
import { displayName } from "../../../base/files/source.js";
import type { FindingPlace } from "../../../base/findings/finding.js";
import { FindingList } from "../../../base/findings/finding-list.js";
import type { LineReader } from "../reread.js";
import { addFaults, type CheckedRecord, type UnitChecker } from "./check-unit.js";
import type { FileForms } from "./file-forms.js";
import { type SharedText, toFormerPointer } from "./shared-task.js";
import type { ImportRow } from "./units.js";

/** What is needed to read the records of imported branches again. */
interface RowSources {
  /** The inputs, as the user named them. */
  readonly files: readonly string[];
  /** In the order of the branches. */
  readonly log: RowLog<ImportRow>;
  readonly lines: LineReader;
  readonly checker: UnitChecker;
  readonly forms: FileForms;
}

/** The records from which branches were imported. */
export class ImportedRows {
  readonly log: RowLog<ImportRow>;
  readonly #sources: RowSources;
  /** By rollout, the text that became the task of its branches after they were read. */
  readonly #shared = new Map<string, SharedText>();

  constructor(sources: RowSources) {
    this.log = sources.log;
    this.#sources = sources;
  }

  placeOf({ input, line }: ImportRow): Pick<FindingPlace, "file" | "line"> {
    return { file: displayName(this.#sources.files[input] ?? ""), line };
  }

  /** Notes that a text has become the task of all branches of a rollout, given by one of them. */
  share(row: ImportRow, text: SharedText): void {
    this.#shared.set(keyOf(row), text);
  }

  /** Undefined if the input cannot be read again. Throws UserError (exit 3) if it has changed. */
  reread(row: ImportRow): CheckedRecord | undefined {
    const { checker, lines, forms } = this.#sources;
    const found = checker.reread(row, lines, forms);
    const shared = this.#shared.get(keyOf(row));
    if (found?.imported === undefined || shared === undefined) return found;
    const { branch } = found.imported;
    const toTextPointer = (pointer: string): string =>
      found.toTextPointer(toFormerPointer(pointer, shared, branch));
    return { ...found, toTextPointer };
  }

  /** What is kept of a record that is left out: its line or document, or its own JSON. Throws as `reread` does. */
  storedOf(row: ImportRow): Uint8Array {
    const isLine = row.layout === "line" && row.part === 0;
    const record = isLine ? undefined : this.reread(row)?.source;
    return (record ?? this.#sources.lines.read(row)).stored;
  }

  /** The place from which a value of a branch was read. `branch`: index in the log. Throws as `reread` does. */
  locate(branch: number, pointer: string): FindingPlace {
    const row = this.log.at(branch);
    const found = this.reread(row);
    if (found === undefined) return { ...this.placeOf(row), column: 1, pointer: "" };
    const list = new FindingList({ maxErrors: 1 });
    const fault = { id: "", severity: "error", message: "" } as const;
    addFaults(list, found, [{ ...fault, pointer: found.toTextPointer(pointer) }]);
    const [located] = list.toReport("").findings;
    if (located === undefined) throw new TypeError("the fault was not listed");
    const { file, line, column, pointer: at } = located;
    return { file, line, column, pointer: at };
  }
}

function keyOf({ hash, otherHash }: ImportRow): string {
  return `${hash} ${otherHash}`;
}
