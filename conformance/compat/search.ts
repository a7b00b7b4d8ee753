import { ClassJudges } from "./class-judges.js";
import { SchemaClasses } from "./satisfiability/schema-classes.js";
import { Solver } from "./satisfiability/solver.js";
import { StepBudget } from "./satisfiability/step-budget.js";

/** What is found while two versions are compared, which serves every question about them, in both directions. */
export class Search {
  readonly classes = new SchemaClasses();
  readonly solver = new Solver(this.classes);
  readonly judges = new ClassJudges(this.classes);
  /** For verdicts: some seconds for a question that cannot be answered. */
  readonly verdicts = new StepBudget({ each: 300_000, total: 1_500_000 });
  /** For the records that show what a single change breaks, of which there may be a thousand. */
  readonly changes = new StepBudget({ each: 50_000, total: 300_000 });
}
