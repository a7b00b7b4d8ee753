import type { JSX } from "preact";
import { KINDS, type Kind } from "./message-view.js";

interface ChoiceProps {
  readonly title: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A choice of one of several values. */
export function Choice({ title, values, value, onChange }: ChoiceProps): JSX.Element {
  return (
    <label>
      {title}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

interface KindsProps {
  readonly hidden: ReadonlySet<Kind>;
  readonly onChange: (hidden: readonly Kind[]) => void;
}

/** Which kinds of content are shown. */
export function Kinds({ hidden, onChange }: KindsProps): JSX.Element {
  return (
    <fieldset>
      <legend>Messages</legend>
      {KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={!hidden.has(kind)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(KINDS.filter((each) => (each === kind ? !checked : hidden.has(each))))
            }
          />
          {kind}
        </label>
      ))}
    </fieldset>
  );
}
