/**
 * Shows as news what everybody in a room is told: who comes and goes, a restart of the server, a refused act. Arrivals
 * that follow one another become one line, without those who have left meanwhile (docs/product.md#11.62).
 */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoomStore } from '../store/useRoom.ts';
import { toldOf, type useToast } from './Toast.tsx';

/** Takes the stable functions of `useToast`. */
export function useRoomNotices({ tell, onlyThose }: Pick<ReturnType<typeof useToast>, 'tell' | 'onlyThose'>): void {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  useEffect(
    () =>
      store.onNotice((notice) => {
        switch (notice.kind) {
          case 'login':
            tell(
              toldOf({
                kind: 'login',
                who: [notice],
                text: ([first, ...more]) =>
                  more.length === 0
                    ? t('login', { name: first?.name ?? '' })
                    : t('loginMany', { count: more.length + 1 }),
              }),
            );
            return;
          case 'logout':
            tell({ text: t(`logout.${notice.reason}`, { name: notice.name }) });
            return;
          case 'restart':
            tell({ text: t('connection.restart') });
            return;
          case 'notKept':
            tell({ text: tf('refused.not_kept'), tone: 'fault' });
            return;
          case 'refused': {
            // What is not found of an undo is the act that it takes back. Codes without words of their own fall back to
            // the last key.
            const { code } = notice.problem;
            const undoGone = code === 'not_found' && notice.act?.kind === 'undo';
            const keys = [`refused.${undoGone ? 'undo_gone' : code}`, 'refused.other'] as unknown as 'refused.other';
            tell({ text: tf(keys), tone: 'fault' });
            return;
          }
          default:
        }
      }),
    [store, tell, t, tf],
  );
  // The store's own order of messages: a list that comes after somebody's arrival knows whether they are still here.
  useEffect(() => {
    let { people } = store.get();
    return store.subscribe(() => {
      const next = store.get().people;
      if (next !== people) onlyThose('login', next);
      people = next;
    });
  }, [store, onlyThose]);
}
