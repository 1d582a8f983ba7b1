import { writeExact } from "../../core/exactJson.ts";
import { formatExact } from "../../core/numbers.ts";
import { CopyButton } from "../../ui/Code/CopyButton.tsx";
import { Json } from "../../ui/Code/Json.tsx";
import styles from "./EventProperties.module.css";

/** What was sent with an event, as JSON. */
export function EventProperties({ properties }: { properties: unknown }) {
  const propertyCount = typeof properties === "object" && properties !== null ? Object.keys(properties).length : 0;
  return (
    <div className={styles.properties}>
      <div className={styles.head}>
        <h3>Properties</h3>
        <span>{formatExact(propertyCount)}</span>
        <CopyButton small label="Copy JSON" text={writeExact(properties)} />
      </div>
      {propertyCount === 0 ? <p className={styles.none}>This event has no properties.</p> : <Json value={properties} label="Properties" />}
    </div>
  );
}
