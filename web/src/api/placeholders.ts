import { type QueryClient, type QueryKey, hashKey } from "@tanstack/react-query";

/**
 * Leave the answer before on the page while the next one comes, but only under its own name.
 *
 * A key begins with what an answer is about: the environment, what is measured, whose page it is. Its last part is how
 * that is looked at: the time range, filters, the page of a list. A workspace is in no key, as another one begins a new page.
 */
export function placeholderFor(queryKey: QueryKey) {
  const subject = subjectOf(queryKey);
  return <Data>(previousData: Data | undefined, previousQuery: { queryKey: QueryKey } | undefined): Data | undefined =>
    previousQuery && subjectOf(previousQuery.queryKey) === subject ? previousData : undefined;
}

const subjectOf = (queryKey: QueryKey): string => hashKey(queryKey.slice(0, -1));

/**
 * Forget every answer, and ask again for those on the page: after a change that no key shows, such as the time zone of
 * the workspace, the filters of a segment, or an event that counts no more.
 *
 * @param filter - which of those on the page depend on the change; all unless given.
 */
export async function forgetAnswers(queryClient: QueryClient, filter: { queryKey?: QueryKey } = {}): Promise<void> {
  queryClient.removeQueries({ type: "inactive" });
  await queryClient.invalidateQueries(filter);
}
