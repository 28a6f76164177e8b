import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import "./data.css";

export interface Tab<T extends string> {
  value: T;
  label: ReactNode;
  content: ReactNode;
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChoose: (value: T) => void;
}

/** Views of one thing on one page. Parts of a page with addresses of their own use shell/SectionNav instead. */
export function Tabs<T extends string>({ label, tabs, value, onChoose }: TabsProps<T>) {
  const choose = (text: string) => {
    const tab = tabs.find((each) => each.value === text);
    if (tab) onChoose(tab.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose}>
      <Radix.List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} className="tab" value={tab.value}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} className="tab-content" value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
