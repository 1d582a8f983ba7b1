import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import type { Dashboard } from "../../api/dashboards.ts";
import { type DataFields, type Spot, type Widget, fetchBehindPage, fetchBehindCsv, dependenciesOf, savedWidgetQuery, widgetQuery } from "../../api/widgets.ts";
import { ApiError } from "../../api/errors.ts";
import { errorInWords } from "../../api/words.ts";
import { saveCsv } from "../../core/files.ts";
import { formatExact } from "../../core/numbers.ts";
import { dateMinute } from "../../core/time.ts";
import { actorLink, groupLink } from "../../scope/keyLinks.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { Table } from "../../ui/Table/Table.tsx";
import { titleOf } from "../../widgets/registry.ts";
import styles from "./BehindDialog.module.css";
import { neighborsOf } from "./neighbors.ts";

export interface BehindDialogProps {
  dashboard: Dashboard;
  widget: Widget;
  spot: Spot;
  /** The time range and the filters that the number was asked with. */
  dataFields: DataFields;
  timezone: string;
  /** Go to another number of the widget. */
  onSpot: (widgetId: string, spot: Spot) => void;
  onClose: () => void;
}

interface UnitRow {
  key: string;
  label: string | null;
  eventCount: number;
  lastSeen: string;
  isActor: boolean;
}

const PAGE_SIZE = 100;

/** Who is behind a number: the actors or groups whose events made it, with how often and when last. */
export function BehindDialog({ dashboard, widget, spot, dataFields, timezone, onSpot, onClose }: BehindDialogProps) {
  const { data: answer } = useQuery(widgetQuery(savedWidgetQuery(dashboard, widget, dataFields)));
  const { words, previous, next } = neighborsOf(answer, widget, spot, timezone);
  const body = { ...dataFields, at: spot };
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ["/v1/widgets/{widget_id}/actors", widget.id, spot, ...dependenciesOf(dashboard, widget, dataFields)],
    queryFn: ({ pageParam, signal }) =>
      fetchBehindPage(widget.id, { ...body, limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
  const rows = data?.pages.flatMap(rowsOf) ?? [];
  const firstPage = data?.pages[0];
  return (
    <Dialog
      title={[titleOf(widget), words].filter(Boolean).join(", ")}
      description={firstPage ? totalInWords(firstPage) : "Who is behind this number"}
      onClose={onClose}
      width={640}
    >
      {isGone(error) && !data ? (
        <State title="This number is no longer there" detail="The time range, the filters or the widget have changed." />
      ) : error && !data ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <div className={styles.list}>
          <Notices notices={firstPage?.notices} />
          <Table
            label="Who is behind this number"
            dense
            rows={rows}
            rowKey={({ key }) => key}
            columns={[
              { key: "who", label: "Who", render: (row) => <UnitCell row={row} /> },
              { key: "events", label: "Events", align: "end", width: 90, render: ({ eventCount }) => formatExact(eventCount) },
              { key: "last", label: "Last seen", align: "end", render: ({ lastSeen }) => dateMinute(lastSeen, timezone) },
            ]}
          />
        </div>
      ) : (
        <Skeleton height={240} />
      )}
      <footer className={styles.footer}>
        {previous ?? next ? (
          <span className={styles.neighbors}>
            <IconButton label="Previous number" icon={ChevronLeft} disabled={!previous} onClick={() => previous && onSpot(widget.id, previous.spot)} />
            <IconButton label="Next number" icon={ChevronRight} disabled={!next} onClick={() => next && onSpot(widget.id, next.spot)} />
          </span>
        ) : null}
        {hasNextPage ? (
          <Button onClick={() => void fetchNextPage()} busy={isFetchingNextPage}>Show more</Button>
        ) : null}
        {rows.length > 0 ? <CsvButton widget={widget} body={body} /> : null}
      </footer>
    </Dialog>
  );
}

/** Return whether the answer does not have the number, such as one from an old link. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.details.some(({ path }) => path[0] === "at");

function CsvButton({ widget, body }: { widget: Widget; body: DataFields & { at: Spot } }) {
  const save = useMutation({
    mutationFn: () => fetchBehindCsv(widget.id, body),
    onSuccess: (text) => saveCsv(text, `${widget.title || widget.type}.csv`),
    onError: sayFailure,
  });
  return (
    <Button icon={Download} busy={save.isPending} onClick={() => save.mutate()}>CSV</Button>
  );
}

function UnitCell({ row }: { row: UnitRow }) {
  const name = row.label ?? row.key;
  const actorTarget = actorLink(row.key);
  const groupTarget = groupLink(row.key);
  return (
    <span className={styles.who}>
      {row.isActor ? (
        <Link to="/actors/$actorKey" {...actorTarget}>
          {name}
        </Link>
      ) : (
        <Link to="/groups/$groupKey" {...groupTarget}>
          {name}
        </Link>
      )}
      {row.label ? <span className={styles.key}>{row.key}</span> : null}
    </span>
  );
}

type BehindPage = Awaited<ReturnType<typeof fetchBehindPage>>;

function rowsOf(page: BehindPage): UnitRow[] {
  if ("actors" in page) return page.actors.map((actor) => ({ ...actor, key: actor.actorKey, isActor: true }));
  return page.groups.map((group) => ({ ...group, key: group.groupKey, label: null, isActor: false }));
}

function totalInWords(page: BehindPage): string {
  const [singular, plural] = "actors" in page ? ["actor", "actors"] : ["group", "groups"];
  return `${formatExact(page.total)} ${page.total === 1 ? singular : plural}`;
}
