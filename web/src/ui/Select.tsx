import type { ComponentProps } from "react";
import "./field.css";
import { Icon } from "./icons";
import { shown } from "../markdown/text";

export interface Option<T extends string> {
  value: T;
  label: string;
  disabled?: boolean;
}

interface SelectProps<T extends string> extends Omit<ComponentProps<"select">, "value" | "onChange" | "children"> {
  value: T;
  options: readonly Option<T>[];
  onChoose: (value: T) => void;
}

/** The system's own list: works with every keyboard, screen reader and phone. */
export function Select<T extends string>({ value, options, onChoose, className = "", ...select }: SelectProps<T>) {
  const choose = (text: string) => {
    const option = options.find((each) => each.value === text);
    if (option) onChoose(option.value);
  };
  return (
    <span className={`select ${className}`}>
      <select {...select} className="input" value={value} onChange={(event) => choose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {shown(option.label)}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} />
    </span>
  );
}
