/**
 * Arguments with which Node can load the module at `url` in a new thread. In a checkout nothing is
 * compiled, and a thread does not inherit the loader of the thread that starts it.
 */
export function loaderArguments(url: string): string[] {
  if (!url.endsWith(".ts")) return [];
  const api = import.meta.resolve("tsx/esm/api");
  const program = `import { register } from ${JSON.stringify(api)}; register();`;
  return ["--import", `data:text/javascript,${encodeURIComponent(program)}`];
}
