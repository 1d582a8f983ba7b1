import { TokenForm } from "../ui/Tokens/tokens.tsx";
import { lazily } from "../ui/lazily.ts";
import type { TimeRangeFormProps } from "./TimeRangeForm.tsx";
import { timeRangeInWords } from "./days.ts";

const TimeRangeForm = lazily(() => import("./TimeRangeForm.tsx"), "TimeRangeForm");

/** The time range of a page as words of a sentence, which open its choices. */
export function TimeRangeToken({ timeRange, onChange, timezone }: TimeRangeFormProps) {
  const words = timeRangeInWords(timeRange, timezone);
  return (
    <TokenForm label="Time range" text={"timeRange" in timeRange ? words.toLowerCase() : words}>
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
    </TokenForm>
  );
}
