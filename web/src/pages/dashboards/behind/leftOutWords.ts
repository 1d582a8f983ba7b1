import { listInWords } from "../../../core/lists.ts";

/**
 * Say what of a number the pages that its actions lead to do not have; "" if nothing.
 *
 * @param leftOut - what no filter says
 * @param hasTime - the number has a time of its own, which a segment cannot have
 * @param hasSegment - the number can be saved as a segment
 */
export function leftOutInWords(leftOut: readonly string[], hasTime: boolean, hasSegment: boolean): string {
  const segmentParts = [...(hasTime ? ["the time"] : []), ...leftOut];
  return [
    hasSegment && segmentParts.length > 0 ? `A segment leaves out ${listInWords(segmentParts)}.` : "",
    leftOut.length > 0 ? `The page of events leaves out ${listInWords(leftOut)}.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
