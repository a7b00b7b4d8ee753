import { build } from "esbuild";
import { expect, test } from "vitest";
import { packageRoot } from "../../../base/package.js";

/** Size of a page's script that contains only this export of the validators, in bytes. */
async function bundledSize(name: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${name} } from "./generated/typescript/validators.js";`,
      resolveDir: packageRoot(),
    },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
  });
  return outputFiles[0]?.contents.length ?? 0;
}

test("a type guard brings only the validators that it calls", async () => {
  const [one, all] = [await bundledSize("isRolloutBranchRecord"), await bundledSize("findErrors")];
  expect(one).toBeGreaterThan(2000);
  expect(one).toBeLessThanOrEqual(5000);
  expect(all).toBeGreaterThan(10 * one);
});
