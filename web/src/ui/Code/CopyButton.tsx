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

const FEEDBACK_MS = 2000;

/** Copy a text; for two seconds it says that it did. */
export function CopyButton({ text, label = "Copy", variant = "plain", small = false }: CopyButtonProps) {
  const [feedback, setFeedback] = useState<string | null>(null);
  useEffect(() => {
    if (feedback === null) return;
    const timer = window.setTimeout(() => setFeedback(null), FEEDBACK_MS);
    return () => window.clearTimeout(timer);
  }, [feedback]);
  const copy = async () => {
    const words = (await copyText(text)) ? "Copied" : "Copy failed";
    setFeedback(words);
    announce(words);
  };
  return (
    <Button variant={variant} small={small} icon={feedback === "Copied" ? Check : Copy} onClick={() => void copy()}>
      {feedback ?? label}
    </Button>
  );
}
