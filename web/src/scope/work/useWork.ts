import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { identityQuery } from "../../api/auth.ts";
import { ApiError } from "../../api/errors.ts";
import { type Draft, type DraftName, draftNameOf, forgetDraft, forgetDraftsOf, isDraftKept, keepDraft, onDraftHandedOver, onDraftsChange, readDraft } from "../../core/drafts.ts";
import { toast } from "../../ui/Toast/toast.ts";
import { hasShapeOf } from "./draftShape.ts";
import { noteUnsavedWork } from "./unsavedWork.ts";

export interface WorkOptions<Value> {
  /** What is edited, such as "alert 01J9…"; the ids in it, its own and of what it belongs to, are words of their own. Another subject needs another component: give it a `key`. */
  subject: string;
  /** As it is saved, or as a new one begins. It must not have secrets: it is kept in the browser, as JSON. */
  savedValue: Value;
  /** Nothing is saved yet, so nobody else can change it. */
  isNew: boolean;
  /** What of a value somebody would miss; all of it unless given. */
  essenceOf?: ((value: Value) => unknown) | undefined;
  /** Fits a draft that comes back to where it is opened now. */
  adapt?: (draft: Value) => Value;
}

/** What somebody does in an editor, until it is saved or discarded (rules/boards#drafts). */
export interface Work<Value> {
  value: Value;
  change: (next: Value | ((value: Value) => Value)) => void;
  /** It differs from what was saved when it began. */
  isUnsaved: boolean;
  /** The same at the moment of the call, also after `finish` in the same turn. */
  isStillUnsaved: () => boolean;
  /** This browser keeps it as a draft. */
  isKept: boolean;
  /** Somebody has saved something else since it began. */
  isOutdated: boolean;
  /** Another one whenever the value is replaced: the `key` of forms that have state of their own. */
  edition: number;
  /** Go back to what is saved; a message offers to undo it. */
  discard: () => void;
  /** Forget the draft: it is saved, or nobody wants it. */
  finish: () => void;
  /** Say that a dialog that closes leaves a draft behind. */
  sayKept: () => void;
  /**
   * Refuse to save over what nobody here has seen.
   *
   * @param load - returns the value that is saved now.
   * @throws ApiError 409 the first time that it is another one than `savedValue`.
   */
  checkSaved: (load: () => Promise<Value>) => Promise<void>;
}

/** What does not depend on the value. */
export type AnyWork = Omit<Work<unknown>, "value" | "change" | "checkSaved">;

const CHANGED_MEANWHILE =
  "Not saved, because someone else has changed it meanwhile. Save again to replace their version, or discard your draft to see it.";

/** Hold the value of an editor, and keep it in this browser as long as it is not saved. */
export function useWork<Value>({ subject, savedValue, isNew, essenceOf = (value) => value, adapt }: WorkOptions<Value>): Work<Value> {
  const textOf = (value: Value): string => JSON.stringify(essenceOf(value));
  const savedText = textOf(savedValue);
  const name = useDraftName(subject);
  const [{ edition, ...draft }, setState] = useState(() => ({
    edition: 0,
    ...(restoredDraft(name, savedValue, adapt) ?? { value: savedValue, savedText }),
  }));
  const [isFinished, setFinished] = useState(false);
  const finishedRef = useRef(false);
  const reportedTextRef = useRef<string>(undefined);
  const isChanged = textOf(draft.value) !== draft.savedText;
  const isUnsaved = isChanged && !isFinished;
  // Whoever has changed nothing sees what others save.
  if (!isNew && !isChanged && draft.savedText !== savedText) setState({ value: savedValue, savedText, edition: edition + 1 });
  useEffect(() => {
    if (isUnsaved) keepDraft(name, { value: draft.value, savedText: draft.savedText });
    else forgetDraft(name);
  }, [name, isUnsaved, draft.value, draft.savedText]);
  useEffect(
    () => onDraftHandedOver(name, (nextDraft) => setState((current) => ({ ...(nextDraft as Draft<Value>), edition: current.edition + 1 }))),
    [name],
  );
  useEffect(() => (isUnsaved ? noteUnsavedWork() : undefined), [isUnsaved]);
  const isStored = useSyncExternalStore(onDraftsChange, () => isDraftKept(name));
  const isKept = isUnsaved && isStored;
  const replaceDraft = (nextDraft: Draft<Value>) => setState((current) => ({ ...nextDraft, edition: current.edition + 1 }));
  const takeBack = (discardedDraft: Draft<Value>) => {
    keepDraft(name, discardedDraft); // for the next time, if the editor has been closed
    replaceDraft(discardedDraft);
  };
  return {
    value: draft.value,
    change: (next) => setState((current) => ({ ...current, value: isFunction(next) ? next(current.value) : next })),
    isUnsaved,
    isStillUnsaved: () => isUnsaved && !finishedRef.current,
    isKept,
    isOutdated: !isNew && isUnsaved && draft.savedText !== savedText,
    edition,
    discard: () => {
      replaceDraft({ value: savedValue, savedText });
      toast({ text: "Draft discarded.", action: { label: "Undo", onAct: () => takeBack(draft) } });
    },
    finish: () => {
      finishedRef.current = true;
      setFinished(true);
      forgetDraft(name);
    },
    sayKept: () => {
      if (isKept) toast({ text: "Draft kept in this browser.", action: { label: "Discard", onAct: () => forgetDraft(name) } });
    },
    checkSaved: async (load) => {
      const currentText = textOf(await load());
      if (currentText === savedText || currentText === reportedTextRef.current) return;
      reportedTextRef.current = currentText;
      throw new ApiError(409, { error: "conflict", message: CHANGED_MEANWHILE });
    },
  };
}

/** Forget the drafts of something that the server no longer has: somebody else has deleted it. */
export function useEndOfDrafts(id: string, isGone: boolean): void {
  useEffect(() => {
    if (isGone) forgetDraftsOf(id);
  }, [id, isGone]);
}

/** Return where a draft of a subject is kept: by whoever opened the editor, where they opened it. */
function useDraftName(subject: string): DraftName {
  const { data: identity } = useQuery(identityQuery);
  const [name] = useState(() => draftNameOf(identity?.user.id ?? "", identity?.workspace.id ?? "", subject));
  return name;
}

/** Return the draft that was kept, if it still fits its editor. */
function restoredDraft<Value>(name: DraftName, savedValue: Value, adapt = (draft: Value) => draft): Draft<Value> | null {
  const draft = readDraft<Value>(name);
  return draft && hasShapeOf(draft.value, savedValue) ? { ...draft, value: adapt(draft.value) } : null;
}

const isFunction = <Value,>(next: Value | ((value: Value) => Value)): next is (value: Value) => Value => typeof next === "function";
