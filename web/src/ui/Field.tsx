import { type ComponentProps, type ReactNode, useId } from "react";
import { en } from "../strings/en";
import "./field.css";
import { shown } from "../markdown/text";

/** What a control needs to be tied to its label, hint and error. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  required: boolean;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong, and what to do about it. */
  error?: string | undefined;
  required?: boolean;
  /** Says "optional" beside the label. */
  optional?: boolean;
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, error, required = false, optional = false, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {optional && <span className="field-optional">{en.ui.optional}</span>}
      </label>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
        required,
      })}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {shown(error)}
        </p>
      )}
    </div>
  );
}

export function TextInput({ className = "", ...input }: ComponentProps<"input">) {
  return <input type="text" {...input} className={`input ${className}`} />;
}
