import type { JSX } from "preact";
import { type Route, useRoute } from "../../../base/page/app/route.js";
import { Missing, mountPage, Shell, type Tab } from "../../../base/page/app/shell.js";
import type { ContractIndex } from "../contract-data.js";
import { findComparison, findSchema, findType } from "./addresses.js";
import { ChangesPage } from "./changes-page.js";
import { ComparisonPage } from "./comparison-page.js";
import { CopiesPage } from "./copies-page.js";
import { FieldsPage } from "./fields-page.js";
import { ContractOverview } from "./overview.js";
import { SchemaPage } from "./schema-page.js";
import { TypePage } from "./type-page.js";
import { TypesPage } from "./types-page.js";

function tabsOf({ schemas, copies }: ContractIndex): readonly Tab[] {
  if (schemas.length === 0) return [{ path: "", title: "Changes" }];
  return [
    { path: "", title: "Overview" },
    { path: "types", title: "Types" },
    { path: "fields", title: "Fields" },
    { path: "changes", title: "Changes" },
    ...(copies === undefined ? [] : [{ path: "copies", title: "Copies" }]),
  ];
}

interface PartProps {
  readonly index: ContractIndex;
  readonly route: Route;
}

function App({ index }: { readonly index: ContractIndex }): JSX.Element {
  const route = useRoute();
  return (
    <Shell name={index.name} tabs={tabsOf(index)} path={route.path}>
      {/* Anew for each address, so that its heading gets the focus. */}
      <Part key={route.path.join("/")} index={index} route={route} />
    </Shell>
  );
}

function Part({ index, route }: PartProps): JSX.Element {
  const [part, ...rest] = route.path;
  const { schemas, comparisons, copies } = index;
  const [only] = comparisons;
  if (part === "types" && rest.length === 0) return <TypesPage schemas={schemas} />;
  if (part === "types") {
    const schema = findSchema(schemas, rest);
    const type = findType(schema, rest);
    if (schema && type) return <TypePage schema={schema} type={type} route={route} />;
    return schema && rest.length === 1 ? <SchemaPage schema={schema} /> : <Missing />;
  }
  if (part === "fields") return <FieldsPage schemas={schemas} route={route} />;
  if (part === "changes" && rest.length > 0) {
    const comparison = findComparison(comparisons, rest);
    return comparison ? <ComparisonPage comparison={comparison} /> : <Missing />;
  }
  if (part === "changes") return <ChangesPage comparisons={comparisons} />;
  if (part === "copies" && copies) return <CopiesPage copies={copies} />;
  if (part !== undefined) return <Missing />;
  if (schemas.length > 0) return <ContractOverview index={index} />;
  return only && comparisons.length === 1 ? (
    <ComparisonPage comparison={only} />
  ) : (
    <ChangesPage comparisons={comparisons} />
  );
}

mountPage((index: ContractIndex) => <App index={index} />);
