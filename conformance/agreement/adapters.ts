import { fileURLToPath } from "node:url";

/** An implementation behind the process protocol. */
export interface Adapter {
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const typescriptAdapter: Adapter = {
  id: "typescript",
  command: process.execPath,
  args: ["--import", "tsx", here("adapters/typescript.ts")],
};

export const pythonAdapter: Adapter = {
  id: "python",
  command: "python3",
  args: [here("adapters/python.py")],
  env: { PYTHONPATH: here("../../generated/python"), PYTHONDONTWRITEBYTECODE: "1" },
};
