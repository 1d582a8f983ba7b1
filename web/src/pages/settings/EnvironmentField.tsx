import { useQuery } from "@tanstack/react-query";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { SelectField } from "../../ui/Field/SelectField.tsx";

export interface EnvironmentFieldProps {
  value: string;
  onChange: (environment: string) => void;
}

/** One of the environments, beside a label of its own. */
export function EnvironmentField({ value, onChange }: EnvironmentFieldProps) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  return <SelectField label="Environment" hideLabel value={value} onChange={onChange} options={environmentChoices(environments, value)} />;
}
