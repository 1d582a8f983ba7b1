import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { IconButton } from "../Button/IconButton.tsx";
import styles from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  description?: ReactNode;
  /** Called on Escape, outside and the close button; absent while it may not be closed. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
  /** Buttons at its foot. */
  footer?: ReactNode;
  /** The title is there for assistive technology only. */
  hideTitle?: boolean;
  /** In px; 480 unless given. */
  width?: number;
}

/** What gets the focus first: the content, not the button that closes it. */
const FIRST_FIELD = "input:enabled, select:enabled, textarea:enabled, button:enabled";

/** Marks a field that is there only meanwhile: Escape withdraws it, and closes no dialog. */
const OWN_ESCAPE = "data-own-escape";

/** A dialog that is open while it is mounted. The focus stays in it, and then goes back to where it was. */
export function Dialog({ title, description, onClose, children, footer, hideTitle = false, width = 480 }: DialogProps) {
  const [opener] = useState(() => document.activeElement);
  const bodyRef = useRef<HTMLDivElement>(null);
  const focusFirstField = (event: Event) => {
    const firstField = bodyRef.current?.querySelector<HTMLElement>(FIRST_FIELD);
    if (!firstField) return;
    event.preventDefault();
    firstField.focus();
  };
  const returnFocus = (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
  const handleEscape = (event: KeyboardEvent) => {
    const innerPopover = bodyRef.current?.querySelector<HTMLElement>(":popover-open");
    const innerField = bodyRef.current?.querySelector(`[${OWN_ESCAPE}]:focus-within`);
    if (innerPopover) innerPopover.hidePopover();
    if (innerPopover || innerField || !onClose || event.isComposing) event.preventDefault();
  };
  const preventClosing = (event: Event) => {
    if (!onClose) event.preventDefault();
  };
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose?.()}>
      <Radix.Portal>
        <div className={styles.scrim} data-scrim>
          <Radix.Content
            className={styles.dialog}
            style={{ maxWidth: width }}
            onOpenAutoFocus={focusFirstField}
            onCloseAutoFocus={returnFocus}
            onEscapeKeyDown={handleEscape}
            onInteractOutside={preventClosing}
            {...(description ? {} : { "aria-describedby": undefined })}
          >
            <header className={styles.head} data-hidden={hideTitle || undefined}>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {onClose && !hideTitle ? <IconButton label="Close dialog" icon={X} small onClick={onClose} /> : null}
            </header>
            <div ref={bodyRef} className={styles.body}>
              {description ? (
                <Radix.Description asChild>
                  <div className={styles.description}>{description}</div>
                </Radix.Description>
              ) : null}
              {children}
            </div>
            {footer ? <footer className={styles.foot}>{footer}</footer> : null}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
