import { CalendarDays, ChevronDown } from "lucide-react";
import { ROLLING, isRangeName } from "../core/timeRanges.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Popover } from "../ui/Popover/Popover.tsx";
import { Segmented } from "../ui/Segmented/Segmented.tsx";
import { lazily } from "../ui/lazily.ts";
import { timeRangeInWords } from "./days.ts";
import type { TimeRangeFormProps } from "./TimeRangeForm.tsx";
import styles from "./TimeRangePicker.module.css";

const TimeRangeForm = lazily(() => import("./TimeRangeForm.tsx"), "TimeRangeForm");

const CHOICES = ROLLING.map((name) => ({ value: name, label: name }));

/** Choose the time range: five rolling ones at once, named ones and days of the calendar one step away. */
export function TimeRangePicker({ timeRange, onChange, timezone }: TimeRangeFormProps) {
  const rangeName = "timeRange" in timeRange ? timeRange.timeRange : "";
  const isRolling = CHOICES.some(({ value }) => value === rangeName);
  return (
    <div className={styles.picker}>
      <div className={styles.wide}>
        <Segmented
          label="Time range"
          value={isRolling ? rangeName : ""}
          options={CHOICES}
          onChange={(value) => isRangeName(value) && onChange({ timeRange: value })}
        />
      </div>
      <Popover
        label="More time ranges"
        trigger={
          <Button icon={CalendarDays} data-chosen={!isRolling} aria-label={`More time ranges, now ${timeRangeInWords(timeRange, timezone)}`}>
            <span className={isRolling ? styles.narrow : undefined}>{timeRangeInWords(timeRange, timezone)}</span>
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        }
      >
        {(close) => (
          <TimeRangeForm
            timeRange={timeRange}
            timezone={timezone}
            onChange={(newTimeRange) => {
              close();
              onChange(newTimeRange);
            }}
          />
        )}
      </Popover>
    </div>
  );
}
