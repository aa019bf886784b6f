/**
 * Parts of the pages that carry no UI kit: the join page, and the public pages with those behind letters. Styled by
 * light.css.
 */
import { IconAlertCircle, IconWorld } from '@tabler/icons-react';
import { type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react';
import { Logo } from '../ui/figures/Brand.tsx';

/** The mark with its word. */
export function Mark() {
  return (
    <span className="fr-mark">
      <Logo size={26} /> Fieldroom
    </span>
  );
}

export interface LanguageChoiceProps<Code extends string> {
  /** What it is called, for a screen reader. */
  label: string;
  languages: readonly { code: Code; label: string }[];
  shown: Code;
  onChoose(code: Code): void;
}
/** The languages, each by its own name. */
export function LanguageChoice<Code extends string>({ label, languages, shown, onChoose }: LanguageChoiceProps<Code>) {
  return (
    <label className="fr-language">
      <IconWorld size={18} stroke={1.75} aria-hidden />
      <span className="fr-hidden">{label}</span>
      <select value={shown} onChange={(event) => onChoose(event.target.value as Code)}>
        {languages.map(({ code, label: name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export interface FieldProps {
  label: string;
  hint?: string;
  fault: string | null;
  value: string;
  onChange(value: string): void;
  onBlur?: (() => void) | undefined;
  /** Name, type and whatever else the box is to know. */
  input: InputHTMLAttributes<HTMLInputElement>;
  /** Says so at its label, and to a screen reader. */
  required?: boolean;
  /** Counts up when the fault should be heard and gone to. */
  goTo?: number;
}
/** A box with its label above, and under it the fault and the hint. */
export function Field({ label, hint, fault, value, onChange, onBlur, input, required = false, goTo = 0 }: FieldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (goTo > 0) box.current?.focus();
  }, [goTo]);
  const about = [fault ? `${id}-fault` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="fr-field">
      <FieldLabel of={id} required={required}>
        {label}
      </FieldLabel>
      <input
        {...input}
        ref={box}
        id={id}
        value={value}
        required={required}
        aria-invalid={fault !== null}
        aria-describedby={about || undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
      {hint ? (
        <p id={`${id}-hint`} className="fr-hint">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export function FieldLabel({
  of,
  required = false,
  children,
}: {
  of: string;
  required?: boolean;
  children: ReactNode;
}) {
  return (
    <label htmlFor={of}>
      {children}
      {required ? (
        <>
          {' '}
          <span className="fr-required" aria-hidden>
            *
          </span>
        </>
      ) : null}
    </label>
  );
}

/** What is wrong at a field. */
export function Fault({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="fr-fault">
      <IconAlertCircle size={18} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** Something that was refused or failed, heard at once. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <p className="fr-alert" role="alert">
      <IconAlertCircle size={20} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/**
 * Blocks of the page's real shape, which its own style gives; after a moment, so that a quick answer shows none of
 * it.
 */
export function Skeleton({ label }: { label: string }) {
  return (
    <div className="fr-skeleton" role="status" aria-label={label}>
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}
