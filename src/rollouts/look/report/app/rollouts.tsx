import type { JSX } from "preact";
import { Inputs } from "../../../../base/page/app/place.js";
import { useRoute } from "../../../../base/page/app/route.js";
import { Missing, mountPage, Shell, type Tab } from "../../../../base/page/app/shell.js";
import type { ReportIndex } from "../report-data.js";
import { FindingsPage } from "./findings-page.js";
import { Overview } from "./overview.js";
import { Rollouts } from "./packed-rollouts.js";
import { RolloutList } from "./rollout-list.js";
import { RolloutPage } from "./rollout-page.js";

const TABS: readonly Tab[] = [
  { path: "", title: "Overview" },
  { path: "rollouts", title: "Rollouts" },
  { path: "findings", title: "Findings" },
];

interface AppProps {
  readonly index: ReportIndex;
  readonly rollouts: Rollouts;
}

function App({ index, rollouts }: AppProps): JSX.Element {
  const route = useRoute();
  const { path } = route;
  return (
    <Inputs.Provider value={index.inputs}>
      <Shell name="rollout-wire report" tabs={TABS} path={path}>
        {path[0] === "findings" ? (
          <FindingsPage index={index} route={route} />
        ) : path.length === 0 ? (
          <Overview index={index} route={route} />
        ) : path[0] !== "rollouts" ? (
          <Missing />
        ) : path.length === 1 ? (
          <RolloutList index={index} route={route} />
        ) : (
          <RolloutPage index={index} rollouts={rollouts} route={route} />
        )}
      </Shell>
    </Inputs.Provider>
  );
}

mountPage((index: ReportIndex) => <App index={index} rollouts={new Rollouts(index)} />);
