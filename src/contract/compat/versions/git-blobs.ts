import { gitWithInput } from "../../../base/files/git.js";
import { findLacking } from "../../../base/files/partial-clone.js";
import { MAX_SCHEMA_LENGTH } from "../schema/parse-schema.js";

/** Bytes of files that are requested from git at once. */
const BATCH_BYTES = 2 ** 25;

/** UTF-16 code units of texts that are kept, because several schemas may refer to one file. */
const MAX_KEPT = 2 ** 26;

/** A file in git. */
export interface Blob {
  /** In bytes; undefined if a partial clone lacks the file. */
  readonly size: number | undefined;
  /** Undefined for such a file, and for one that is too large to be a schema. */
  readonly text: string | undefined;
}

/** The files of a repository by their object ids. One process reads many. */
export class GitBlobs {
  readonly #cwd: string;
  readonly #kept = new Map<string, Blob>();
  #keptLength = 0;

  /** `cwd`: a folder in the repository. */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Reads files, each once, in no particular order. Throws UserError (exit 3) if git fails. */
  *read(objects: Iterable<string>): Generator<readonly [object: string, Blob]> {
    const all = [...new Set(objects)];
    for (const object of all) {
      const kept = this.#kept.get(object);
      if (kept !== undefined) yield [object, kept];
    }
    const others = all.filter((object) => !this.#kept.has(object));
    let batch: (readonly [object: string, size: number])[] = [];
    let bytes = 0;
    for (const [object, size] of this.#sizesOf(others)) {
      if (size === undefined || size > MAX_SCHEMA_LENGTH) {
        yield this.#keep(object, { size, text: undefined });
        continue;
      }
      if (bytes + size > BATCH_BYTES) {
        yield* this.#readBatch(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push([object, size]);
      bytes += size;
    }
    yield* this.#readBatch(batch);
  }

  /** Git prints `<object> blob <size>`, and older versions of git fail for all if a partial clone lacks one. */
  #sizesOf(objects: readonly string[]): [object: string, size: number | undefined][] {
    const lacking = findLacking([this.#cwd], objects);
    const present = objects.filter((object) => !lacking.has(object));
    if (present.length === 0) return objects.map((object) => [object, undefined]);
    const lines = this.#ask(present, "--batch-check").toString("utf8").split("\n");
    const sizes = new Map(
      present.map((object, index) => {
        const [, size] = / blob (\d+)$/.exec(lines[index] ?? "") ?? [];
        return [object, size === undefined ? undefined : Number(size)];
      }),
    );
    return objects.map((object) => [object, sizes.get(object)]);
  }

  /** Git prints a line for each object, then its bytes and a newline. */
  *#readBatch(
    batch: readonly (readonly [object: string, size: number])[],
  ): Generator<readonly [object: string, Blob]> {
    if (batch.length === 0) return;
    const output = this.#ask(
      batch.map(([object]) => object),
      "--batch",
    );
    let at = 0;
    for (const [object, size] of batch) {
      const start = output.indexOf("\n", at) + 1;
      at = start + size + 1;
      yield this.#keep(object, { size, text: output.toString("utf8", start, start + size) });
    }
  }

  #keep(object: string, blob: Blob): readonly [object: string, Blob] {
    const length = blob.text?.length ?? 0;
    if (this.#keptLength + length <= MAX_KEPT) {
      this.#keptLength += length;
      this.#kept.set(object, blob);
    }
    return [object, blob];
  }

  #ask(objects: readonly string[], option: string): Buffer {
    const input = objects.map((object) => `${object}\n`).join("");
    return gitWithInput(this.#cwd, input, "cat-file", option);
  }
}
