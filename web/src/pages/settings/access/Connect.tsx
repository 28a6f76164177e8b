import { useCopy } from "../../../answer/Actions";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";

const words = en.keeping.access;

/** Where a program finds this server, with an example that runs once a token stands in it. */
export function Connect() {
  const copy = useCopy();
  const base = baseAddress(location.origin);
  return (
    <div className="connect">
      <p id="base-address" className="field-label">
        {words.base}
      </p>
      <p className="connect-line">
        <code className="command" aria-labelledby="base-address">
          {base}
        </code>
        <Button size="s" icon="copy" aria-label={words.copyBase} onClick={() => copy(base, words.copiedBase)}>
          {words.copy}
        </Button>
      </p>
      <p className="soft measure">{words.baseHint}</p>
      <details>
        <summary>{words.example}</summary>
        {/* It may be wider than the column: keys must be able to scroll it. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre className="connect-example" role="group" tabIndex={0} aria-label={words.example}>
          <code>{example(base)}</code>
        </pre>
        <Button size="s" icon="copy" onClick={() => copy(example(base), words.copiedExample)}>
          {words.copyExample}
        </Button>
      </details>
    </div>
  );
}

/** The address that a client of OpenAI is given instead of OpenAI's own. */
export function baseAddress(origin: string): string {
  return `${origin}/v1`;
}

/** A first question by OpenAI's own library. */
export function example(base: string): string {
  return `from openai import OpenAI

client = OpenAI(base_url="${base}", api_key="TOKEN")
reply = client.chat.completions.create(
    model="auritas/balanced",
    messages=[{"role": "user", "content": "What is the capital of Australia?"}],
)
print(reply.choices[0].message.content)
`;
}
