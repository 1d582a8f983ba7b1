import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type ActivityListOptions, listParameters } from "../api/activityLists.ts";
import { errorInWords } from "../api/words.ts";
import { Notices, type NoticesProps } from "../ui/Notices/Notices.tsx";
import { TableSkeleton } from "../ui/Table/TableSkeleton.tsx";
import { ErrorState } from "../ui/States/ErrorState.tsx";
import { ActivityFoot } from "./ActivityFoot.tsx";
import type { DataTable } from "./definition.ts";

export interface ActivityListProps<Page, Row> {
  result: UseInfiniteQueryResult<InfiniteData<Page>>;
  rowsOf: (page: Page) => readonly Row[];
  renderTable: (rows: readonly Row[]) => ReactNode;
  /** What stands in place of a table without rows. */
  empty: ReactNode;
  /** The rows as a file has them. */
  csvOf: (rows: readonly Row[]) => DataTable;
  fileName: string;
  list: Required<ActivityListOptions>;
  /** The request for the list, without its options. */
  request: { path: string; query: object };
}

/** The pages of a list of actors or groups, and what can be done with them; or why there are none. */
export function ActivityList<Page extends { notices?: NoticesProps["notices"] }, Row>(props: ActivityListProps<Page, Row>) {
  const { result, rowsOf, renderTable, empty, csvOf, fileName, list, request } = props;
  const { data, error, refetch, isPlaceholderData } = result;
  if (error && !data) return <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton rowCount={10} dense />;
  const rows = data.pages.flatMap(rowsOf);
  if (rows.length === 0) return empty;
  return (
    <div aria-busy={isPlaceholderData || undefined}>
      <Notices notices={data.pages[0]?.notices} />
      {renderTable(rows)}
      <ActivityFoot
        sort={list.sort}
        isFiltered={list.filters.length > 0}
        table={csvOf(rows)}
        fileName={fileName}
        request={{ path: request.path, query: { ...request.query, ...listParameters(list) } }}
        pages={result}
      />
    </div>
  );
}
