import { BrowsersSection } from "./Browsers";
import { PeopleSection } from "./People";
import { TokensSection } from "./Tokens";

/** Who is let in: programs, browsers, people. */
export function AccessSection() {
  return (
    <>
      <TokensSection />
      <BrowsersSection />
      <PeopleSection />
    </>
  );
}
