import type { CaptureLogger } from "../../rollouts/capture/delivery/delivery.js";

/** A logger that keeps what it is told, as `level: message`. */
export function collectMessages(): { readonly logger: CaptureLogger; readonly messages: string[] } {
  const messages: string[] = [];
  const keep = (level: string) => (message: string) => void messages.push(`${level}: ${message}`);
  return { logger: { info: keep("info"), warn: keep("warn"), error: keep("error") }, messages };
}
