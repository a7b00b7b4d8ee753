import { gunzipSync } from "node:zlib";
import type { PackedRollout, ReportIndex } from "../report-data.js";

/** What is packed in a report. */
export interface UnpackedPage {
  readonly index: ReportIndex;
  /** One for each row of the index. */
  readonly rollouts: readonly PackedRollout[];
}

/** What a page starts with. */
export function unpackIndex<Index>(html: string): Index {
  return JSON.parse(unpackParts(html).get("index") ?? "");
}

export function unpackPage(html: string): UnpackedPage {
  const parts = unpackParts(html);
  const index: ReportIndex = JSON.parse(parts.get("index") ?? "");
  const rollouts = index.places.map(
    ([chunk, at]) => JSON.parse(parts.get(`chunk-${chunk}`) ?? "")[at],
  );
  return { index, rollouts };
}

function unpackParts(html: string): ReadonlyMap<string, string> {
  return new Map(
    [...html.matchAll(/<script type="application\/gzip" id="([\w-]+)">([^<]*)</g)].map(
      ([, id = "", text = ""]) => [id, gunzipSync(Buffer.from(text, "base64")).toString("utf8")],
    ),
  );
}
