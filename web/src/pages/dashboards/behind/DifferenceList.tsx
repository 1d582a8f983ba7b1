import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Differences } from "../../../api/widgets.ts";
import { errorInWords } from "../../../api/words.ts";
import { type Filter, filterToText } from "../../../scope/filters.ts";
import { type ScopeSearch, filtersOf, withFilters } from "../../../scope/search.ts";
import { Hidden } from "../../../ui/Hidden/Hidden.tsx";
import { Notices } from "../../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../../ui/States/ErrorState.tsx";
import { contrastInWords, shareInWords } from "./comparison.ts";
import styles from "./DifferenceList.module.css";

export interface DifferenceListProps {
  result: UseQueryResult<Differences>;
  /** Say what is compared with what. */
  comparisonOf: (differences: Differences) => string;
  /** A line was chosen: the filter that it stands for is no difference any more, so it goes. */
  onChoose: () => void;
}

/** What is different about the events behind a number; each line leads to the same dashboard, filtered by it. */
export function DifferenceList({ result: { data, error, refetch }, comparisonOf, onChoose }: DifferenceListProps) {
  return (
    <section className={styles.differences} aria-label="What is different about them">
      <h3>What is different about them</h3>
      {data ? (
        <>
          <p className={styles.note}>{comparisonOf(data)}</p>
          <Notices notices={data.notices} />
          {data.properties.length > 0 ? <Lines properties={data.properties} onChoose={onChoose} /> : <p className={styles.nothing}>Nothing stands out.</p>}
        </>
      ) : error ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={124} />
      )}
    </section>
  );
}

function Lines({ properties, onChoose }: Pick<Differences, "properties"> & Pick<DifferenceListProps, "onChoose">) {
  return (
    <>
      <ol className={styles.lines}>
        {properties.map((difference) => (
          <li key={filterToText(difference.filter)}>
            <Line difference={difference} onChoose={onChoose} />
          </li>
        ))}
      </ol>
      <p className={styles.note} aria-hidden="true">
        The mark is everybody’s share. Choose a line to filter by it.
      </p>
    </>
  );
}

function Line({ difference, onChoose }: { difference: Differences["properties"][number] } & Pick<DifferenceListProps, "onChoose">) {
  const { key, value, share, everybody, lift, filter } = difference;
  return (
    <Link to="." search={withOneMore(filter)} resetScroll={false} className={styles.line} onClick={onChoose} title={`${key} is ${value}`}>
      <span className={styles.words}>
        {key} is <b>{value}</b>
      </span>
      <span className={styles.track}>
        <i data-more={lift > 1 || undefined} style={{ width: `${share * 100}%` }} />
        <u style={{ left: `${everybody * 100}%` }} />
      </span>
      <b className={styles.share}>
        {shareInWords(share)} <Hidden>{contrastInWords(difference)}</Hidden>
      </b>
    </Link>
  );
}

const withOneMore = (filter: Filter) => (search: ScopeSearch) => withFilters(search, [...filtersOf(search), filter]);
