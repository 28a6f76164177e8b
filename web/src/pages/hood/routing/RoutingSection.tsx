import { useEffect, useRef, useState } from "react";
import { useMutation } from "../../../api/mutation";
import { api, data } from "../../../api/client";
import { announce } from "../../../shell/announcer";
import { en } from "../../../strings/en";
import { ErrorState } from "../../../ui/states";
import { Part } from "../parts";
import { Result } from "./Result";
import { RouteForm } from "./RouteForm";
import { type Draft, EMPTY, type Problem, type Wanted, wantedOf } from "./wanted";

const words = en.hood.routing;

/** Plays a question through: who would be asked, in which order, and what supposed answers would come to. */
export function RoutingSection() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [problem, setProblem] = useState<Problem | null>(null);
  const result = useRef<HTMLDivElement>(null);
  const route = useMutation({
    mutationFn: (wanted: Wanted) => data(api.POST("/api/v1/routing", { body: wanted })),
    onSuccess: () => announce(words.done),
    meta: { quiet: true },
  });
  const play = () => {
    const next = wantedOf(draft);
    setProblem("problem" in next ? next.problem : null);
    if ("wanted" in next) route.mutate(next.wanted);
  };
  const routed = route.data;
  useEffect(() => {
    if (routed) result.current?.scrollIntoView({ block: "nearest" });
  }, [routed]);
  return (
    <Part level={2} title={en.hood.sections.routing} intro={words.intro}>
      <RouteForm
        draft={draft}
        problem={problem}
        busy={route.isPending}
        onChange={(next) => setDraft((before) => ({ ...before, ...next }))}
        onSubmit={play}
      />
      {route.error && <ErrorState error={route.error} onRetry={play} />}
      <div ref={result}>{routed && <Result routed={routed} />}</div>
    </Part>
  );
}
