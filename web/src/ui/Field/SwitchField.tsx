import { Toggle, type ToggleProps } from "./Toggle.tsx";

/** Something that is on or off and changes at once. */
export function SwitchField(props: ToggleProps) {
  return <Toggle {...props} look="switch" />;
}
