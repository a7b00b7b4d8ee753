import { EXIT, UserError } from "../../src/base/user-error.js";
import { runTool, tryTool } from "./run-tool.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything but the upload. Throws UserError if npm refuses the tarball, for example a version that it has already. */
export async function rehearseNpm(root: string, tarball: string, env: Environment): Promise<void> {
  await runTool("npm", ["publish", tarball, "--dry-run", "--access", "public"], { cwd: root, env });
}

/**
 * Publishes a tarball: in CI with provenance and the job's identity, which npm trades for a token, or else with the
 * token in `NODE_AUTH_TOKEN` or of `npm login`. Throws UserError if npm refuses it.
 */
export async function publishToNpm(root: string, tarball: string, env: Environment): Promise<void> {
  const provenance = env.ACTIONS_ID_TOKEN_REQUEST_URL === undefined ? [] : ["--provenance"];
  const args = ["publish", tarball, "--access", "public", ...provenance, "--json"];
  const { isGreen, stdout, reason } = await tryTool("npm", args, {
    cwd: root,
    env: { ...env, ...(await tokenFor(root, env)) },
  });
  if (isGreen) return;
  const { code, summary } = readError(stdout);
  if (code === "ENEEDAUTH") {
    throw new UserError(
      "nothing published: npm has no credentials; name this workflow as a trusted publisher on npm (permission id-token: write), or set NODE_AUTH_TOKEN, or run npm login",
      EXIT.findings,
    );
  }
  throw new UserError(`npm publish ${tarball}: ${summary ?? reason}`, EXIT.findings);
}

/** The setting that gives npm the token for its registry, whichever that is. */
async function tokenFor(root: string, env: Environment): Promise<Environment> {
  const { NODE_AUTH_TOKEN: token } = env;
  if (token === undefined || token === "") return {};
  const registry = await runTool("npm", ["config", "get", "registry"], { cwd: root, env });
  return { [`npm_config_${registry.trim().replace(/^https?:/, "")}:_authToken`]: token };
}

/** The error that `npm --json` prints. */
function readError(stdout: string): { code?: string; summary?: string } {
  try {
    return JSON.parse(stdout).error ?? {};
  } catch {
    return {};
  }
}
