import { type CurlRequest, curlOf } from "../../core/curl.ts";
import { CopyButton } from "./CopyButton.tsx";

/** Copies the command that asks the API for what is next to it. */
export function CopyCurl({ request }: { request: CurlRequest }) {
  return <CopyButton small variant="quiet" label="Copy as curl" text={curlOf(request)} />;
}
