/**
 * Options by which a new thread can load the module at `url`. In a checkout nothing is compiled, and a
 * thread does not inherit the loader of the thread that starts it. Compiled code needs none, and takes over
 * what it can of this process: given arguments, a thread would refuse those of V8.
 */
export function loaderOptions(url: string): { readonly execArgv?: string[] } {
  if (!url.endsWith(".ts")) return {};
  const api = import.meta.resolve("tsx/esm/api");
  const program = `import { register } from ${JSON.stringify(api)}; register();`;
  return { execArgv: ["--import", `data:text/javascript,${encodeURIComponent(program)}`] };
}
