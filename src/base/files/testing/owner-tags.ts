import { spawnSync } from "node:child_process";
import { createOwnerTag } from "../owners.js";

const { pid } = spawnSync(process.execPath, ["--version"]);

/** The tag of a process that has ended. */
export function endedTag(): string {
  return createOwnerTag().replace(/^([0-9a-f]+)-\d+-/, `$1-${pid}-`);
}

/** The tag of a process on another machine. */
export function foreignTag(): string {
  return createOwnerTag().replace(/^[0-9a-f]{16}/, "0123456789abcdef");
}
