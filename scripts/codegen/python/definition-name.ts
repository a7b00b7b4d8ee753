import { TypeAttributeKind } from "quicktype-core";

/**
 * Carries the name of a definition through quicktype's graph, so that the renderer finds the schema
 * of each class again, and classes of the same shape stay apart.
 */
class DefinitionNameKind extends TypeAttributeKind<string> {
  constructor() {
    super("definitionName");
  }

  override combine(names: string[]): string | undefined {
    return names[0];
  }

  override makeInferred(): undefined {
    return undefined;
  }

  override get inIdentity(): boolean {
    return true;
  }
}

export const definitionNameKind = new DefinitionNameKind();
