import { type PageAssets, packJson, renderPage } from "../../base/page/page.js";
import type { ContractIndex } from "./contract-data.js";

/** The page about a contract or about changes, as pieces of text. */
export function renderContract(index: ContractIndex, assets: PageAssets): readonly string[] {
  return [...renderPage({ title: index.name, ...assets, index: packJson(index), chunks: [] })];
}
