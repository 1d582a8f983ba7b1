/** Which editors of this page hold work that is not saved: whoever replaces the whole page asks first. */

let workCount = 0;
let isReleased = false;

/** Take note of work that is not saved; call what it returns once it is saved or discarded. */
export function noteUnsavedWork(): () => void {
  workCount += 1;
  return () => {
    workCount -= 1;
  };
}

/** Return whether something on this page is not saved. */
export const hasUnsavedWork = (): boolean => workCount > 0;

/** Let the page go without the browser's question: it was asked already. */
export function releaseUnsavedWork(): void {
  isReleased = true;
}

/** Return whether the page may go without a question. */
export const isWorkReleased = (): boolean => isReleased;
