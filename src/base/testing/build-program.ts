import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { packageRoot } from "../package.js";
import { makeOnce } from "./make-once.js";

/** The published program. */
export interface BuiltProgram {
  /** The file that Node runs. */
  readonly main: string;
}

/** Bundles the program once for all tests of a run. It then starts quickly. */
export function buildProgram(): BuiltProgram {
  const folder = makeOnce("program", (path) => {
    const argv = ["run", "--silent", "build", "--", "--program", join(path, "dist")];
    execFileSync("npm", argv, { cwd: packageRoot() });
    copyFileSync(join(packageRoot(), "package.json"), join(path, "package.json"));
    for (const name of ["generated", "schema", "src", "node_modules"]) {
      symlinkSync(join(packageRoot(), name), join(path, name));
    }
  });
  return { main: join(folder, "dist/bin/main.js") };
}

/**
 * Bundles a program of a test, given as text that imports modules by their paths from the repository's root.
 * Returns the file that Node runs, which starts in a third of the time that tsx needs.
 */
export function bundleText(text: string): string {
  return bundle(text, { stdin: { contents: text, resolveDir: packageRoot(), loader: "ts" } });
}

/** The same for an example of the documentation, which imports the modules of the package by their names. */
export function bundleExample(code: string): string {
  const { exports } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
  return bundleText(
    code.replaceAll(/(?<= from )"rollout-wire(.*?)"/g, (_, path) => {
      const declarations: string = exports[`.${path}`].types;
      const isGenerated = declarations.startsWith("./generated/");
      return JSON.stringify(
        declarations.replace("./dist/", "./").replace(/\.d\.ts$/, isGenerated ? ".js" : ".ts"),
      );
    }),
  );
}

/** The same for a program in a file. */
export function bundleFile(path: string): string {
  return bundle(path, { entryPoints: [path] });
}

function bundle(key: string, input: BuildOptions): string {
  const name = `bundle-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
  // Beside the program, so that its imports are found.
  const outfile = join(dirname(buildProgram().main), `${name}.js`);
  makeOnce(name, () => {
    buildSync({
      ...input,
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "warning",
    });
  });
  return outfile;
}
