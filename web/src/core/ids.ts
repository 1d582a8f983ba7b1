const ID = /(?:^|[^\p{L}\p{N}])[iI][dD]$|[\p{L}\p{N}]Id$|[a-z0-9]ID$/u;

/** Return true if the last word of a property's key is `id`: its numbers are ids. `core/id_names.py` has the same rule. */
export const isId = (key: string): boolean => ID.test(key);

/** Return true if a measure answers with an id: the least or the greatest of them. */
export const isIdMeasure = ({ measure, property }: { measure?: string; property?: string | null }): boolean =>
  (measure === "min" || measure === "max") && isId(property ?? "");

/** Write an id as it was sent: people copy it, and it has no thousands. */
export const idText = (value: number | bigint): string => String(value);
