import { HOME } from "../run-script.js";
import { judgeGenerated } from "./judge-generated.js";
import { printOutcome } from "./schema-lint.js";

await printOutcome(() => judgeGenerated(HOME));
