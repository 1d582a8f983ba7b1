import type { Cadence } from "../../api/digests.ts";
import { zoneJudge, zonesWith } from "../../scope/zones.ts";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import styles from "./CadenceFields.module.css";
import { LAST_MONTH_DAY, WEEKDAYS, cadenceInWords, dayInWords, hourInWords } from "./cadence.ts";
import type { DigestDraft } from "./digestDraft.ts";

export interface CadenceFieldsProps {
  draft: DigestDraft;
  onChange: (change: Partial<DigestDraft>) => void;
  timezoneError: string | null;
}

const CADENCE_OPTIONS: { value: Cadence; label: string }[] = [
  { value: "daily", label: "Every day" },
  { value: "weekly", label: "Every week" },
  { value: "monthly", label: "Every month" },
];
const HOUR_OPTIONS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourInWords(hour) }));
/** Weeks begin on Monday. */
const WEEKDAY_OPTIONS = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: WEEKDAYS[day] ?? "" }));
const MONTH_DAY_OPTIONS = Array.from({ length: LAST_MONTH_DAY }, (_, index) => ({
  value: String(index + 1),
  label: dayInWords(index + 1),
}));

/** When a digest is due, read as a sentence below. */
export function CadenceFields({ draft, onChange, timezoneError }: CadenceFieldsProps) {
  const { cadence, sendHour, weekday, dayOfMonth, timezone } = draft;
  return (
    <>
      <div className={styles.often}>
        <Segmented label="How often" value={cadence} options={CADENCE_OPTIONS} onChange={(choice) => onChange({ cadence: choice })} />
      </div>
      <div className={styles.when}>
        {cadence === "weekly" ? (
          <SelectField label="Weekday" value={String(weekday)} options={WEEKDAY_OPTIONS} onChange={(day) => onChange({ weekday: Number(day) })} />
        ) : null}
        {cadence === "monthly" ? (
          <SelectField label="Day of the month" value={String(dayOfMonth)} options={MONTH_DAY_OPTIONS} onChange={(day) => onChange({ dayOfMonth: Number(day) })} />
        ) : null}
        <SelectField
          label="Hour"
          value={String(sendHour)}
          options={HOUR_OPTIONS}
          onChange={(hour) => onChange({ sendHour: Number(hour) })}
        />
        <Combobox label="Time zone" required value={timezone} options={zonesWith(timezone).map((value) => ({ value }))} textJudge={zoneJudge} onChange={(newTimezone) => onChange({ timezone: newTimezone })} error={timezoneError} />
      </div>
      <p className={styles.sentence}>{cadenceInWords(draft)}</p>
    </>
  );
}
