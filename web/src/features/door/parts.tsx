/** The door's own small parts: no UI kit here, only the tokens. */
import { IconAlertCircle, IconWorld } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { Logo } from '../../ui/figures/Brand.tsx';
import { switchDoorLanguage, useDoorWords } from './words.ts';

/** One column with the mark and the language on top. `lit`: on the floor's colour, as while waiting. */
export function DoorFrame({ title, lit = false, children }: { title: string; lit?: boolean; children: ReactNode }) {
  const { t, language } = useDoorWords();
  useEffect(() => {
    document.title = `${title} · Fieldroom`;
  }, [title]);
  return (
    <div className={lit ? 'door door-lit' : 'door'}>
      <header className="door-head">
        <span className="door-brand"><Logo size={26} /> Fieldroom</span>
        <label className="door-language">
          <IconWorld size={18} stroke={1.75} aria-hidden />
          <span className="fr-hidden">{t('language')}</span>
          <select value={language} onChange={(event) => switchDoorLanguage(event.target.value as typeof language)}>
            {LANGUAGES.map(({ code, label }) => <option key={code} value={code} lang={code}>{label}</option>)}
          </select>
        </label>
      </header>
      <main className="door-main">{children}</main>
    </div>
  );
}

/** Faint rings around a middle, radii in px: the floor's, returned small. */
export function DoorRings({ radii, y = '50%' }: { radii: readonly number[]; y?: string }) {
  return (
    <svg className="door-rings" width="100%" height="100%" aria-hidden focusable="false">
      {radii.map((radius) => <circle key={radius} cx="50%" cy={y} r={radius} />)}
    </svg>
  );
}

export interface FieldProps {
  label: string;
  hint?: string;
  fault: string | null;
  value: string;
  onChange(value: string): void;
  input?: React.InputHTMLAttributes<HTMLInputElement>;
  code?: boolean;
  /** Counts up when the fault should be heard and gone to. */
  goTo?: number;
}
export function Field({ label, hint, fault, value, onChange, input, code = false, goTo = 0 }: FieldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (goTo > 0) box.current?.focus();
  }, [goTo]);
  const about = [fault ? `${id}-fault` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="door-field">
      <label htmlFor={id}>{label}</label>
      <input {...input} ref={box} id={id} className={code ? 'door-code' : undefined} value={value} aria-invalid={fault !== null} aria-describedby={about || undefined} onChange={(event) => onChange(event.target.value)} />
      {fault ? <p id={`${id}-fault`} className="door-fault"><IconAlertCircle size={18} stroke={1.75} aria-hidden /><span>{fault}</span></p> : null}
      {hint ? <p id={`${id}-hint`} className="door-hint">{hint}</p> : null}
    </div>
  );
}

export function Alert({ children }: { children: ReactNode }) {
  return <p className="door-alert" role="alert"><IconAlertCircle size={20} stroke={1.75} aria-hidden /><span>{children}</span></p>;
}
