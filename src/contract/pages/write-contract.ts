import { type PageAssets, type PageProgram, packJson, renderPage } from "../../base/page/page.js";
import type { ContractIndex } from "./contract-data.js";

export const CONTRACT_PAGE: PageProgram = {
  name: "contract",
  module: "src/contract/pages/app/contract.tsx",
};

/** The page about a contract or about changes, as pieces of text. */
export function renderContract(index: ContractIndex, assets: PageAssets): readonly string[] {
  return [...renderPage({ title: index.name, ...assets, index: packJson(index), chunks: [] })];
}
