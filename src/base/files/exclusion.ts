import picomatch from "picomatch";

/**
 * Creates a test for paths with forward slashes that begin at one folder. A path is excluded if a glob matches it or a
 * folder that it is in. Where the path leads out of that folder, what follows `../` counts.
 */
export function createExclusion(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const trimmed = globs.map((glob) => glob.replace(/^\.\//, "").replace(/\/+$/, ""));
  const isExcluded = picomatch([...trimmed, ...trimmed.map((glob) => `${glob}/**`)], { dot: true });
  return (path) => isExcluded(path.replace(/^(?:\.\.\/)+/, ""));
}
