import type { Key } from "../../api/keys.ts";
import type { Choice } from "../../ui/Field/SelectField.tsx";

type Kind = Key["kind"];

/** The kinds of keys, the one that most programs need first. */
export const KIND_CHOICES: readonly (Choice & { value: Kind })[] = [
  { value: "ingest", label: "Ingest" },
  { value: "secret", label: "Secret" },
];

/** What a key of each kind may do, in one sentence. */
export const RIGHTS_BY_KIND: Record<Kind, string> = {
  ingest: "An ingest key sends events and reads nothing. Use it for bots and other programs that send.",
  secret: "A secret key also reads actors, segments and digests.",
};

/** Name a kind. */
export const kindName = (kind: Kind): string => KIND_CHOICES.find(({ value }) => value === kind)?.label ?? kind;
