import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../Button/IconButton.tsx";
import { TextField, type TextFieldProps } from "./TextField.tsx";

/** A password, with an eye that shows it. */
export function PasswordField(props: Omit<TextFieldProps, "type" | "end">) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? "text" : "password"}
      spellCheck={false}
      autoCapitalize="none"
      end={
        <IconButton
          small
          label={shown ? "Hide password" : "Show password"}
          icon={shown ? EyeOff : Eye}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
