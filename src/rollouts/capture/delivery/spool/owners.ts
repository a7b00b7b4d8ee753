import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../../base/files/folders.js";
import {
  createOwned,
  giveSign,
  readOwned,
  removeOwned,
} from "../../../../base/files/owned-folder.js";
import { createOwnerTag, isGone, SILENT_MS } from "../../../../base/files/owners.js";
import { NOBODY } from "./names.js";

/** The same if this process saw the silence, and no clock of another machine has a part in it. */
const SEEN_SILENT_MS = 30_000;

/** The processes that own logs in a spool: an owned folder for each. This one has its own after its first sign of life. */
export class LogOwners {
  /** This process. */
  readonly ownId = randomBytes(8).toString("hex");
  /** The folder of the owners. */
  readonly path: string;
  readonly #tag = createOwnerTag();
  readonly #now: () => number;
  /** When each owner was seen to give a sign of life, by this process's clock. */
  readonly #signs = new Map<string, { readonly sign: number; readonly seenAt: number }>();
  #isRegistered = false;

  constructor(path: string, now: () => number) {
    this.path = path;
    this.#now = now;
  }

  /** Gives a sign of life. Throws as node:fs does. */
  beat(): void {
    const path = this.#pathOf(this.ownId);
    if (!this.#isRegistered || readOwned(path)?.tag !== this.#tag) {
      makeFolder(this.path, 0o700);
      createOwned(path, this.#tag);
      this.#isRegistered = true;
    }
    giveSign(path, this.#tag, this.#now());
  }

  /** Removes this process. Returns false if it never gave a sign of life. */
  leave(): boolean {
    if (!this.#isRegistered) return false;
    this.#isRegistered = false;
    removeOwned(this.#pathOf(this.ownId), this.#tag);
    return true;
  }

  /** All owners except this process. Throws as node:fs does. */
  async findOthers(): Promise<string[]> {
    return (await readdir(this.path)).filter((owner) => owner !== this.ownId);
  }

  /** Whether the owner's logs may be taken over. Throws as node:fs does. */
  isGone(owner: string): boolean {
    const found = owner === NOBODY ? undefined : readOwned(this.#pathOf(owner));
    return found === undefined || isGone(found, this.#now(), this.#isSilent(owner, found.seenAt));
  }

  remove(owner: string): void {
    rmSync(this.#pathOf(owner), { force: true, recursive: true });
  }

  #isSilent(owner: string, sign: number): boolean {
    const now = this.#now();
    const last = this.#signs.get(owner);
    if (last?.sign !== sign) this.#signs.set(owner, { sign, seenAt: now });
    else if (now - last.seenAt >= SEEN_SILENT_MS) return true;
    return now - sign >= SILENT_MS;
  }

  #pathOf(owner: string): string {
    return join(this.path, owner);
  }
}
