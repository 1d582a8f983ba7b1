import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { botQuery, historiesQuery } from "../../api/bots.ts";
import { errorInLine } from "../../api/words.ts";
import { METRICS, type Metric, TIME_FRAMES, type TimeFrame, frameInWords, metricInWords } from "../../core/bots.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { BotPicker } from "../../widgets/BotPicker.tsx";
import styles from "./Dialogs.module.css";
import { pointsOf } from "./fromBots.ts";
import type { Point } from "./picture.ts";

export interface BotDialogProps {
  /** How many series there are already. */
  seriesCount: number;
  onAdd: (name: string, points: readonly Point[]) => void;
  onClose: () => void;
}

const METRIC_OPTIONS = METRICS.map((value) => ({ value, label: metricInWords(value) }));
const TIME_FRAME_OPTIONS = TIME_FRAMES.map((value) => ({ value, label: frameInWords(value) }));

/** Take the history of a bot as a series. */
export function BotDialog({ seriesCount, onAdd, onClose }: BotDialogProps) {
  const queryClient = useQueryClient();
  const [botId, setBotId] = useState("");
  const [metric, setMetric] = useState<Metric>("server_count");
  const [timeFrame, setTimeFrame] = useState<TimeFrame>("90d");
  const fetchPoints = useMutation({
    mutationFn: async () => {
      const [bot, histories] = await Promise.all([
        queryClient.query(botQuery(botId)),
        queryClient.query(historiesQuery([botId], metric, timeFrame)),
      ]);
      return { name: bot.name, points: pointsOf(histories, botId, seriesCount + 1) };
    },
    onSuccess: ({ name, points }) => {
      if (points.length > 0) onAdd(name, points);
    },
  });
  const emptyMessage = fetchPoints.data?.points.length === 0 ? "This bot has no data for this counter yet." : null;
  return (
    <FormDialog
      title="From a bot"
      description="Its history becomes a series, with as many points as fit in the URL. The picture won't update later."
      submit="Add"
      disabled={botId === ""}
      busy={fetchPoints.isPending}
      error={fetchPoints.error ? errorInLine(fetchPoints.error) : emptyMessage}
      onSubmit={() => fetchPoints.mutate()}
      onClose={onClose}
    >
      <BotPicker label="Bot" value={botId} onPick={setBotId} />
      <div className={styles.pair}>
        <SelectField label="Counter" value={metric} onChange={(value) => setMetric(value as Metric)} options={METRIC_OPTIONS} />
        <SelectField
          label="Time frame"
          value={timeFrame}
          onChange={(value) => setTimeFrame(value as TimeFrame)}
          options={TIME_FRAME_OPTIONS}
        />
      </div>
    </FormDialog>
  );
}
