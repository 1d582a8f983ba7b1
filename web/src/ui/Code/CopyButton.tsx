import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "../../core/clipboard.ts";
import { announce } from "../announce.ts";
import { Button, type ButtonVariant } from "../Button/Button.tsx";

export interface CopyButtonProps {
  text: string;
  label?: string;
  variant?: ButtonVariant;
  small?: boolean;
}

const SAID_FOR_MS = 2000;

/** Copy a text; for two seconds it says that it did. */
export function CopyButton({ text, label = "Copy", variant = "plain", small = false }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = window.setTimeout(() => setSaid(null), SAID_FOR_MS);
    return () => window.clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const words = (await copyText(text)) ? "Copied" : "Not copied";
    setSaid(words);
    announce(words);
  };
  return (
    <Button variant={variant} small={small} icon={said === "Copied" ? Check : Copy} onClick={() => void copy()}>
      {said ?? label}
    </Button>
  );
}
