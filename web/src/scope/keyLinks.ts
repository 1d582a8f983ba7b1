/** What stands in the path in place of a key that a browser would take for a step up in the folder. */
const STAND_IN = "-";

/** Keys that browsers rewrite in a path, even escaped; they travel in the query. */
const isRewritten = (key: string): boolean => key === "." || key === ".." || key === STAND_IN;

/** Return the parameters that lead to an actor's page, for any key. */
export function actorLink(actorKey: string): { params: { actorKey: string }; search: { key?: string } } {
  return isRewritten(actorKey)
    ? { params: { actorKey: STAND_IN }, search: { key: actorKey } }
    : { params: { actorKey }, search: {} };
}

/** Return the parameters that lead to a group's page, for any id; without a property key, by the default one. */
export function groupLink(
  groupKey: string,
  propKey?: string,
): { params: { groupKey: string }; search: { key?: string; propKey?: string } } {
  const search = propKey === undefined ? {} : { propKey };
  return isRewritten(groupKey)
    ? { params: { groupKey: STAND_IN }, search: { ...search, key: groupKey } }
    : { params: { groupKey }, search };
}

/** Return the key that a page is about: the one in the query, else the one in the path. */
export function keyFromAddress(keyInPath: string, keyInQuery: string | undefined): string {
  return keyInPath === STAND_IN && keyInQuery !== undefined ? keyInQuery : keyInPath;
}
