import type { Notice } from "../ui/Notices/Notices.tsx";
import { propertyKey } from "../scope/propertyKey.ts";

const EVENT_FIELDS = new Set(["event", "events", "cohortEvent", "returnEvent"]);
const PROPERTY_FIELDS = new Set(["key", "property", "breakdown", "holding", "columns"]);
const PREFIX = "prop:";

/** Return what is asked with the name that was probably meant in the place of the one that has never been seen. */
export function withSuggestion<Asked>(question: Asked, { code, name, suggestion }: Notice): Asked {
  if (name === undefined || suggestion === undefined) return question;
  const isProperty = code === "unknown_property";
  const rename = (text: string): string => {
    if (text === name) return isProperty ? propertyKey(suggestion) : suggestion;
    return isProperty && text === PREFIX + name ? PREFIX + suggestion : text;
  };
  return renameTexts(question, isProperty ? PROPERTY_FIELDS : EVENT_FIELDS, rename, false) as Asked;
}

/** Rename the texts of some fields, wherever they are. */
function renameTexts(value: unknown, fields: ReadonlySet<string>, rename: (text: string) => string, isNameField: boolean): unknown {
  if (typeof value === "string") return isNameField ? rename(value) : value;
  if (Array.isArray(value)) return value.map((element) => renameTexts(element, fields, rename, isNameField));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, renameTexts(member, fields, rename, fields.has(field))]));
}
