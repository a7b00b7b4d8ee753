import type { JSX } from "preact";
import { Findings } from "../../../base/page/app/findings.js";
import { Table, Title } from "../../../base/page/app/shell.js";
import { showControls } from "../../../base/page/app/text-view.js";
import type { ContractCopies } from "../contract-data.js";

/** The copies in other repositories: which differ, and what to do. */
export function CopiesPage({ copies }: { readonly copies: ContractCopies }): JSX.Element {
  const { checked, findings, disagreements = [], fixes, forks } = copies;
  const repositories = [...new Set(copies.copies.map(({ repository }) => repository))];
  return (
    <>
      <Title>Copies</Title>
      <p>{showControls(checked.join(", "))}</p>
      <Findings findings={findings} />
      {disagreements.length > 0 && (
        <>
          <h2>Repositories that hold different files</h2>
          <ul>
            {disagreements.map(({ artefact, groups }) => (
              <li key={artefact}>
                {showControls(artefact)}:{" "}
                {showControls(groups.map(({ repositories }) => repositories.join(", ")).join("; "))}
              </li>
            ))}
          </ul>
        </>
      )}
      {fixes.length > 0 && (
        <>
          <h2>Fix</h2>
          <pre class="text">{showControls(fixes.join("\n"))}</pre>
        </>
      )}
      {repositories.map((repository) => (
        <section key={repository}>
          <h2>{showControls(repository)}</h2>
          <CopyTable repository={repository} copies={copies.copies} />
        </section>
      ))}
      {forks.length > 0 && (
        <>
          <h2>Forks</h2>
          <ForkTable forks={forks} />
        </>
      )}
    </>
  );
}

interface TableProps {
  readonly repository: string;
  readonly copies: ContractCopies["copies"];
}

function CopyTable({ repository, copies }: TableProps): JSX.Element {
  return (
    <Table
      label={`Copies in ${repository}`}
      columns={["File", "Kind", "Schema", "Pinned", "Is", "Grade"]}
    >
      {copies
        .filter((copy) => copy.repository === repository)
        .map(({ path, kind, schema, version, is = version, grade }) => (
          <tr key={`${path} ${schema}`}>
            <th scope="row">{showControls(path)}</th>
            <td>{kind}</td>
            <td>{showControls(schema)}</td>
            <td>{version}</td>
            <td>{is}</td>
            <td>
              <span class={`verdict ${grade === "identical" ? "pass" : "fail"}`}>{grade}</span>
            </td>
          </tr>
        ))}
    </Table>
  );
}

function ForkTable({ forks }: Pick<ContractCopies, "forks">): JSX.Element {
  return (
    <Table label="Forks" columns={["File", "Repository", "Type", "Replay"]}>
      {forks.map(({ repository, path, type, replay }) => (
        <tr key={`${repository} ${path}`}>
          <th scope="row">{showControls(path)}</th>
          <td>{showControls(repository)}</td>
          <td>{showControls(type)}</td>
          <td>{showControls(replay)}</td>
        </tr>
      ))}
    </Table>
  );
}
