import type { ReactNode } from "react";
import { TextArea } from "../../ui/Field/TextArea.tsx";
import type { FormProps } from "../definition.ts";
import { FormSection } from "../FormSection.tsx";

const MAX_LENGTH = 2_000;

/** The text of a note. */
export function Form({ config, onChange }: FormProps<"note">): ReactNode {
  return (
    <FormSection>
      <TextArea
        label="Text"
        hint="**bold**, *italic*, `code`, # headings, - lists and [links](https://…)."
        rows={6}
        maxLength={MAX_LENGTH}
        value={config.text}
        onChange={(text) => onChange({ ...config, text })}
      />
    </FormSection>
  );
}
