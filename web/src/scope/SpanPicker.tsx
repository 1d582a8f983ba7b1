import { CalendarDays, ChevronDown } from "lucide-react";
import { ROLLING, type Span, isRangeName } from "../core/spans.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Popover } from "../ui/Popover/Popover.tsx";
import { Segmented } from "../ui/Segmented/Segmented.tsx";
import { lazily } from "../ui/lazily.ts";
import { spanInWords } from "./days.ts";
import styles from "./SpanPicker.module.css";

const SpanForm = lazily(() => import("./SpanForm.tsx"), "SpanForm");

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
          <SpanForm
            span={span}
            timezone={timezone}
            onChange={(newSpan) => {
              close();
              onChange(newSpan);
            }}
          />
        )}
      </Popover>
    </div>
  );
}
