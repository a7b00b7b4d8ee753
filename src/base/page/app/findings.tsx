import type { JSX } from "preact";
import type { PageFinding } from "../page.js";
import { Place } from "./place.js";
import { showControls } from "./text-view.js";

/** Findings with their places. */
export function Findings({
  findings,
}: {
  readonly findings: readonly PageFinding[];
}): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <section class="note">
      <h2>Findings</h2>
      <ul>
        {findings.map((finding, index) => {
          const { id, severity, file, line, column, pointer, message } = finding;
          return (
            <li key={index} class={severity}>
              <Place file={file} line={line} column={column} /> {severity}: {showControls(pointer)}{" "}
              {showControls(message)} ({id})
            </li>
          );
        })}
      </ul>
    </section>
  );
}
