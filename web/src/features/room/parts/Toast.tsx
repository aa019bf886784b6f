/**
 * One calm message at a time on the field, beside its tools: what happened, and one act. Faults stay until they are
 * closed. Stands in the room's stage.
 */
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Toast.module.css';

export interface Told {
  text: string;
  tone?: 'done' | 'plain' | 'fault';
  act?: { label: string; run(): void };
  /** News of one kind about several people is told together while the first is still shown. */
  together?: { kind: string; who: readonly number[]; text(count: number): string };
}

/** What is shown after the next news. Takes what is shown now. */
export function toldAfter(before: Told | null, next: Told): Told {
  if (!next.together) return next;
  const { kind, text } = next.together;
  const told = before?.together?.kind === kind ? before.together.who : [];
  const who = [...new Set([...told, ...next.together.who])];
  return { ...next, text: who.length > 1 ? text(who.length) : next.text, together: { kind, who, text } };
}

const SHOWN_MS = 6000;

export function useToast() {
  const [told, setTold] = useState<(Told & { key: number }) | null>(null);
  const tell = useCallback(
    (next: Told) => setTold((before) => ({ ...toldAfter(before, next), key: (before?.key ?? 0) + 1 })),
    [],
  );
  const close = useCallback(() => setTold(null), []);
  useEffect(() => {
    if (!told || told.tone === 'fault') return undefined;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [told, close]);
  return { told, tell, close };
}

export function Toast({ told, onClose }: { told: (Told & { key: number }) | null; onClose(): void }) {
  const { t } = useTranslation('field');
  return (
    <div className={styles.place} role="status" aria-live="polite">
      {told && (
        <div key={told.key} className={styles.toast} data-tone={told.tone ?? 'plain'}>
          {told.tone === 'done' && <IconCircleCheck size={22} stroke={1.75} aria-hidden />}
          {told.tone === 'fault' && <IconAlertCircle size={22} stroke={1.75} aria-hidden />}
          <span>{told.text}</span>
          {told.act && (
            <button
              type="button"
              onClick={() => {
                told.act?.run();
                onClose();
              }}
            >
              {told.act.label}
            </button>
          )}
          {told.tone === 'fault' && (
            <button type="button" aria-label={t('rail.close')} onClick={onClose}>
              <IconX size={18} stroke={1.75} aria-hidden />
            </button>
          )}
        </div>
      )}
    </div>
  );
}
