import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import { SelectField } from "../ui/Field/SelectField.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import type { Names } from "./definition.ts";
import { eventOffer, measuredOffer, propertyFor } from "./names.ts";
import { type AskedEvents, MEASURE_CHOICES, type Measure, type MeasuredEvents, takesProperty } from "./words.ts";

export interface EventFieldProps {
  selection: AskedEvents;
  onChange: (selection: { event: string | null; events: string[] | "all" | null }) => void;
  names: Names;
  label?: string;
  hideLabel?: boolean;
}

const ALL_EVENTS = "All events";

/** A picker of an event; several names, as the API takes them, are a list in words. */
export function EventField({ selection, onChange, names, label = "Event", hideLabel = false }: EventFieldProps): ReactNode {
  if (Array.isArray(selection.events)) return <EventsField events={selection.events} onChange={onChange} label={label} hideLabel={hideLabel} />;
  const { options, textJudge } = eventOffer(names);
  return (
    <Combobox
      label={label}
      hideLabel={hideLabel}
      icon={Activity}
      placeholder={ALL_EVENTS}
      value={selection.event ?? (selection.events === "all" ? ALL_EVENTS : "")}
      options={[{ value: ALL_EVENTS }, ...options]}
      textJudge={textJudge}
      onChange={(name) => onChange(name === ALL_EVENTS || name === "" ? { event: null, events: "all" } : { event: name, events: null })}
    />
  );
}

function EventsField({ events, onChange, label, hideLabel }: Pick<EventFieldProps, "onChange" | "label" | "hideLabel"> & { events: string[] }): ReactNode {
  const readText = (text: string): void => {
    const typedNames = text.split(",").map((name) => name.trimStart());
    const [onlyName] = typedNames;
    if (typedNames.length === 1 && onlyName !== undefined) {
      onChange(onlyName === "" ? { event: null, events: "all" } : { event: onlyName, events: null });
    } else onChange({ event: null, events: typedNames });
  };
  return <TextField label={label ?? "Event"} hideLabel={hideLabel ?? false} hint="Separate events with commas." value={events.join(", ")} onChange={readText} />;
}

export interface MeasureFieldsProps {
  measurement: MeasuredEvents;
  onChange: (measurement: { event: string | null; events: string[] | "all" | null; measure: Measure; property: string | null }) => void;
  names: Names;
}


/** What is measured: the event, the measure, and the property of a measure that needs one. */
export function MeasureFields({ measurement, onChange, names }: MeasureFieldsProps): ReactNode {
  const { event = null, events = null, measure, property = null } = measurement;
  const currentMeasurement = { event, events, measure, property };
  const chooseMeasure = (choice: string): void => {
    const nextMeasure = choice as Measure;
    const nextProperty = takesProperty(nextMeasure) ? propertyFor(nextMeasure, property ?? "", names) : null;
    onChange({ ...currentMeasurement, measure: nextMeasure, property: nextProperty });
  };
  return (
    <>
      <EventField selection={measurement} names={names} onChange={(selection) => onChange({ ...currentMeasurement, ...selection })} />
      <SelectField label="Measure" value={measure} options={MEASURE_CHOICES} onChange={chooseMeasure} />
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
