import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { displayName, type InputSource, STDIN } from "../../../base/files/source.js";
import type { FileBlock } from "../../../base/jsonl/file-blocks.js";
import { wholeSource } from "./documents.js";
import type { Form } from "./forms/form.js";
import { rows } from "./forms/rows.js";
import type { ImportFault, ImportReader, RecordPlace } from "./reader.js";
import { describeUnknown, recogniseForm, sampleDocument, sampleLines } from "./recognise.js";

/** The form of a file, and what reads it. */
export interface ChosenForm {
  readonly form: Form;
  readonly reader: ImportReader;
  readonly place: RecordPlace;
  /** Whether the lines of the file are one text. */
  readonly joinsLines: boolean;
}

/** How the forms of files are found. */
export interface FormChoice {
  /** The form that the user named. Undefined: each file's is recognised. */
  readonly named: Form | undefined;
  /** `file`: the first one of this form. Throws UserError (exit 2) for settings that do not fit. */
  createReader(form: Form, sample: readonly unknown[], file: string): ImportReader;
}

/** Most bytes of a file beside a log: results and rewards are small. */
const MAX_BESIDE = 2 ** 24;

/** The forms of the files of an import. All files of a form have one reader, so that their branches are counted together. */
export class FileForms {
  /** By form, the number of files that were recognised. */
  readonly recognised = new Map<Form, number>();
  /** Number of files that were refused. */
  refused = 0;
  readonly #choice: FormChoice;
  readonly #cwd: string;
  readonly #onRefused: (file: string, fault: ImportFault) => void;
  readonly #files = new Map<number, ChosenForm | undefined>();
  readonly #readers = new Map<Form, ImportReader>();

  constructor(
    choice: FormChoice,
    { cwd }: Pick<InputSource, "cwd">,
    onRefused: (file: string, fault: ImportFault) => void,
  ) {
    this.#choice = choice;
    this.#cwd = cwd;
    this.#onRefused = onRefused;
  }

  /** What the records of the files are called. */
  get unit(): string {
    const units = new Set([...this.#readers.keys()].map(({ unit }) => unit));
    const [unit = "record"] = units;
    return units.size === 1 ? unit : "record";
  }

  get readers(): readonly ImportReader[] {
    return [...this.#readers.values()];
  }

  /** The form of a file that was chosen before; undefined if it was refused. */
  at(input: number): ChosenForm | undefined {
    return this.#files.get(input);
  }

  isRefused(input: number): boolean {
    return this.#files.has(input) && this.#files.get(input) === undefined;
  }

  /** The form of a file of lines, by its first block; undefined if it is refused. */
  chooseByLines({ input, file, block }: FileBlock): ChosenForm | undefined {
    return this.#choose(input, file, () => sampleLines(block));
  }

  /** The form of a file that is one JSON text; undefined if it is refused. */
  chooseByDocument({ input, file, block }: FileBlock): ChosenForm | undefined {
    return this.#choose(input, file, () => sampleDocument(wholeSource(block.bytes).bytes));
  }

  #choose(
    input: number,
    file: string,
    takeSample: () => readonly unknown[],
  ): ChosenForm | undefined {
    if (this.#files.has(input)) return this.#files.get(input);
    const chosen = this.#find(file, takeSample);
    this.#files.set(input, chosen);
    return chosen;
  }

  #find(file: string, takeSample: () => readonly unknown[]): ChosenForm | undefined {
    const { named } = this.#choice;
    const isKnown =
      named !== undefined && this.#readers.has(named) && typeof named.joinsLines !== "function";
    const sample = isKnown ? [] : takeSample();
    // A file without any JSON has no form. Read as rows, its lines are reported.
    const form = named ?? (sample.length === 0 ? rows : recogniseForm(sample));
    if (form === undefined) {
      this.#refuse(file, { id: "unknown-form", pointer: "", message: describeUnknown(sample) });
      return undefined;
    }
    const reader = this.#readers.get(form) ?? this.#choice.createReader(form, sample, file);
    this.#readers.set(form, reader);
    const fault = reader.refuseFile(file);
    if (fault !== undefined) {
      this.#refuse(file, fault);
      return undefined;
    }
    if (named === undefined && sample.length > 0)
      this.recognised.set(form, (this.recognised.get(form) ?? 0) + 1);
    const readBeside = (path: string): string | undefined => readSmall(this.#cwd, file, path);
    const { joinsLines = false } = form;
    const isJoined = typeof joinsLines === "function" ? joinsLines(sample) : joinsLines;
    return { form, reader, place: { file, readBeside }, joinsLines: isJoined };
  }

  #refuse(file: string, fault: ImportFault): void {
    this.refused += 1;
    this.#onRefused(file, fault);
  }
}

function readSmall(cwd: string, file: string, path: string): string | undefined {
  if (file === displayName(STDIN)) return undefined;
  const found = resolve(cwd, dirname(file), path);
  try {
    return statSync(found).size > MAX_BESIDE ? undefined : readFileSync(found, "utf8");
  } catch {
    return undefined;
  }
}
