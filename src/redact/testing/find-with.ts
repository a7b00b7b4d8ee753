import type { Detector } from "../detectors/detector.js";

/** The texts that a detector finds. */
export function findWith(detector: Detector, text: string): string[] {
  return detector.find(text).map(({ start, end }) => text.slice(start, end));
}
