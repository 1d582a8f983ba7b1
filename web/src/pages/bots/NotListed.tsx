import { Link } from "@tanstack/react-router";
import { ApiError } from "../../api/errors.ts";
import { errorInWords } from "../../api/words.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";

/** Why a bot, a voter or an owner is not shown: in the server's words where it does not know them. */
export function NotListed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof ApiError && (error.status === 404 || error.status === 400))) {
    return <ErrorState {...errorInWords(error)} onRetry={onRetry} />;
  }
  return (
    <State
      strokes={4}
      title="Nothing here"
      detail={error.message}
      action={
        <Link to="/bots" className={buttonClass()}>
          Show the rankings
        </Link>
      }
    />
  );
}
