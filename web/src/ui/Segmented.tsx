import { RadioGroup } from "radix-ui";
import "./field.css";
import type { Option } from "./Select";

interface SegmentedProps<T extends string> {
  /** The name of the group, for screen readers. */
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChoose: (value: T) => void;
}

/** One of a few, all of them in sight. Arrow keys move between them. */
export function Segmented<T extends string>({ label, value, options, onChoose }: SegmentedProps<T>) {
  const choose = (text: string) => {
    const option = options.find((each) => each.value === text);
    if (option) onChoose(option.value);
  };
  return (
    <RadioGroup.Root className="segmented" aria-label={label} value={value} onValueChange={choose} orientation="horizontal">
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          className="segment"
          value={option.value}
          disabled={option.disabled ?? false}
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
