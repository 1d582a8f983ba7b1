import type { UseInfiniteQueryResult, InfiniteData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ActorRow } from "../../api/actors.ts";
import type { GroupRow } from "../../api/groups.ts";
import type { BehindPage } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import { formatBriefly } from "../../core/time.ts";
import { actorLink, groupLink } from "../keyLinks.ts";
import type { ScopeSearch } from "../search.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { type Row, RowList } from "./RowList.tsx";
import styles from "./RowList.module.css";
import { isGone } from "./goneNumber.ts";

/** Actors or groups, the busiest first. */
type UnitPage = ({ actors: ActorRow[] } | { groups: GroupRow[] }) & Pick<BehindPage, "notices">;

export interface UnitListProps {
  label: string;
  result: UseInfiniteQueryResult<InfiniteData<UnitPage>>;
  /** The environment and the time range in which their own pages open. */
  search: ScopeSearch;
  timezone: string;
}

/** The actors or groups whose events made a number, page by page. */
export function UnitList({ label, result, search, timezone }: UnitListProps) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = result;
  if (isGone(error) && !data) return <State title="This number is no longer there" detail="The time range, the filters or the widget have changed." />;
  if (error && !data) return <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  const rows = data.pages.flatMap((page) => rowsOf(page, search, timezone));
  if (rows.length === 0) return data.pages.some((page) => "groups" in page) ? NO_GROUPS : NO_ACTORS;
  return (
    <>
      <Notices notices={data.pages[0]?.notices} timezone={timezone} />
      <RowList label={label} rows={rows} />
      {hasNextPage ? (
        <div className={styles.more}>
          <Button small onClick={() => void fetchNextPage()} busy={isFetchingNextPage}>Show more</Button>
        </div>
      ) : null}
    </>
  );
}

const NO_ACTORS = <State title="No actors" detail="No event here has an actor." />;
const NO_GROUPS = <State title="No groups" detail="No event here belongs to a group." />;

function rowsOf(page: UnitPage, search: ScopeSearch, timezone: string): Row[] {
  if ("groups" in page) {
    return page.groups.map(({ groupKey, eventCount, lastSeen }) => ({
      key: groupKey,
      name: <GroupLink groupKey={groupKey} search={search} />,
      count: eventCount,
      time: formatBriefly(lastSeen, timezone),
    }));
  }
  return page.actors.map(({ actorKey, label, eventCount, lastSeen }) => ({
    key: actorKey,
    name: <ActorLink actorKey={actorKey} label={label} search={search} />,
    detail: label === null ? null : actorKey,
    count: eventCount,
    time: formatBriefly(lastSeen, timezone),
  }));
}

function ActorLink({ actorKey, label, search }: { actorKey: string; label: string | null; search: ScopeSearch }) {
  const target = actorLink(actorKey);
  return (
    <Link to="/actors/$actorKey" params={target.params} search={{ ...search, ...target.search }}>
      {label ?? actorKey}
    </Link>
  );
}

/** A group of the default key, by its id. */
function GroupLink({ groupKey, search }: { groupKey: string; search: ScopeSearch }) {
  const target = groupLink(groupKey);
  return (
    <Link to="/groups/$groupKey" params={target.params} search={{ ...search, ...target.search }}>
      {groupKey}
    </Link>
  );
}
