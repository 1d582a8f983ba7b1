import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../Button/IconButton.tsx";
import { TextField, type TextFieldProps } from "./TextField.tsx";

/** A password, with an eye that shows it. */
export function PasswordField(props: Omit<TextFieldProps, "type" | "suffix">) {
  const [isVisible, setVisible] = useState(false);
  return (
    <TextField
      {...props}
      type={isVisible ? "text" : "password"}
      spellCheck={false}
      autoCapitalize="none"
      suffix={
        <IconButton
          small
          label={isVisible ? "Hide password" : "Show password"}
          icon={isVisible ? EyeOff : Eye}
          onClick={() => setVisible(!isVisible)}
        />
      }
    />
  );
}
