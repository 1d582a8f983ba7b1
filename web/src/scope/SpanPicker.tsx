import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarDays, ChevronDown } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { identityQuery } from "../api/auth.ts";
import { mayAct } from "../core/roles.ts";
import { RANGE_NAMES, ROLLING, type Span, isRangeName, rangeInWords } from "../core/spans.ts";
import { Button } from "../ui/Button/Button.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import { Popover } from "../ui/Popover/Popover.tsx";
import { Segmented } from "../ui/Segmented/Segmented.tsx";
import { dayOf, daySpan, spanInWords } from "./days.ts";
import styles from "./SpanPicker.module.css";

export interface SpanPickerProps {
  span: Span;
  onChange: (span: Span) => void;
  /** The zone in which chosen days begin and end. */
  timezone: string;
}

const CHOICES = ROLLING.map((name) => ({ value: name, label: name }));

/** Choose the span: five rolling ones at once, named ones and days of the calendar one step away. */
export function SpanPicker({ span, onChange, timezone }: SpanPickerProps) {
  const name = "timeRange" in span ? span.timeRange : "";
  const rolling = CHOICES.some(({ value }) => value === name);
  return (
    <div className={styles.picker}>
      <div className={styles.wide}>
        <Segmented
          label="Span"
          value={rolling ? name : ""}
          options={CHOICES}
          onChange={(value) => isRangeName(value) && onChange({ timeRange: value })}
        />
      </div>
      <Popover
        label="More spans"
        trigger={
          <Button icon={CalendarDays} data-chosen={!rolling} aria-label={`More spans, now ${spanInWords(span, timezone)}`}>
            <span className={rolling ? styles.narrow : undefined}>{spanInWords(span, timezone)}</span>
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        }
      >
        {(close) => (
          <Spans
            span={span}
            timezone={timezone}
            onChange={(chosen) => {
              close();
              onChange(chosen);
            }}
          />
        )}
      </Popover>
    </div>
  );
}

function Spans({ span, onChange, timezone }: SpanPickerProps) {
  const name = "timeRange" in span ? span.timeRange : "";
  return (
    <div className={styles.spans}>
      <ul className={styles.names} aria-label="Named spans">
        {RANGE_NAMES.map((each) => (
          <li key={each}>
            <button
              type="button"
              className={styles.name}
              aria-current={each === name}
              onClick={() => onChange({ timeRange: each })}
            >
              {rangeInWords(each)}
            </button>
          </li>
        ))}
      </ul>
      <Days span={span} timezone={timezone} onChange={onChange} />
      <Zone timezone={timezone} />
    </div>
  );
}

/** By which clocks all spans begin and end, and for those who may change them, the way there. */
function Zone({ timezone }: { timezone: string }) {
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

function Days({ span, onChange, timezone }: SpanPickerProps) {
  const fixed = "from" in span ? span : null;
  const [first, setFirst] = useState(fixed ? dayOf(fixed.from, timezone) : "");
  const [last, setLast] = useState(fixed ? dayOf(Date.parse(fixed.to) - 1, timezone) : "");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const chosen = daySpan(first, last, timezone);
    if (chosen) onChange(chosen);
    else setProblem("The last day is before the first.");
  };
  return (
    <form className={styles.days} onSubmit={submit}>
      <TextField label="First day" type="date" required value={first} onChange={setFirst} />
      <TextField label="Last day" type="date" required value={last} onChange={setLast} error={problem} />
      <Button type="submit" variant="primary">
        Show these days
      </Button>
    </form>
  );
}
