import { readField } from "../read-field.js";
import { type Handler, isHandler } from "./handler.js";
import { isMarked, mark } from "./mark.js";

/**
 * Puts a method of ours, which is made of the original, on an object; false when the object does not let
 * us. Nothing is done where there is no such method, or where it is ours already.
 */
export function replaceMethod(
  object: object,
  name: string,
  create: (original: Handler) => Handler,
): boolean {
  const original = readField(object, name);
  if (!isHandler(original) || isMarked(original)) return true;
  return Reflect.defineProperty(object, name, {
    value: mark(create(original)),
    writable: true,
    configurable: true,
    enumerable: Object.prototype.propertyIsEnumerable.call(object, name),
  });
}
