import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Question, type Spot, fetchQuestionPage } from "../../api/widgets.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { filterToText } from "../../scope/filters.ts";
import { withTimeRange } from "../../scope/search.ts";
import { UnitList } from "../../scope/units/UnitList.tsx";
import { actorsFilter, unitCountInWords } from "../../scope/units/unitPages.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";

export interface WhoDialogProps {
  /** As its answer is drawn. */
  question: Question;
  spot: Spot;
  /** Which number of the answer it is. */
  words: string;
  timeRange: TimeRange;
  timezone: string;
  onClose: () => void;
}

/** As many as a filter can name, so that the first page may become a segment. */
const PAGE_SIZE = 100;

/** Who is behind a number of a preview. A few of them can be kept as a segment. */
export function WhoDialog({ question, spot, words, timeRange, timezone, onClose }: WhoDialogProps) {
  const units = useInfiniteQuery({
    queryKey: ["/v1/query/actors", question, spot],
    queryFn: ({ pageParam, signal }) => fetchQuestionPage(question, spot, { limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    retry: false,
  });
  const { environment } = question;
  const segmentFilter = actorsFilter(units.data?.pages[0]);
  return (
    <Dialog
      title={words || "Who is behind this number"}
      description={units.data ? unitCountInWords(units.data.pages[0]) : undefined}
      onClose={onClose}
      footer={
        segmentFilter ? (
          <Link to="/segments" search={{ env: environment, new: "1", f: [filterToText(segmentFilter)] }} className={buttonClass("plain")}>
            Save as segment
          </Link>
        ) : null
      }
    >
      <UnitList label="Who is behind this number" result={units} search={withTimeRange({ env: environment }, timeRange)} timezone={timezone} />
    </Dialog>
  );
}
