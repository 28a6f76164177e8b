import { useState } from "react";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import { chooseTextSize, storedTextSize, TEXT_SIZES } from "../../theme/textSize";
import { chooseTheme, storedTheme, THEMES } from "../../theme/theme";
import { Segmented } from "../../ui/Segmented";

const words = en.settings.appearance;

/** How the app looks in this browser. */
export function AppearanceSection() {
  const [theme, setTheme] = useState(storedTheme);
  const [size, setSize] = useState(storedTextSize);
  return (
    <section className="settings-group" aria-label={en.settings.sections.appearance}>
      <p className="soft">{words.themeHint}</p>
      <div className="settings-rows">
        <div className="setting">
          <p className="field-label">{words.theme}</p>
          <Segmented
            label={words.theme}
            value={theme}
            options={THEMES.map((value) => ({ value, label: words.themes[value] }))}
            onChoose={(next) => {
              setTheme(next);
              chooseTheme(next);
              announce(words.themes[next]);
            }}
          />
        </div>
        <div className="setting">
          <p className="field-label">{words.size}</p>
          <Segmented
            label={words.size}
            value={size}
            options={TEXT_SIZES.map((value) => ({ value, label: words.sizes[value] }))}
            onChoose={(next) => {
              setSize(next);
              chooseTextSize(next);
              announce(words.sizes[next]);
            }}
          />
        </div>
      </div>
      <p className="reading">{words.sample}</p>
    </section>
  );
}
