/** The door's own small parts: no UI kit here, only the tokens. */
import { type ReactNode, useEffect } from 'react';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { LanguageChoice, Mark } from '../../light/controls.tsx';
import { switchDoorLanguage, useDoorWords } from './useDoorWords.ts';

/** One column with the mark and the language on top. `lit`: on the floor's colour, as while waiting. */
export function DoorFrame({ title, lit = false, children }: { title: string; lit?: boolean; children: ReactNode }) {
  const { t, language } = useDoorWords();
  useEffect(() => {
    document.title = `${title} · Fieldroom`;
  }, [title]);
  return (
    <div className={lit ? 'door door-lit' : 'door'}>
      <header className="door-head">
        <Mark />
        <LanguageChoice label={t('language')} languages={LANGUAGES} shown={language} onChoose={switchDoorLanguage} />
      </header>
      <main className="door-main">{children}</main>
    </div>
  );
}

/** Faint rings around a middle, radii in px: the floor's, returned small. */
export function DoorRings({ radii, y = '50%' }: { radii: readonly number[]; y?: string }) {
  return (
    <svg className="door-rings" width="100%" height="100%" aria-hidden focusable="false">
      {radii.map((radius) => (
        <circle key={radius} cx="50%" cy={y} r={radius} />
      ))}
    </svg>
  );
}
