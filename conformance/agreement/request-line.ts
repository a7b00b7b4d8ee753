import type { CorpusRecord } from "./corpus-record.js";

/**
 * A request of the adapter protocol as a line. The record's text goes in as it is, so that spellings
 * which JSON.stringify would change reach the adapter.
 */
export function requestLine(
  { type, text }: Pick<CorpusRecord, "type" | "text">,
  id: number,
): string {
  return `{"id":${id},"type":${JSON.stringify(type)},"record":${text}}\n`;
}
