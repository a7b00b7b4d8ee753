import type { Detector } from "../detectors/detector.js";

export function findWith(detector: Detector, text: string): string[] {
  return detector.find(text).map(({ start, end }) => text.slice(start, end));
}
