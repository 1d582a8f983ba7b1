import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { comparisonQuery, profilesQuery } from "../../../api/bots.ts";
import type { Comparison } from "../../../api/botShapes.ts";
import { placeholderFor } from "../../../api/placeholders.ts";
import { type Metric, type TimeFrame, MAX_COMPARED, idsIn } from "../../../core/bots.ts";
import { buttonClass } from "../../../ui/Button/Button.tsx";
import { Page } from "../../../ui/Page/Page.tsx";
import { State } from "../../../ui/States/State.tsx";
import { BodySkeleton } from "../../../widgets/BodySkeleton.tsx";
import { NotListed } from "../NotListed.tsx";
import { BotChips } from "./BotChips.tsx";
import styles from "./ComparePage.module.css";
import { CompareTable } from "./CompareTable.tsx";
import { FirstPair } from "./FirstPair.tsx";
import { LeaderCard } from "./LeaderCard.tsx";
import { NeighborsCard } from "./NeighborsCard.tsx";
import type { RaceView } from "./race.ts";
import { RaceCard } from "./RaceCard.tsx";
import { RaceTools } from "./RaceTools.tsx";
import { pictureAlt } from "./raceWords.ts";
import { useKeptColors } from "./useKeptColors.ts";
import { type Race, useRace } from "./useRace.ts";
import { WeekVotesCard } from "./WeekVotesCard.tsx";

const route = getRouteApi("/member/bots/compare");

/** Up to ten bots as a race: a chart, who leads, the votes of a week, and a table. */
export function ComparePage() {
  const { ids: idsParam, metric = "monthly_votes", timeFrame = "90d", as: view = "value" } = route.useSearch();
  const navigate = route.useNavigate();
  const botIds = useMemo(() => idsIn(idsParam), [idsParam]);
  const colors = useKeptColors(botIds);
  const changeIds = (nextIds: readonly string[]) =>
    void navigate({
      search: ({ ids: _ids, ...rest }) => (nextIds.length > 0 ? { ...rest, ids: nextIds.join(",") } : rest),
      resetScroll: false,
    });
  const profilesOptions = profilesQuery(botIds);
  const { data: profileById, isFetching } = useQuery({ ...profilesOptions, placeholderData: placeholderFor(profilesOptions.queryKey) });
  const alt = pictureAlt(botIds.map((id) => profileById?.get(id)?.name ?? id), metric, view, timeFrame);
  const addBot = (id: string) => changeIds([...botIds, id]);
  const [firstId] = botIds;
  const neighbors =
    firstId === undefined ? null : <NeighborsCard bot={profileById?.get(firstId)} metric={metric} botIds={botIds} onAdd={addBot} />;
  return (
    <Page title="Compare" tools={botIds.length > 1 ? <RaceTools picture={{ botIds, metric, view, timeFrame, colors }} alt={alt} /> : null}>
      <BotChips botIds={botIds} colors={colors} profileById={profileById} isPending={isFetching} onChange={changeIds} />
      {botIds.length > 1 ? (
        <ComparedBots {...{ botIds, colors, metric, timeFrame, view, neighbors }} />
      ) : (
        <>
          <State
            title={botIds.length === 0 ? "Pick at least two bots" : "Pick one more bot"}
            detail={`Compare up to ${MAX_COMPARED} bots. You can also pick them from the rankings.`}
            action={
              <span className={styles.ways}>
                <Link to="/bots" search={idsParam === undefined ? {} : { ids: botIds.join(",") }} className={buttonClass()}>
                  Pick from the rankings
                </Link>
                {botIds.length === 0 ? <FirstPair metric={metric} /> : null}
              </span>
            }
          />
          <div className={styles.alone}>{neighbors}</div>
        </>
      )}
    </Page>
  );
}

interface ComparedBotsProps {
  botIds: readonly string[];
  colors: ReadonlyMap<string, number>;
  metric: Metric;
  timeFrame: TimeFrame;
  view: RaceView;
  neighbors: React.ReactNode;
}

function ComparedBots({ botIds, colors, metric, timeFrame, view, neighbors }: ComparedBotsProps) {
  const comparisonOptions = comparisonQuery(botIds);
  const { data, error, refetch } = useQuery({ ...comparisonOptions, placeholderData: placeholderFor(comparisonOptions.queryKey) });
  // What is left of the bots before is of those that are still compared.
  const bots = useMemo(() => data?.filter(({ id }) => botIds.includes(id)), [data, botIds]);
  const coloredBots = useColoredBots(bots, colors);
  const result = useRace(coloredBots, metric, timeFrame);
  if (error && !bots) return <NotListed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className={styles.race}>
        <RaceCard result={result} metric={metric} timeFrame={timeFrame} view={view} />
        <div className={styles.side}>
          <LeaderCard race={result.race} bots={bots} metric={metric} />
          <WeekVotesCard bots={coloredBots} botCount={botIds.length} />
          {neighbors}
        </div>
      </div>
      {bots ? (
        <CompareTable bots={bots} colors={colors} timeFrame={timeFrame} baseTime={baseTimeOf(result.race)} />
      ) : (
        <div className={styles.waiting}>
          <BodySkeleton outline={{ form: "table", partCount: 8 }} />
        </div>
      )}
    </>
  );
}

/** Return the moment that changes are counted from; undefined without one before the last. */
function baseTimeOf(race: Race | undefined): number | undefined {
  const baseBucket = race?.growth.baseBucket ?? null;
  if (!race || baseBucket === null || baseBucket === race.line.times.length - 1) return undefined;
  return race.line.times[baseBucket];
}

/** Return bots with the colors of their lines; the same list while nothing about them changes. */
function useColoredBots(bots: readonly Comparison[] | undefined, colors: ReadonlyMap<string, number>) {
  const colorKey = bots?.map(({ id }) => colors.get(id)).join() ?? "";
  return useMemo(() => bots?.map(({ id, name }, index) => ({ id, name, color: Number(colorKey.split(",")[index] ?? 1) })), [bots, colorKey]);
}
