/** Words that Python does not accept as the name of a field. */
const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Names that the generated classes use themselves. */
const TAKEN = new Set(
  (
    "from_dict to_dict from_json to_json find_faults unknown_fields _keys " +
    "bool classmethod dict field float int list object str tuple self cls " +
    "Any JsonValue Literal Mapping NO_FIELDS Record UNSET Unset WireFault"
  ).split(" "),
);

/** The wire name itself where Python allows it; otherwise the nearest legal name, ending in `_`. */
export function pythonName(wireName: string): string {
  const legal = wireName.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9])/, "_");
  const name = legal === "" || legal.startsWith("__") ? `field${legal}` : legal;
  return KEYWORDS.has(name) || TAKEN.has(name) ? `${name}_` : name;
}

/** `RolloutBranchRecord` as `rollout_branch_record`, for functions and constants. */
export function snakeCase(typeName: string): string {
  return typeName
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/** Module of a schema: `training-record` as `training_record`. */
export function moduleName(schemaName: string): string {
  return pythonName(schemaName.toLowerCase());
}
