/** What a worker thread can do: pure functions of plain data. */
export { checkBlock } from "../validation/check-block.js";
export { processBlock, processGroups } from "./build-block.js";
