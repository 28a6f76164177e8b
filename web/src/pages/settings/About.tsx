import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCopy } from "../../answer/Actions";
import { api, data, type Schemas } from "../../api/client";
import { en } from "../../strings/en";
import { startTour } from "../../tour/tour";
import { Badge, type Tone } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { ErrorState, Skeleton } from "../../ui/states";
import { useModels } from "./models/requests";
import { SettingsForm } from "./SettingsForm";
import { Explained } from "./Explained";

type Finding = Schemas["Finding"];

const words = en.settings.about;

/** What this is, whether it is well, and how to tell somebody that it is not. */
export function AboutSection() {
  const version = useVersion();
  const [whole, setWhole] = useState(false);
  const doctor = useDoctor(whole);
  return (
    <>
      <section className="settings-group" aria-labelledby="checkup">
        <div className="group-head">
          <h2 id="checkup">{words.checkup}</h2>
          <Button icon="shield" busy={doctor.isFetching} onClick={() => (whole ? void doctor.refetch() : setWhole(true))}>
            {words.checkAll}
          </Button>
        </div>
        {doctor.isPending && <Skeleton lines={6} />}
        {doctor.isError && <ErrorState error={doctor.error} onRetry={() => void doctor.refetch()} />}
        {doctor.data && <Findings findings={doctor.data} />}
      </section>
      <SettingsForm section="about" />
      <Licences />
      <Report version={version ?? ""} findings={doctor.data ?? []} />
      <FirstSteps />
      <p className="soft tabular">
        {words.version} {version === undefined ? en.ui.loading : version || words.unknownVersion}
      </p>
    </>
  );
}

/** The server says its version in the document that describes it. */
function useVersion(): string | undefined {
  const { data: version, isPending } = useQuery({
    queryKey: ["version"],
    queryFn: async ({ signal }) => versionOf(await data(api.GET("/api/v1/openapi.json", { signal }))),
  });
  return isPending ? undefined : (version ?? "");
}

function versionOf(document: unknown): string {
  if (typeof document !== "object" || document === null || !("info" in document)) return "";
  const { info } = document;
  if (typeof info !== "object" || info === null || !("version" in info)) return "";
  return typeof info.version === "string" ? info.version : "";
}

function useDoctor(whole: boolean) {
  return useQuery({
    queryKey: ["doctor", whole],
    queryFn: ({ signal }) => data(api.GET("/api/v1/doctor", { params: { query: { check_audit: whole } }, signal })),
    placeholderData: (before) => before,
    staleTime: 0,
    gcTime: 0,
  });
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const faults = findings.filter((finding) => !finding.ok).length;
  return (
    <>
      <p role="status">{faults === 0 ? words.fine : words.faults(faults)}</p>
      <ul className="findings">
        {findings.map((finding) => (
          <li key={`${finding.about} ${finding.text}`} className="finding">
            <span className="finding-about">{finding.about}</span>
            <span className="finding-words">
              {finding.text}
              {(!finding.ok || finding.remark) && finding.remedy && (
                <span className="soft finding-remedy">
                  <Explained text={finding.remedy} />
                </span>
              )}
            </span>
            <Badge tone={toneOf(finding)}>{stateOf(finding)}</Badge>
          </li>
        ))}
      </ul>
    </>
  );
}

function stateOf({ ok, damage, remark }: Finding): string {
  if (ok) return remark ? words.remark : words.ok;
  return damage ? words.damage : words.fault;
}

function toneOf({ ok, damage, remark }: Finding): Tone {
  if (ok) return remark ? "doubt" : "neutral";
  return damage ? "danger" : "differ";
}

function Licences() {
  const models = useModels();
  return (
    <section className="settings-group" aria-labelledby="licences">
      <h2 id="licences">{words.licences}</h2>
      <p className="measure">{words.licence}</p>
      <dl className="licences">
        {(models.data?.embedded ?? []).map((model) => (
          <div key={model.name}>
            <dt>{model.title}</dt>
            <dd className="soft">{model.licence}</dd>
          </div>
        ))}
      </dl>
      <p className="measure">{words.font}</p>
    </section>
  );
}

function Report({ version, findings }: { version: string; findings: readonly Finding[] }) {
  const copy = useCopy();
  const lines = findings.map((finding) => `${finding.ok ? "ok" : "!!"} ${finding.about}: ${finding.text}`);
  const report = [`Auritas ${version}`, navigator.userAgent, ...lines].join("\n");
  return (
    <section className="settings-group" aria-labelledby="report">
      <h2 id="report">{words.report}</h2>
      <p className="measure soft">{words.reportText}</p>
      {/* A scrolling region is reached by the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="report" tabIndex={0} role="region" aria-label={words.reportLabel}>
        {report}
      </pre>
      <div>
        <Button icon="copy" onClick={() => copy(report, words.copied)}>
          {words.copy}
        </Button>
      </div>
    </section>
  );
}

function FirstSteps() {
  const navigate = useNavigate();
  // Once the page is there: it takes focus for itself when it opens.
  const begin = () => void navigate({ to: "/" }).then(startTour);
  return (
    <section className="settings-group" aria-labelledby="first">
      <h2 id="first">{words.again}</h2>
      <p className="soft">{words.againText}</p>
      <div className="form-row">
        <Link className="button button-secondary button-m" to="/welcome">
          {words.welcome}
        </Link>
        <Button onClick={begin}>{words.tour}</Button>
      </div>
    </section>
  );
}
