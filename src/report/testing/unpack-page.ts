import { gunzipSync } from "node:zlib";
import type { PackedRollout, ReportIndex } from "../report-data.js";

/** What is packed in a report. */
export interface UnpackedPage {
  readonly index: ReportIndex;
  /** One for each row of the index. */
  readonly rollouts: readonly PackedRollout[];
}

export function unpackPage(html: string): UnpackedPage {
  const parts = new Map(
    [...html.matchAll(/<script type="application\/gzip" id="([\w-]+)">([^<]*)</g)].map(
      ([, id = "", text = ""]) => [id, gunzipSync(Buffer.from(text, "base64")).toString("utf8")],
    ),
  );
  const index: ReportIndex = JSON.parse(parts.get("index") ?? "");
  const rollouts = index.places.map(
    ([chunk, at]) => JSON.parse(parts.get(`chunk-${chunk}`) ?? "")[at],
  );
  return { index, rollouts };
}
