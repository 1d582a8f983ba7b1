import { Search } from "lucide-react";
import { useState } from "react";
import { Combobox } from "../src/ui/Combobox/Combobox.tsx";
import { CheckField } from "../src/ui/Field/CheckField.tsx";
import { FormError } from "../src/ui/Field/FormError.tsx";
import { PasswordField } from "../src/ui/Field/PasswordField.tsx";
import { SelectField } from "../src/ui/Field/SelectField.tsx";
import { SwitchField } from "../src/ui/Field/SwitchField.tsx";
import { TextArea } from "../src/ui/Field/TextArea.tsx";
import { TextField } from "../src/ui/Field/TextField.tsx";
import { Shelf } from "./Shelf.tsx";

const ROLES = ["viewer", "developer", "admin"].map((value) => ({ value, label: value }));
const EVENTS = [
  { value: "track.play", detail: "8,204" },
  { value: "track.skip", detail: "611" },
  { value: "lyrics.open", detail: "3" },
];

/** Everything that forms are made of. */
export function Fields() {
  const [text, setText] = useState("Staging EU");
  const [role, setRole] = useState("viewer");
  const [event, setEvent] = useState("");
  const [on, setOn] = useState(true);
  const field = { value: text, onChange: setText };
  return (
    <>
      <Shelf name="Field" grid>
        <TextField label="Name" hint="Shown in the list." {...field} />
        <TextField label="Environment name" error="Small letters, digits, _ and - only. Try staging-eu." {...field} />
        <TextField label="Large" large {...field} />
        <TextField label="Search" hideLabel icon={Search} placeholder="Search" value="" onChange={setText} />
        <TextField label="Disabled" disabled {...field} />
        <PasswordField label="Password" large value={text} onChange={setText} />
        <SelectField label="Role" value={role} onChange={setRole} options={ROLES} />
        <Combobox label="Event" value={event} onChange={setEvent} options={EVENTS} placeholder="track.play" />
        <Combobox label="Any event" value={event} onChange={setEvent} options={EVENTS} textJudge="any" hint="Any text counts." />
        <TextArea label="Note" {...field} />
      </Shelf>
      <Shelf name="Switch and check" grid>
        <SwitchField label="Active" hint="It is checked every minute." checked={on} onChange={setOn} />
        <SwitchField label="Off" checked={!on} onChange={(next) => setOn(!next)} />
        <CheckField label="I saved it" checked={on} onChange={setOn} />
        <CheckField label="Not yet" checked={!on} onChange={(next) => setOn(!next)} error="This is needed." />
      </Shelf>
      <Shelf name="FormError">
        <FormError text="This address has no account here." />
      </Shelf>
    </>
  );
}
