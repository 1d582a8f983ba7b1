import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { namesQuery } from "../api/names.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import { SelectField } from "../ui/Field/SelectField.tsx";
import styles from "./FilterForm.module.css";
import { type Condition, type Filter, OPERATORS, type Operator, takesList, takesValue } from "./filters.ts";
import { propertyKey } from "./propertyKey.ts";
import { seenKeys } from "./seenNames.ts";
import { valueFromInput } from "./filterValues.ts";

export interface FilterFormProps {
  environment: string;
  onAdd: (filter: Filter) => void;
}

const OWN_FIELDS = [
  { value: "name", label: "Event name" },
  { value: "_actor", label: "Actor" },
  { value: "_actorLabel", label: "Actor label" },
  { value: "_source", label: "Source" },
];
const CHOICES = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }));

/** Put one filter together: a property or field, an operator, a value. */
export function FilterForm({ environment, onAdd }: FilterFormProps) {
  const { data } = useQuery(namesQuery(environment));
  const [key, setKey] = useState("");
  const [op, setOp] = useState<Operator>("eq");
  const [value, setValue] = useState("");
  const property = data?.properties.find((entry) => propertyKey(entry.key) === key);
  const properties = (data?.properties ?? []).map((entry) => ({ value: propertyKey(entry.key), detail: entry.types.join(", ") }));
  const examples = key === "name" ? (data?.events ?? []).map(({ name }) => name) : (property?.examples ?? []);
  const ready = key !== "" && (!takesValue(op) || value !== "");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!ready) return;
    const condition: Condition = { key, op };
    if (takesValue(op)) condition.value = valueFromInput(value, { list: takesList(op), types: property?.types ?? [] });
    onAdd(condition);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Combobox
        label="Property"
        value={key}
        onChange={setKey}
        options={[...properties, ...OWN_FIELDS]}
        own={seenKeys(data?.properties)}
        placeholder="plan"
      />
      <SelectField
        label="Operator"
        value={op}
        onChange={(choice) => setOp(choice as Operator)}
        options={CHOICES}
      />
      {takesValue(op) ? (
        <Combobox
          label={takesList(op) ? "Values, separated by commas" : "Value"}
          value={value}
          onChange={setValue}
          options={examples.map((example) => ({ value: example }))}
          own="any"
        />
      ) : null}
      <Button type="submit" variant="primary" disabled={!ready}>
        Add filter
      </Button>
    </form>
  );
}
