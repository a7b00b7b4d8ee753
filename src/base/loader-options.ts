/**
 * Options that let a new thread load the module at `url`. In a checkout nothing is compiled, and threads do not
 * inherit the loader. Compiled code needs no loader. Then no options are returned, because a thread with its
 * own `execArgv` rejects V8 options.
 */
export function loaderOptions(url: string): { readonly execArgv?: string[] } {
  if (!url.endsWith(".ts")) return {};
  const api = import.meta.resolve("tsx/esm/api");
  const program = `import { register } from ${JSON.stringify(api)}; register();`;
  return { execArgv: ["--import", `data:text/javascript,${encodeURIComponent(program)}`] };
}
