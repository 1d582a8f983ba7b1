import { useQuery } from "@tanstack/react-query";
import type { ActorDetail } from "../../api/actors.ts";
import { questionQuery } from "../../api/widgets.ts";
import type { Condition } from "../../scope/filters.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { RankCard } from "../../widgets/RankCard.tsx";
import styles from "./ActorSide.module.css";

export interface ActorSideProps {
  actor: ActorDetail;
  actorFilter: Condition;
  scope: Scope;
}

/** What the newest events said of an actor, and what they do most. */
export function ActorSide({ actor, actorFilter, scope: { environment, timeRange } }: ActorSideProps) {
  const { data } = useQuery(
    questionQuery({ environment, type: "metric", ...timeRange, config: { events: "all", measure: "count", breakdown: "name", limit: 5, filters: [actorFilter] } }),
  );
  const rows = data?.kind === "categorical" ? data.rows.map(({ label, value }) => ({ label: label ?? "", count: value ?? 0 })) : undefined;
  const propertyTexts = newestProperties(actor.timeline);
  return (
    <>
      <Card title="Latest properties">
        {propertyTexts.length === 0 ? (
          <p className={styles.none}>The latest events have no properties.</p>
        ) : (
          <dl className={styles.properties}>
            {propertyTexts.map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
      <RankCard title={`What ${actor.label ?? "they"} ${actor.label === null ? "do" : "does"} most`} rows={rows} total={actor.eventCount} emptyText="No events in this time range." />
    </>
  );
}

const MAX_PROPERTIES = 12;

/** Return each plain property with its newest value, as texts. */
function newestProperties(timeline: ActorDetail["timeline"]): [string, string][] {
  const valueByKey = new Map<string, string>();
  for (const { properties } of timeline) {
    if (typeof properties !== "object" || properties === null) continue;
    for (const [key, value] of Object.entries(properties)) {
      const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
      if (isPlain && !valueByKey.has(key)) valueByKey.set(key, String(value));
    }
  }
  return [...valueByKey].slice(0, MAX_PROPERTIES);
}
