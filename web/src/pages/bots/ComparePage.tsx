import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { Image, Plus, X } from "lucide-react";
import { useMemo } from "react";
import type { Comparison } from "../../api/botShapes.ts";
import { comparisonQuery, profilesQuery } from "../../api/bots.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { seriesColor } from "../../charts/colors.ts";
import { assignColors } from "../../charts/valueColors.ts";
import { type Metric, type TimeFrame, MAX_COMPARED, idsIn } from "../../core/bots.ts";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Popover } from "../../ui/Popover/Popover.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { State } from "../../ui/States/State.tsx";
import { BotPicker } from "../../widgets/BotPicker.tsx";
import styles from "./ComparePage.module.css";
import { CompareTable } from "./CompareTable.tsx";
import { HistoryChart } from "./HistoryChart.tsx";
import { NotListed } from "./NotListed.tsx";

const route = getRouteApi("/member/bots/compare");

/** Up to ten bots side by side: one chart and one table. */
export function ComparePage() {
  const { ids: idsParam, metric = "monthly_votes", timeFrame = "90d" } = route.useSearch();
  const navigate = route.useNavigate();
  const botIds = useMemo(() => idsIn(idsParam), [idsParam]);
  const changeIds = (nextIds: readonly string[]) =>
    void navigate({
      search: ({ ids: _ids, ...rest }) => (nextIds.length > 0 ? { ...rest, ids: nextIds.join(",") } : rest),
      resetScroll: false,
    });
  const comparisonOptions = comparisonQuery(botIds);
  const { data: bots, error, refetch } = useQuery({ ...comparisonOptions, placeholderData: placeholderFor(comparisonOptions.queryKey) });
  const comparedBots = botIds.length >= 2 ? bots : undefined;
  return (
    <Page
      title="Compare"
      tools={
        botIds.length > 0 ? (
          <Link to="/bots/image" search={{ ids: botIds.join(","), metric, timeFrame }} className={buttonClass()}>
            <Image size={16} strokeWidth={1.6} aria-hidden="true" />
            Picture
          </Link>
        ) : null
      }
    >
      <Chips botIds={botIds} onChange={changeIds} />
      {botIds.length < 2 ? (
        <State
          title={botIds.length === 0 ? "Pick at least two bots" : "Pick one more bot"}
          detail={`Compare up to ${MAX_COMPARED} bots. You can also pick them from the rankings.`}
          action={
            <Link to="/bots" search={idsParam === undefined ? {} : { ids: botIds.join(",") }} className={buttonClass()}>
              Pick from the rankings
            </Link>
          }
        />
      ) : error && !comparedBots ? (
        <NotListed error={error} onRetry={() => void refetch()} />
      ) : !comparedBots ? (
        <Skeleton height={640} />
      ) : (
        <ComparedBots bots={comparedBots} metric={metric} timeFrame={timeFrame} />
      )}
    </Page>
  );
}

function ComparedBots({ bots, metric, timeFrame }: { bots: readonly Comparison[]; metric: Metric; timeFrame: TimeFrame }) {
  return (
    <div className={styles.column}>
      <HistoryChart bots={bots} metric={metric} timeFrame={timeFrame} />
      <CompareTable bots={bots} />
    </div>
  );
}

function Chips({ botIds, onChange }: { botIds: readonly string[]; onChange: (botIds: readonly string[]) => void }) {
  const profilesOptions = profilesQuery(botIds);
  const { data: profileById } = useQuery({ ...profilesOptions, placeholderData: placeholderFor(profilesOptions.queryKey) });
  const colors = assignColors(botIds);
  return (
    <ul className={styles.chips} aria-label="Bots">
      {botIds.map((id) => (
        <li key={id}>
          <BotChip
            id={id}
            color={colors.get(id)}
            profile={profileById?.get(id)}
            onRemove={() => onChange(botIds.filter((botId) => botId !== id))}
          />
        </li>
      ))}
      {botIds.length < MAX_COMPARED ? (
        <li>
          <AddBot onAdd={(id) => !botIds.includes(id) && onChange([...botIds, id])} />
        </li>
      ) : null}
    </ul>
  );
}

interface BotChipProps {
  id: string;
  /** That of its line. */
  color: number | undefined;
  profile: Comparison | undefined;
  onRemove: () => void;
}

/** A bot of a comparison, with the color of its line. */
function BotChip({ id, color, profile, onRemove }: BotChipProps) {
  const name = profile?.name ?? id;
  return (
    <span className={styles.chip}>
      <BotPicture id={id} address={profile?.avatar} size={24} tint={color} />
      <span className={styles.name}>{name}</span>
      <i className={styles.color} style={{ background: seriesColor(color) }} />
      <IconButton label={`Remove ${name}`} icon={X} small onClick={onRemove} />
    </span>
  );
}

/** A place for one more bot: it asks which. */
function AddBot({ onAdd }: { onAdd: (id: string) => void }) {
  return (
    <Popover
      label="Add a bot"
      trigger={
        <button type="button" className={styles.add}>
          <Plus size={16} strokeWidth={1.6} aria-hidden="true" />
          Add a bot
        </button>
      }
    >
      {(close) => (
        <div className={styles.form}>
          <BotPicker
            label="Bot"
            value=""
            onPick={(id) => {
              close();
              onAdd(id);
            }}
          />
        </div>
      )}
    </Popover>
  );
}
