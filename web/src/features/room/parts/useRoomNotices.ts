/** Shows the notices that everybody in a room gets: who comes and goes, a restart, a refused act. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoomStore } from '../store/useRoom.ts';
import type { Told } from './Toast.tsx';

export function useRoomNotices(tell: (told: Told) => void): void {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  useEffect(
    () =>
      store.onNotice((notice) => {
        switch (notice.kind) {
          case 'login':
            tell({
              text: t('login', { name: notice.name }),
              together: { kind: 'login', who: [notice.id], text: (count) => t('loginMany', { count }) },
            });
            return;
          case 'logout':
            tell({ text: t(`logout.${notice.reason}`, { name: notice.name }) });
            return;
          case 'restart':
            tell({ text: t('line.restart') });
            return;
          case 'refused': {
            // Codes without words of their own fall back to the last key.
            const keys = [`refused.${notice.problem.code}`, 'refused.other'] as unknown as 'refused.other';
            tell({ text: tf(keys), tone: 'fault' });
            return;
          }
          default:
        }
      }),
    [store, tell, t, tf],
  );
}
