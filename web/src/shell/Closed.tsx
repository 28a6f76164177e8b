import { en } from "../strings/en";
import { Wordmark } from "../theme/Mark";
import { Page } from "./Page";

/** This browser has no session. Nothing here can make one: only somebody at the machine can. */
export function Closed() {
  const words = en.shell.closed;
  return (
    <Page title={en.pages.closed} width="text">
      <Wordmark name={en.shell.name} />
      <p className="reading">{words.sentence}</p>
      <p>{words.remedy}</p>
      <p>
        <code className="command">{words.command}</code>
      </p>
      <p className="soft">{words.then}</p>
    </Page>
  );
}

/** Everything was destroyed, from another tab or another browser. */
export function Destroyed() {
  const words = en.shell.destroyed;
  return (
    <Page title={words.title} width="text">
      <Wordmark name={en.shell.name} />
      <p className="reading">{words.sentence}</p>
      <p className="soft">{words.then}</p>
    </Page>
  );
}
