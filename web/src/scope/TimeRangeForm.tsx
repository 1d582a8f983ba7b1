import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { identityQuery } from "../api/auth.ts";
import { mayAct } from "../core/roles.ts";
import { RANGE_NAMES, type TimeRange, rangeInWords } from "../core/timeRanges.ts";
import { Button } from "../ui/Button/Button.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import { dayOf, timeRangeOfDays } from "./days.ts";
import styles from "./TimeRangeForm.module.css";

export interface TimeRangeFormProps {
  timeRange: TimeRange;
  onChange: (timeRange: TimeRange) => void;
  /** The zone in which chosen days begin and end. */
  timezone: string;
}

/** The time ranges with a name, and days of the calendar. */
export function TimeRangeForm({ timeRange, onChange, timezone }: TimeRangeFormProps) {
  const currentName = "timeRange" in timeRange ? timeRange.timeRange : "";
  return (
    <div className={styles.spans}>
      <ul className={styles.names} aria-label="Time ranges">
        {RANGE_NAMES.map((rangeName) => (
          <li key={rangeName}>
            <button
              type="button"
              className={styles.name}
              aria-current={rangeName === currentName}
              onClick={() => onChange({ timeRange: rangeName })}
            >
              {rangeInWords(rangeName)}
            </button>
          </li>
        ))}
      </ul>
      <DaysForm timeRange={timeRange} timezone={timezone} onChange={onChange} />
      <ZoneNote timezone={timezone} />
    </div>
  );
}

/** By which clocks all time ranges begin and end, and for those who may change them, the way there. */
function ZoneNote({ timezone }: { timezone: string }) {
  const { data: identity } = useQuery(identityQuery);
  return (
    <p className={styles.zone}>
      Days begin at midnight, {timezone}.{" "}
      {identity && mayAct(identity.role, "admin") ? (
        <Link to="/settings" hash="workspace">
          Change the time zone
        </Link>
      ) : null}
    </p>
  );
}

function DaysForm({ timeRange, onChange, timezone }: TimeRangeFormProps) {
  const dayRange = "from" in timeRange ? timeRange : null;
  const [firstDay, setFirstDay] = useState(dayRange ? dayOf(dayRange.from, timezone) : "");
  const [lastDay, setLastDay] = useState(dayRange ? dayOf(Date.parse(dayRange.to) - 1, timezone) : "");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const newTimeRange = timeRangeOfDays(firstDay, lastDay, timezone);
    if (newTimeRange) onChange(newTimeRange);
    else setProblem("The last day must not be before the first.");
  };
  return (
    <form className={styles.days} onSubmit={submit}>
      <TextField label="First day" type="date" required value={firstDay} onChange={setFirstDay} />
      <TextField label="Last day" type="date" required value={lastDay} onChange={setLastDay} error={problem} />
      <Button type="submit" variant="primary">
        Apply
      </Button>
    </form>
  );
}
