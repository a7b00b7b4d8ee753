import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { build, type Plugin } from "esbuild";

/**
 * Bundles the modules that `code` requires from packages; the result is an ECMAScript module without imports.
 *
 * Comments name the packages as in the `require`, not by their location on disk, so that the bytes are the
 * same wherever they are installed.
 */
export async function bundleHelpers(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: "js", sourcefile: "ajv-standalone.js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    plugins: [packageNames],
  });
  return outputFiles[0]?.text ?? "";
}

const require = createRequire(import.meta.url);

const NAMESPACE = "npm";

const packageNames: Plugin = {
  name: "package-names",
  setup(bundler) {
    bundler.onResolve({ filter: /.*/ }, ({ path, importer, namespace }) => ({
      namespace: NAMESPACE,
      path:
        namespace === NAMESPACE && path.startsWith(".")
          ? posix.join(posix.dirname(importer), path)
          : path,
    }));
    bundler.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
      contents: readFileSync(require.resolve(path), "utf8"),
      loader: "js",
    }));
  },
};
