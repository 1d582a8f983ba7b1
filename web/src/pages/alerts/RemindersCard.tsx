import { Card } from "../../ui/Card/Card.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { minutesBriefly } from "../../core/durations.ts";
import styles from "./AlertSide.module.css";
import { reminderChoices } from "./choices.ts";

export interface RemindersCardProps {
  cooldownMinutes: number;
  /** Absent for people who may only look. */
  onChange: ((cooldownMinutes: number) => void) | undefined;
}

/** What follows the first message: reminders while it goes on, and one when it is over. */
export function RemindersCard({ cooldownMinutes, onChange }: RemindersCardProps) {
  return (
    <Card title="Reminders">
      <div className={styles.line}>
        <span aria-hidden={onChange ? true : undefined}>Remind every</span>
        {onChange ? (
          <SelectField
            label="Remind every"
            hideLabel
            small
            value={String(cooldownMinutes)}
            options={reminderChoices(cooldownMinutes)}
            onChange={(choice) => onChange(Number(choice))}
          />
        ) : (
          <span>{minutesBriefly(cooldownMinutes)}</span>
        )}
      </div>
      <p className={styles.note}>You're also notified when it resolves. If it fires again sooner, no message is sent.</p>
    </Card>
  );
}
