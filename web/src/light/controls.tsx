/**
 * Parts of the pages that carry no UI kit: the join page, and the public pages with those behind email links.
 */
import { IconAlertCircle, IconWorld } from '@tabler/icons-react';
import { type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react';
import { Logo } from '../ui/figures/Brand.tsx';
import { takeEarlyText } from './earlyText.ts';
import styles from './controls.module.css';

/** Logo and name of the product. */
export function BrandMark() {
  return (
    <span className={styles.mark}>
      <Logo size={26} /> Fieldroom
    </span>
  );
}

export interface LanguageChoiceProps<Code extends string> {
  /** Its name for screen readers. */
  label: string;
  languages: readonly { code: Code; label: string }[];
  current: Code;
  onChoose(code: Code): void;
  className?: string | undefined;
}
/** The languages, each by its own name. */
export function LanguageChoice<Code extends string>({
  label,
  languages,
  current,
  onChoose,
  className = '',
}: LanguageChoiceProps<Code>) {
  return (
    <label className={`${styles.language} ${className}`}>
      <IconWorld size={18} stroke={1.75} aria-hidden />
      <span className="fr-hidden">{label}</span>
      <select value={current} onChange={(event) => onChoose(event.target.value as Code)}>
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
  /** Name, type and other attributes of the input. */
  input: InputHTMLAttributes<HTMLInputElement>;
  /** Marks the label, and tells screen readers. */
  required?: boolean;
  /** Each higher number focuses the input, so that its fault is read out. */
  focusCount?: number;
}
/** An input with its label above, and the fault and the hint below. */
export function Field({
  label,
  hint,
  fault,
  value,
  onChange,
  onBlur,
  input,
  required = false,
  focusCount = 0,
}: FieldProps) {
  const id = useId();
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusCount > 0) element.current?.focus();
  }, [focusCount]);
  // A form that the server drew may have been written into before there was a script.
  const asDrawn = useRef({ value, onChange });
  useEffect(() => {
    const early = element.current && takeEarlyText(element.current, asDrawn.current.value);
    if (early !== null) asDrawn.current.onChange(early);
  }, []);
  const describedBy = [fault ? `${id}-fault` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <FieldBox>
      <FieldLabel inputId={id} required={required}>
        {label}
      </FieldLabel>
      <input
        {...input}
        ref={element}
        id={id}
        value={value}
        required={required}
        aria-invalid={fault !== null}
        aria-describedby={describedBy || undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      {fault ? <FieldFault id={`${id}-fault`}>{fault}</FieldFault> : null}
      {hint ? <Hint id={`${id}-hint`}>{hint}</Hint> : null}
    </FieldBox>
  );
}

/** Label, input or textarea, and what is said about it, one below the other. */
export function FieldBox({ children }: { children: ReactNode }) {
  return <div className={styles.field}>{children}</div>;
}

/** A few words of help, at a field or alone. */
export function Hint({
  id,
  className = '',
  children,
}: {
  id?: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <p id={id} className={`${styles.hint} ${className}`}>
      {children}
    </p>
  );
}

/** The label of an input. A required field has a star, which screen readers know from the input itself. */
export function FieldLabel({
  inputId,
  required = false,
  children,
}: {
  inputId: string;
  required?: boolean;
  children: ReactNode;
}) {
  return (
    <label htmlFor={inputId}>
      {children}
      {required ? (
        <>
          {' '}
          <span className={styles.required} aria-hidden>
            *
          </span>
        </>
      ) : null}
    </label>
  );
}

/** What is wrong with a field's value. */
export function FieldFault({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.fault}>
      <IconAlertCircle size={18} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** A refusal or failure, read out at once. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <p className={styles.alert} role="alert">
      <IconAlertCircle size={20} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** Grey blocks in the page's shape, which its own style gives. They come late, so that a quick answer shows none. */
export function Skeleton({ label, className = '' }: { label: string; className?: string | undefined }) {
  return (
    <div className={`${styles.skeleton} ${className}`} role="status" aria-label={label}>
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}
