import type { Detector } from "../detectors/detector.js";

/** What a detector finds in a text, as it stands there. */
export function findWith(detector: Detector, text: string): string[] {
  return detector.find(text).map(({ start, end }) => text.slice(start, end));
}
