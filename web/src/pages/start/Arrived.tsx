import { Link } from "@tanstack/react-router";
import { dateTime } from "../../core/time.ts";
import { EnvironmentName } from "../../scope/EnvironmentName.tsx";
import type { Arrival } from "../../scope/arrival/useArrival.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { Json } from "../../ui/Code/Json.tsx";
import styles from "./StartPage.module.css";

/** The event that arrived, and where to go from it. */
export function Arrived({ arrival: { event, environment }, timezone }: { arrival: Arrival; timezone: string }) {
  const { id, name, actorKey, actorLabel, timestamp, properties } = event;
  return (
    <div className={styles.arrived}>
      <dl className={styles.facts}>
        <dt>Event</dt>
        <dd className={styles.event}>{name}</dd>
        <dt>Actor</dt>
        <dd>{actorLabel ? `${actorLabel} (${actorKey ?? ""})` : (actorKey ?? "none")}</dd>
        <dt>Time</dt>
        <dd>
          {dateTime(timestamp, timezone)} {timezone}
        </dd>
        <dt>Environment</dt>
        <dd>
          <EnvironmentName name={environment} />
        </dd>
      </dl>
      <Json label="Properties" value={properties} />
      <div className={styles.actions}>
        <Link to="/dashboards" search={{ env: environment, new: name }} className={buttonClass("primary")}>
          Create dashboard from this event
        </Link>
        <Link to="/events" search={{ env: environment, sel: id }} className={buttonClass()}>
          Open events
        </Link>
      </div>
    </div>
  );
}
