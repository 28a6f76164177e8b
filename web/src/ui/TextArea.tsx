import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from "react";
import "./field.css";

/** Whether the browser lets the box grow with its text by itself. */
const GROWS = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "ref"> {
  value: string;
  ref?: RefObject<HTMLTextAreaElement | null>;
}

/** A box that grows with its text up to the height that its class sets, then scrolls. */
export function TextArea({ value, ref, className = "", ...area }: TextAreaProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  const box = ref ?? own;
  useLayoutEffect(() => {
    const element = box.current;
    if (GROWS || element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [box, value]);
  return <textarea rows={1} {...area} ref={box} value={value} className={`input text-area ${className}`} />;
}
