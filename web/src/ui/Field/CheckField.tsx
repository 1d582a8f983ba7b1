import { Toggle, type ToggleProps } from "./Toggle.tsx";

/** Something that a form says yes or no to. */
export function CheckField(props: ToggleProps) {
  return <Toggle {...props} look="box" />;
}
