import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useCouncil } from "../../answer/seats";
import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Mark } from "../../theme/Mark";
import { startTour } from "../../tour/tour";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { ErrorState, Skeleton } from "../../ui/states";
import { AddModel } from "../settings/models/AddModel";
import { Fetching } from "../settings/models/Fetching";
import { BUILTIN, useModels, useNobody } from "../settings/models/requests";
import { useLatestRun } from "../settings/RunProgress";
import { ImportChats } from "./ImportChats";
import { Sample } from "./Sample";
import { noteWelcomed } from "./seen";
import "./welcome.css";

const words = en.welcome;

/** What a person sees first: what is here, a question that runs at once, and what can be done next. */
export default function WelcomePage() {
  useEffect(noteWelcomed, []);
  const [conversation, setConversation] = useState<string | null>(null);
  const navigate = useNavigate();
  const nobody = useNobody();
  const tour = () => {
    const there = conversation ? navigate({ to: "/c/$id", params: { id: conversation } }) : navigate({ to: "/" });
    // Once the page is there: it takes focus for itself when it opens.
    void there.then(startTour);
  };
  return (
    <Page title={en.pages.welcome} titleHidden width="text">
      <div className="welcome">
        <header className="welcome-head">
          <Mark size={52} />
          <p className="welcome-title">{words.title}</p>
          <p className="reading">{words.sentence}</p>
          <Here />
        </header>
        {nobody !== true && (
          <section className="settings-group" aria-labelledby="try">
            <h2 id="try">{words.try}</h2>
            <Sample onConversation={setConversation} />
          </section>
        )}
        <Bigger />
        <NextSteps onTour={tour} />
        <Link className="button button-primary button-m welcome-begin" to="/">
          {words.start}
        </Link>
      </div>
    </Page>
  );
}

/** Who is in the council now; where nobody is, how somebody comes to be. */
function Here() {
  const council = useCouncil();
  const models = useModels();
  const fetching = useLatestRun("fetch")?.state === "running";
  if (models.isError) return <ErrorState error={models.error} onRetry={() => void models.refetch()} />;
  if (council.isPending || models.isPending) return <Skeleton lines={2} />;
  const members = council.data ?? [];
  const away = members.filter((member) => !member.local).length;
  const speaking = models.data.seats.filter((seat) => seat.provider !== BUILTIN).length;
  const sentence = away > 0 ? words.mixed(members.length, away) : words.local(members.length);
  return (
    <div className="welcome-here">
      <p className="welcome-council">
        <Icon name={away > 0 ? "warning" : "shield"} size={18} />
        <span>{speaking > 0 ? sentence : words.none}</span>
      </p>
      {speaking === 0 && <p className="soft">{words.noneText}</p>}
      {(speaking === 0 || fetching) && <Fetching models={models.data} />}
      {fetching && <p className="soft">{en.models.meanwhile}</p>}
    </div>
  );
}

/** What the models that come with it are for, and the way to bigger ones. */
function Bigger() {
  const [adding, setAdding] = useState(false);
  return (
    <section className="settings-group" aria-labelledby="bigger">
      <h2 id="bigger">{words.bigger}</h2>
      <p className="measure">{words.biggerText}</p>
      <div>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      </div>
      {adding && <AddModel onClose={() => setAdding(false)} />}
    </section>
  );
}

function NextSteps({ onTour }: { onTour: () => void }) {
  return (
    <section className="settings-group" aria-labelledby="then">
      <h2 id="then">{words.then}</h2>
      <ul className="welcome-steps">
        <li className="welcome-step">
          <div>
            <p className="field-label">{words.tour}</p>
            <p className="soft">{words.tourText}</p>
          </div>
          <Button onClick={onTour}>{words.begin}</Button>
        </li>
        <li className="welcome-step">
          <div>
            <p className="field-label">{words.bring}</p>
            <p className="soft">{words.bringText}</p>
          </div>
          <ImportChats />
        </li>
      </ul>
    </section>
  );
}
