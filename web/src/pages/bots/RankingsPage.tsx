import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { botSearchQuery, rankingsQuery } from "../../api/bots.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { METRICS, type Metric, MAX_COMPARED, idsIn, metricInWords } from "../../core/bots.ts";
import { SearchField } from "../../scope/SearchField.tsx";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { CompareTray } from "./CompareTray.tsx";
import { Pager } from "./Pager.tsx";
import { searchRows, rankRows } from "./ranking.ts";
import { RankingTable } from "./RankingTable.tsx";
import styles from "./RankingsPage.module.css";

const route = getRouteApi("/member/bots");
const ROWS = 20;

/** The bots of the listing by rank, a search among them, and the tray that collects some to compare. */
export function RankingsPage() {
  const { q = "", sort: metric = "monthly_votes", dir, ids } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useRows();
  const trayIds = idsIn(ids);
  const sortBy = (next: Metric, isLeastFirst: boolean) =>
    void navigate({ search: ({ offset: _offset, dir: _dir, ...rest }) => ({ ...rest, sort: next, ...(isLeastFirst ? { dir: "asc" as const } : {}) }), resetScroll: false });
  const pick = (next: readonly string[]) =>
    void navigate({ search: ({ ids: _ids, ...rest }) => (next.length > 0 ? { ...rest, ids: next.join(",") } : rest), replace: true, resetScroll: false });
  const toggle = (id: string) => pick(trayIds.includes(id) ? trayIds.filter((botId) => botId !== id) : [...trayIds, id]);
  return (
    <Page title="Rankings" tools={<p className={styles.note}>ranks move against 24 hours before</p>}>
      {list.isEmpty ? (
        <NoBots />
      ) : (
        <div className={styles.bar}>
          <SearchField label="Bot, tag or id" q={q} />
          <Segmented label="Rank by" value={metric} onChange={(next) => sortBy(next, false)} options={BY} />
        </div>
      )}
      {list.error ? (
        <ErrorState {...errorInWords(list.error)} onRetry={list.retry} />
      ) : !list.rows ? (
        <Skeleton height={1014} />
      ) : list.rows.length === 0 && !list.isEmpty ? (
        <NothingFound q={q} />
      ) : list.rows.length > 0 ? (
        <>
          <RankingTable
            rows={list.rows}
            metric={metric}
            isLeastFirst={dir === "asc"}
            onSort={(next) => sortBy(next, next === metric && dir !== "asc")}
            trayIds={trayIds}
            onPick={trayIds.length < MAX_COMPARED ? toggle : (id) => trayIds.includes(id) && toggle(id)}
          />
          <Pager offset={list.offset} rowCount={list.rows.length} total={list.total} of="bot" step={ROWS} />
        </>
      ) : null}
      {trayIds.length > 0 ? <CompareTray ids={trayIds} onClear={() => pick([])} /> : null}
    </Page>
  );
}

const BY = METRICS.map((value) => ({ value, label: value === "total_votes" ? "Total" : metricInWords(value) }));

/** Return the rows that the address asks for: a page of the ranking, or what a search found. */
function useRows() {
  const { q = "", sort: metric = "monthly_votes", dir, offset: offsetParam } = route.useSearch();
  const isLeastFirst = dir === "asc";
  const offset = Number(offsetParam ?? 0);
  const isSearch = q !== "";
  const page = rankingsQuery(metric, isLeastFirst, offset, ROWS);
  const searchQuery = botSearchQuery(q);
  const ranking = useQuery({ ...page, enabled: !isSearch, placeholderData: placeholderFor(page.queryKey) });
  const search = useQuery({ ...searchQuery, enabled: isSearch, placeholderData: placeholderFor(searchQuery.queryKey) });
  const query = isSearch ? search : ranking;
  const total = (isSearch ? search.data?.total : ranking.data?.totalBotCount) ?? 0;
  const rows = isSearch
    ? search.data && searchRows(search.data.bots, metric, isLeastFirst)
    : ranking.data && rankRows(ranking.data.data, { metric, isLeastFirst, offset, total });
  return {
    rows,
    total,
    offset: isSearch ? 0 : offset,
    isEmpty: !isSearch && ranking.data?.totalBotCount === 0,
    error: rows ? null : query.error,
    retry: () => void query.refetch(),
  };
}

function NoBots() {
  return (
    <State
      title="No bots yet"
      detail="This listing fills itself: a bot’s own code, an SDK or a bot list sends profiles, counters and votes. Each bot then has a rank, a history and its voters."
      action={
        <Link to="/bots/feeding" className={buttonClass("primary")}>
          Feed the listing
        </Link>
      }
    />
  );
}

function NothingFound({ q }: { q: string }) {
  const navigate = route.useNavigate();
  if (q === "") {
    return (
      <State
        title="No bots on this page"
        detail="The ranking ends before it."
        action={<Button onClick={() => void navigate({ search: ({ offset: _offset, ...rest }) => rest })}>Show the first page</Button>}
      />
    );
  }
  return (
    <State
      title="No bot matches"
      detail={`No name or tag in this listing has “${q}”, and it is no bot’s id.`}
      action={<Button onClick={() => void navigate({ search: ({ q: _q, ...rest }) => rest })}>Remove that search</Button>}
    />
  );
}
