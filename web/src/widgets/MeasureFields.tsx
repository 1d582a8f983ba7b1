import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import { SelectField } from "../ui/Field/SelectField.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import type { Names } from "./definition.ts";
import { eventsOf, measuredOf, propertyFor } from "./names.ts";
import { MEASURES, takesProperty, type Measure } from "./words.ts";

/** Which events a question is about: one name, several, or all. */
export interface Asked {
  event?: string | null;
  events?: string[] | "all" | null;
}

export interface EventFieldProps {
  selection: Asked;
  onChange: (selection: { event: string | null; events: string[] | "all" | null }) => void;
  names: Names;
  label?: string;
}

const ALL = "All events";

/** A picker of an event; several names, as the API takes them, are a list in words. */
export function EventField({ selection, onChange, names, label = "Event" }: EventFieldProps): ReactNode {
  if (Array.isArray(selection.events)) return <EventsField events={selection.events} onChange={onChange} label={label} />;
  const { options, own } = eventsOf(names);
  return (
    <Combobox
      label={label}
      icon={Activity}
      placeholder={ALL}
      value={selection.event ?? (selection.events === "all" ? ALL : "")}
      options={[{ value: ALL }, ...options]}
      own={own}
      onChange={(name) => onChange(name === ALL || name === "" ? { event: null, events: "all" } : { event: name, events: null })}
    />
  );
}

function EventsField({ events, onChange, label }: Pick<EventFieldProps, "onChange" | "label"> & { events: string[] }): ReactNode {
  const readText = (text: string): void => {
    const names = text.split(",").map((name) => name.trimStart());
    const [only] = names;
    if (names.length === 1 && only !== undefined) onChange(only === "" ? { event: null, events: "all" } : { event: only, events: null });
    else onChange({ event: null, events: names });
  };
  return <TextField label={label ?? "Event"} hint="Several events, separated by commas." value={events.join(", ")} onChange={readText} />;
}

export interface Measured extends Asked {
  measure: Measure;
  property?: string | null;
}

export interface MeasureFieldsProps {
  measurement: Measured;
  onChange: (measurement: { event: string | null; events: string[] | "all" | null; measure: Measure; property: string | null }) => void;
  names: Names;
}

const CHOICES = Object.entries(MEASURES).map(([value, label]) => ({ value, label }));

/** What is measured: the event, the measure, and the property of a measure that needs one. */
export function MeasureFields({ measurement, onChange, names }: MeasureFieldsProps): ReactNode {
  const { event = null, events = null, measure, property = null } = measurement;
  const now = { event, events, measure, property };
  const measureChosen = (choice: string): void => {
    const next = choice as Measure;
    onChange({ ...now, measure: next, property: takesProperty(next) ? propertyFor(next, property ?? "", names) : null });
  };
  return (
    <>
      <EventField selection={measurement} names={names} onChange={(selection) => onChange({ ...now, ...selection })} />
      <SelectField label="Measure" value={measure} options={CHOICES} onChange={measureChosen} />
      {takesProperty(measure) && (
        <Combobox label="Property" value={property ?? ""} {...measuredOf(measure, names)} onChange={(next) => onChange({ ...now, property: next })} />
      )}
    </>
  );
}
