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
import { TableSkeleton } from "../../ui/Table/TableSkeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { CompareTray } from "./CompareTray.tsx";
import { Pager } from "./Pager.tsx";
import { searchRows, rankRows } from "./ranking.ts";
import { RankingTable } from "./RankingTable.tsx";
import styles from "./RankingsPage.module.css";

const route = getRouteApi("/member/bots");
const ROWS_PER_PAGE = 20;
/** In px. */
const ROW_HEIGHT = 49;

/** The bots of the listing by rank, a search among them, and the tray that collects some to compare. */
export function RankingsPage() {
  const { q = "", sort: metric = "monthly_votes", dir, ids: idsParam } = route.useSearch();
  const navigate = route.useNavigate();
  const rankingRows = useRankingRows();
  const trayIds = idsIn(idsParam);
  const sortBy = (nextMetric: Metric, isLeastFirst: boolean) =>
    void navigate({ search: ({ offset: _offset, dir: _dir, ...rest }) => ({ ...rest, sort: nextMetric, ...(isLeastFirst ? { dir: "asc" as const } : {}) }), resetScroll: false });
  const setTrayIds = (nextIds: readonly string[]) =>
    void navigate({ search: ({ ids: _ids, ...rest }) => (nextIds.length > 0 ? { ...rest, ids: nextIds.join(",") } : rest), replace: true, resetScroll: false });
  const toggleBot = (id: string) => setTrayIds(trayIds.includes(id) ? trayIds.filter((botId) => botId !== id) : [...trayIds, id]);
  return (
    <Page title="Rankings" tools={<p className={styles.note}>rank changes over 24 hours</p>}>
      {rankingRows.isEmpty ? (
        <NoBots />
      ) : (
        <div className={styles.bar}>
          <SearchField label="Bot, tag or ID" q={q} />
          <Segmented label="Rank by" value={metric} onChange={(nextMetric) => sortBy(nextMetric, false)} options={METRIC_OPTIONS} />
        </div>
      )}
      {rankingRows.error ? (
        <ErrorState {...errorInWords(rankingRows.error)} onRetry={rankingRows.retry} />
      ) : !rankingRows.rows ? (
        <TableSkeleton rowCount={ROWS_PER_PAGE} rowHeight={ROW_HEIGHT} />
      ) : rankingRows.rows.length === 0 && !rankingRows.isEmpty ? (
        <NothingFound q={q} />
      ) : rankingRows.rows.length > 0 ? (
        <>
          <RankingTable
            rows={rankingRows.rows}
            metric={metric}
            isLeastFirst={dir === "asc"}
            onSort={(nextMetric) => sortBy(nextMetric, nextMetric === metric && dir !== "asc")}
            trayIds={trayIds}
            onPick={trayIds.length < MAX_COMPARED ? toggleBot : (id) => trayIds.includes(id) && toggleBot(id)}
          />
          <Pager
            offset={rankingRows.offset}
            rowCount={rankingRows.rows.length}
            total={rankingRows.total}
            rowNoun="bot"
            pageSize={ROWS_PER_PAGE}
          />
        </>
      ) : null}
      {trayIds.length > 0 ? <CompareTray botIds={trayIds} onClear={() => setTrayIds([])} /> : null}
    </Page>
  );
}

const METRIC_OPTIONS = METRICS.map((value) => ({ value, label: value === "total_votes" ? "Total" : metricInWords(value) }));

/** Return the rows that the address asks for: a page of the ranking, or what a search found. */
function useRankingRows() {
  const { q = "", sort: metric = "monthly_votes", dir, offset: offsetParam } = route.useSearch();
  const isLeastFirst = dir === "asc";
  const offset = Number(offsetParam ?? 0);
  const isSearch = q !== "";
  const rankingOptions = rankingsQuery(metric, isLeastFirst, offset, ROWS_PER_PAGE);
  const searchOptions = botSearchQuery(q);
  const rankingResult = useQuery({ ...rankingOptions, enabled: !isSearch, placeholderData: placeholderFor(rankingOptions.queryKey) });
  const searchResult = useQuery({ ...searchOptions, enabled: isSearch, placeholderData: placeholderFor(searchOptions.queryKey) });
  const activeResult = isSearch ? searchResult : rankingResult;
  const total = (isSearch ? searchResult.data?.total : rankingResult.data?.totalBotCount) ?? 0;
  const rows = isSearch
    ? searchResult.data && searchRows(searchResult.data.bots, metric, isLeastFirst)
    : rankingResult.data && rankRows(rankingResult.data.data, { metric, isLeastFirst, offset, total });
  return {
    rows,
    total,
    offset: isSearch ? 0 : offset,
    isEmpty: !isSearch && rankingResult.data?.totalBotCount === 0,
    error: rows ? null : activeResult.error,
    retry: () => void activeResult.refetch(),
  };
}

function NoBots() {
  return (
    <State
      title="No bots yet"
      detail="Send profiles, counters and votes from a bot's code, an SDK or a bot list. Each bot then gets a rank, a history and voters."
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
        detail="The ranking has fewer pages."
        action={<Button onClick={() => void navigate({ search: ({ offset: _offset, ...rest }) => rest })}>Show the first page</Button>}
      />
    );
  }
  return (
    <State
      title="No matching bots"
      detail={`No name, tag or ID in this listing matches “${q}”.`}
      action={<Button onClick={() => void navigate({ search: ({ q: _q, ...rest }) => rest })}>Clear search</Button>}
    />
  );
}
