/** One calm message at a time at the bottom: what happened, and one act. Faults stay until they are closed. */
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Toast.module.css';

export interface Told {
  text: string;
  tone?: 'done' | 'plain' | 'fault';
  act?: { label: string; run(): void };
}

const SHOWN_MS = 6000;

export function useToast() {
  const [told, setTold] = useState<(Told & { key: number }) | null>(null);
  const tell = useCallback((next: Told) => setTold((before) => ({ ...next, key: (before?.key ?? 0) + 1 })), []);
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
    <div role="status" aria-live="polite">
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
