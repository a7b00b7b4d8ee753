import { fileURLToPath } from "node:url";

/** Root of this repository, with a slash at its end. */
export const HOME = fileURLToPath(new URL("..", import.meta.url));
