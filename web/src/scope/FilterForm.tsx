import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { namesQuery } from "../api/names.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import { SelectField } from "../ui/Field/SelectField.tsx";
import styles from "./FilterForm.module.css";
import { type Condition, type Filter, OPERATORS, type Operator, takesList, takesValue } from "./filters.ts";
import { propertyKey } from "./propertyKey.ts";
import { keyJudge } from "./seenNames.ts";
import { valueFromInput } from "./filterValues.ts";

const OWN_FIELDS = [
  { value: "name", label: "Event name" },
  { value: "_actor", label: "Actor" },
  { value: "_actorLabel", label: "Actor label" },
  { value: "_source", label: "Source" },
];
const CHOICES = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }));

/** Put one filter together: a property or field, an operator, a value. */
export function FilterForm({ environment, onAdd }: { environment: string; onAdd: (filter: Filter) => void }) {
  const { data: schema } = useQuery(namesQuery(environment));
  const [key, setKey] = useState("");
  const [op, setOp] = useState<Operator>("eq");
  const [value, setValue] = useState("");
  const property = schema?.properties.find((entry) => propertyKey(entry.key) === key);
  const keyOptions = (schema?.properties ?? []).map((entry) => ({ value: propertyKey(entry.key), detail: entry.types.join(", ") }));
  const examples = key === "name" ? (schema?.events ?? []).map(({ name }) => name) : (property?.examples ?? []);
  const isReady = key !== "" && (!takesValue(op) || value !== "");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const condition: Condition = { key, op };
    if (takesValue(op)) condition.value = valueFromInput(value, { isList: takesList(op), types: property?.types ?? [] });
    onAdd(condition);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Combobox
        label="Property"
        value={key}
        onChange={setKey}
        options={[...keyOptions, ...OWN_FIELDS]}
        textJudge={keyJudge(schema?.properties)}
        placeholder="plan"
      />
      <SelectField
        label="Operator"
        value={op}
        onChange={(chosenOperator) => setOp(chosenOperator as Operator)}
        options={CHOICES}
      />
      {takesValue(op) ? (
        <Combobox
          label={takesList(op) ? "Values, separated by commas" : "Value"}
          value={value}
          onChange={setValue}
          options={examples.map((example) => ({ value: example }))}
          textJudge="any"
        />
      ) : null}
      <Button type="submit" variant="primary" disabled={!isReady}>
        Add filter
      </Button>
    </form>
  );
}
