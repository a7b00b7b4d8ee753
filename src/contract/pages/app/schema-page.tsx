import type { JSX } from "preact";
import type { SchemaHashes } from "#generated/index.js";
import { Scrollable, Title } from "../../../base/page/app/shell.js";
import { showControls } from "../../../base/page/app/text-view.js";
import type { ContractSchema } from "../contract-data.js";
import { addressOfComparison } from "./addresses.js";
import { TypeLists } from "./types-page.js";

/** A schema: where it comes from, its types, its versions and their hashes. */
export function SchemaPage({ schema }: { readonly schema: ContractSchema }): JSX.Element {
  const { name, title, description, version, file, id, hashes, releases } = schema;
  const facts = [
    ["Title", title],
    ["$id", id],
    ["Version", version],
    ["File", file],
    ["Stability", schema.stability],
    ["Owner", schema.owner],
    ["Written by", schema.producers.join(", ")],
    ["Read by", schema.consumers.join(", ")],
  ] as const;
  return (
    <>
      <Title>{showControls(name)}</Title>
      <p>{showControls(description)}</p>
      <Scrollable label="Facts" kind="wide">
        <table class="plain">
          <tbody>
            {facts.map(([fact, value]) => (
              <tr key={fact}>
                <th scope="row">{fact}</th>
                <td>{showControls(value)}</td>
              </tr>
            ))}
            <HashRows hashes={hashes} />
          </tbody>
        </table>
      </Scrollable>
      <h2>Types</h2>
      <TypeLists schema={schema} />
      <h2>Versions</h2>
      {releases.every((release) => release.version !== version) && (
        <p>
          <a href={addressOfComparison({ id: `${name}/${version}` })}>{version}</a> is not released.
        </p>
      )}
      {releases.map((release) => (
        <section key={release.version}>
          <h3>
            <a href={addressOfComparison({ id: `${name}/${release.version}` })}>
              {release.version}
            </a>
          </h3>
          <Scrollable label={`Hashes of ${release.version}`} kind="wide">
            <table class="plain">
              <tbody>
                <tr>
                  <th scope="row">File</th>
                  <td>{showControls(release.file)}</td>
                </tr>
                <HashRows hashes={release.hashes} />
              </tbody>
            </table>
          </Scrollable>
        </section>
      ))}
    </>
  );
}

function HashRows({ hashes }: { readonly hashes: SchemaHashes }): JSX.Element {
  const rows = [
    ["Bytes", hashes.bytes],
    ["Canonical form", hashes.canonical],
    ["Contract", hashes.contract],
  ] as const;
  return (
    <>
      {rows.map(([title, hash]) => (
        <tr key={title}>
          <th scope="row">{title}</th>
          <td>
            <code>{hash}</code>
          </td>
        </tr>
      ))}
    </>
  );
}
