import type { Names } from "../../widgets/definition.ts";
import type { AlertDraft, DraftField } from "./draft.ts";

/** What every token of a rule's sentence is given. */
export interface TokenParts {
  draft: AlertDraft;
  onChange: (change: Partial<AlertDraft>) => void;
  names: Names;
  /** Return the id of the sentence about a field, if there is one. */
  complaintIdOf: (field: DraftField) => string | undefined;
}
