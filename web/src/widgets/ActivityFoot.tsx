import { Download } from "lucide-react";
import type { ActorSort } from "../api/activityLists.ts";
import type { CurlRequest } from "../core/curl.ts";
import { saveCsv } from "../core/files.ts";
import { formatExact } from "../core/numbers.ts";
import { Button } from "../ui/Button/Button.tsx";
import { CopyCurl } from "../ui/Code/CopyCurl.tsx";
import styles from "./ActivityFoot.module.css";
import { csvOf } from "./csv.ts";
import type { DataTable } from "./definition.ts";

export interface ActivityFootProps {
  sort: ActorSort;
  /** Whether only matching events count. */
  isFiltered: boolean;
  /** The rows on the page, in their order. */
  table: DataTable;
  /** What the file with these rows is called, without its ending. */
  fileName: string;
  /** The request for the list. */
  request: CurlRequest;
  /** The answer, page by page. */
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

const ORDER_WORDS: Record<ActorSort, string> = {
  events: "most events first",
  lastSeen: "most recent first",
  firstSeen: "newest first",
};

/** Below a list of actors or groups: how much of it is shown and in which order, as a file or a command, and the next page. */
export function ActivityFoot({ sort, isFiltered, table, fileName, request, pages }: ActivityFootProps) {
  const scopeWords = isFiltered ? "events that match" : "this time range";
  return (
    <div className={styles.foot}>
      <span>
        {formatExact(table.rows.length)} shown · {ORDER_WORDS[sort]} · counts and times of {scopeWords}
      </span>
      <Button small variant="quiet" icon={Download} onClick={() => saveCsv(csvOf(table), `${fileName}.csv`)}>
        Save as CSV
      </Button>
      <CopyCurl request={request} />
      {pages.hasNextPage ? (
        <Button small busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Next 50
        </Button>
      ) : null}
    </div>
  );
}
