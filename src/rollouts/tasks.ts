/** What a worker thread can do: pure functions of plain data. */
export { checkBlock } from "../validation/check-block.js";
export { buildBlock, buildScattered } from "./build-block.js";
