const memories: { clear(): void }[] = [];
let isBuilding = false;

/**
 * A function that is called once for each argument while a rollout is built, however many of its records
 * need the result, and otherwise every time: nobody may change what it takes or gives meanwhile.
 */
export function oncePerRollout<Argument extends object, Result extends object>(
  make: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known = new Map<Argument, Result>();
  memories.push(known);
  return (argument) => {
    if (!isBuilding) return make(argument);
    const result = known.get(argument) ?? make(argument);
    known.set(argument, result);
    return result;
  };
}

/** Calls `build`, which builds a rollout, and forgets what was kept for it. */
export function buildingRollout<Result>(build: () => Result): Result {
  isBuilding = true;
  try {
    return build();
  } finally {
    isBuilding = false;
    for (const memory of memories) memory.clear();
  }
}
