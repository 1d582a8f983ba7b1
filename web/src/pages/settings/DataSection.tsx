import { Link } from "@tanstack/react-router";
import { mayAct } from "../../core/roles.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { Row, Rows } from "./Rows.tsx";
import { Section } from "./Section.tsx";
import { useIdentity } from "./useIdentity.ts";

/** The ways for events to come in from files, and to leave as one. */
export function DataSection() {
  const { role } = useIdentity();
  return (
    <Section id="data" title="Import and export">
      <Rows>
        {mayAct(role, "developer") ? (
          <Row label="Import a file" hint="CSV or NDJSON. You'll see the first events before you send any.">
            <Link to="/import" className={buttonClass()}>
              Import
            </Link>
          </Row>
        ) : null}
        <Row label="Export events" hint="All events or a time range, as NDJSON, CSV or Parquet.">
          <Link to="/export" className={buttonClass()}>
            Export
          </Link>
        </Row>
      </Rows>
    </Section>
  );
}
