import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import { SelectField } from "../ui/Field/SelectField.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import { MEASURE_CHOICES } from "./choices.ts";
import type { Names } from "./definition.ts";
import { ALL_EVENTS, type EventSelection, type Measurement, eventOffer, measuredOffer, selectionOfName, selectionOfText, withMeasure } from "./names.ts";
import { type AskedEvents, type Measure, type MeasuredEvents, takesProperty } from "./words.ts";

export interface EventFieldProps {
  selection: AskedEvents;
  onChange: (selection: EventSelection) => void;
  names: Names;
  label?: string;
  hideLabel?: boolean;
}

/** A picker of an event; several names, as the API takes them, are a list in words. */
export function EventField({ selection, onChange, names, label = "Event", hideLabel = false }: EventFieldProps): ReactNode {
  const { event, events } = selection;
  if (Array.isArray(events)) {
    return <TextField label={label} hideLabel={hideLabel} hint="Separate events with commas." value={events.join(", ")} onChange={(text) => onChange(selectionOfText(text))} />;
  }
  const { options, textJudge } = eventOffer(names);
  return (
    <Combobox
      label={label}
      hideLabel={hideLabel}
      icon={Activity}
      placeholder={ALL_EVENTS}
      value={event ?? (events === "all" ? ALL_EVENTS : "")}
      options={[{ value: ALL_EVENTS }, ...options]}
      textJudge={textJudge}
      onChange={(name) => onChange(selectionOfName(name))}
    />
  );
}

export interface MeasureFieldsProps {
  measurement: MeasuredEvents;
  onChange: (measurement: Measurement) => void;
  names: Names;
}

/** What is measured: the event, the measure, and the property of a measure that needs one. */
export function MeasureFields({ measurement, onChange, names }: MeasureFieldsProps): ReactNode {
  const { event = null, events = null, measure, property = null } = measurement;
  const currentMeasurement = { event, events, measure, property };
  return (
    <>
      <EventField selection={measurement} names={names} onChange={(selection) => onChange({ ...currentMeasurement, ...selection })} />
      <SelectField label="Measure" value={measure} options={MEASURE_CHOICES} onChange={(choice) => onChange(withMeasure(measurement, choice as Measure, names))} />
      {takesProperty(measure) && (
        <Combobox
          label="Property"
          value={property ?? ""}
          {...measuredOffer(measure, names)}
          onChange={(nextProperty) => onChange({ ...currentMeasurement, property: nextProperty })}
        />
      )}
    </>
  );
}
