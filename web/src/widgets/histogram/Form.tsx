import { type ReactNode } from "react";
import { type FormProps } from "../definition.ts";

export function Form(_props: FormProps<"histogram">): ReactNode {
  return null;
}
