/**
 * Shows notices for everybody in a room: arrivals and departures, a restart of the server, a refused act. Consecutive
 * arrivals are merged, without people who have left since (docs/product.md#11.62).
 */
import type { FieldAct } from '@fieldroom/contract/field';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoomModel } from '../store/roomModel.ts';
import { useRoomStore } from '../store/useRoom.ts';
import { toldOf, type useToast } from './Toast.tsx';

/** The thing that a refused act did not find; null if it is a figure. */
function goneWith(act: FieldAct | null, { field }: RoomModel): 'role' | 'undo' | 'icon' | 'moment' | null {
  if (act?.kind === 'undo') return 'undo';
  if (act?.kind === 'backToMoment') return 'moment';
  if (act?.kind === 'add') return 'icon';
  if (act === null || !('figureId' in act) || !field?.figures.some(({ id }) => id === act.figureId)) return null;
  if (act.kind === 'giveRole' || act.kind === 'takeRole') return 'role';
  return act.kind === 'edit' && act.iconId != null ? 'icon' : null;
}

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
            const { code } = notice.problem;
            const gone = code === 'not_found' ? goneWith(notice.act, store.get()) : null;
            // Codes without words of their own fall back to the last key.
            const keys = [`refused.${code}`, 'refused.other'] as unknown as 'refused.other';
            tell({ text: gone === null ? tf(keys) : tf(`gone.${gone}`), tone: 'fault' });
            return;
          }
          default:
        }
      }),
    [store, tell, t, tf],
  );
  // In the store's own order of messages: a list that follows an arrival shows whether the person is still here.
  useEffect(() => {
    let { people } = store.get();
    return store.subscribe(() => {
      const next = store.get().people;
      if (next !== people) onlyThose('login', next);
      people = next;
    });
  }, [store, onlyThose]);
}
