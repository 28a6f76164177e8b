import { useState } from "react";
import { useMutation } from "../../api/mutation";
import { api, data } from "../../api/client";
import { en } from "../../strings/en";
import { integer, percent } from "../../strings/numbers";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { Select } from "../../ui/Select";
import { EmptyState } from "../../ui/states";
import { Table } from "../../ui/Table";
import { Loaded, MemberName, Part, Share } from "./parts";
import { fixed } from "./numbers";
import { useReviewers } from "./reads";
import { type SortableColumn, useSorted } from "./sorting";
import { useWork, Work } from "./work";

type Reviewer = NonNullable<ReturnType<typeof useReviewers>["data"]>[number];

const words = en.hood.reviewers;
const COUNTS = ["5", "10", "20", "50"] as const;

const COLUMNS: readonly SortableColumn<Reviewer>[] = [
  { key: "seat", header: words.reviewer, cell: (row) => <Named row={row} />, by: (row) => row.seat },
  {
    key: "sensitivity",
    header: words.sensitivity,
    cell: (row) => <Measured mean={row.sensitivity} interval={row.sensitivity_interval} row={row} />,
    by: (row) => row.sensitivity,
  },
  {
    key: "specificity",
    header: words.specificity,
    cell: (row) => <Measured mean={row.specificity} interval={row.specificity_interval} row={row} />,
    by: (row) => row.specificity,
  },
  {
    key: "informedness",
    header: words.informedness,
    numeric: true,
    cell: (row) => fixed(row.informedness),
    by: (row) => row.informedness,
  },
  { key: "checks", header: words.checks, numeric: true, cell: (row) => integer(row.checks), by: (row) => row.checks },
  {
    key: "plain",
    header: words.verdicts,
    numeric: true,
    cell: (row) => (row.plain === null ? en.ui.none : percent(row.plain)),
    by: (row) => row.plain,
  },
  { key: "bias", header: words.bias, cell: biasOf },
  { key: "judge", header: words.judge, cell: (row) => <Judge row={row} /> },
];

/** How far each reviewer can be believed, and checking it now. */
export function ReviewersSection() {
  const reviewers = useReviewers();
  const run = useWork("check");
  const [count, setCount] = useState<(typeof COUNTS)[number]>("20");
  const check = useMutation({
    mutationFn: (reviewer: string | null) =>
      data(api.POST("/api/v1/reviewers/checks", { body: { reviewer, count: Number(count) } })),
  });
  const busy = check.isPending || run?.state === "running";
  const actions = (reviewers.data?.length ?? 0) > 0 && (
    <>
      <Select
        aria-label={words.known}
        value={count}
        onChoose={setCount}
        options={COUNTS.map((value) => ({ value, label: `${words.known}: ${value}` }))}
      />
      <Button kind="primary" busy={busy} onClick={() => check.mutate(null)}>
        {words.check}
      </Button>
    </>
  );
  return (
    <Part level={2} title={en.hood.sections.reviewers} intro={`${words.intro} ${words.takes}`} actions={actions}>
      {run && <Work run={run} label={words.checking} />}
      <Loaded read={reviewers}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon="shield" title={words.empty}>
              {words.emptyHow}
            </EmptyState>
          ) : (
            <Reviewers reviewers={found} busy={busy} onCheck={check.mutate} />
          )
        }
      </Loaded>
    </Part>
  );
}

interface ReviewersProps {
  reviewers: readonly Reviewer[];
  busy: boolean;
  onCheck: (seat: string) => void;
}

function Reviewers({ reviewers, busy, onCheck }: ReviewersProps) {
  const { rows, columns } = useSorted(reviewers, COLUMNS, { key: "informedness", down: true });
  const check = {
    key: "check",
    header: en.hood.actions,
    cell: (row: Reviewer) => (
      <IconButton size="s" icon="retry" label={words.checkOne(row.seat)} disabled={busy} onClick={() => onCheck(row.seat)} />
    ),
  };
  return (
    <>
      <Table caption={en.hood.sections.reviewers} columns={[...columns, check]} rows={rows} rowKey={(row) => row.seat} />
      <dl className="hood-glossary">
        <dt>{words.sensitivity}</dt>
        <dd>{words.sensitivityHint}</dd>
        <dt>{words.specificity}</dt>
        <dd>{words.specificityHint}</dd>
      </dl>
    </>
  );
}

function Named({ row }: { row: Reviewer }) {
  return (
    <span className="hood-named">
      <MemberName seat={row.seat} />
      {row.measured ? (
        <Badge tone={row.grades ? "agree" : "neutral"}>{row.grades ? words.grades : words.gradesNot}</Badge>
      ) : (
        <Badge>{words.unmeasured}</Badge>
      )}
    </span>
  );
}

function Measured({ mean, interval, row }: { mean: number; interval: readonly number[]; row: Reviewer }) {
  return <Share mean={mean} low={interval[0] ?? 0} high={interval[1] ?? 1} expected={row.checks === 0} stacked />;
}

function biasOf({ position_bias: place, length_bias: length }: Reviewer): string {
  const parts = [place === null ? "" : words.place(place), length === null ? "" : words.length(length)].filter(Boolean);
  return parts.join(", ") || en.ui.none;
}

function Judge({ row }: { row: Reviewer }) {
  if (row.judge_graded === 0) return <span className="hood-faint">{words.notJudged}</span>;
  const [low = 0, high = 1] = row.judge_interval;
  return (
    <span className="hood-named">
      <span className="tabular">{words.judged(row.judge_right, row.judge_graded, low, high)}</span>
      {row.judge_decides && <Badge tone="agree">{words.judgeDecides}</Badge>}
    </span>
  );
}
