/** The therapist's acts on people: admit, decline, remove, and the link by which they come. */
import type { Admission, Person, WaitingPerson } from '@fieldroom/contract/clients';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useVideoStore } from '../../video/index.ts';
import type { Told } from '../notices/Toast.tsx';
import type { PeopleActs } from '../people/PeoplePanel.tsx';
import { useRoomStore } from '../store/useRoom.ts';
import type { KnownRoom } from './useRoomState.ts';
import type { TherapistCalls } from './useTherapistRoom.ts';

interface PeopleActsParts {
  calls: TherapistCalls;
  known: Pick<KnownRoom, 'refresh' | 'change'>;
  tell(told: Told): void;
  /** Runs an act and reports a failure to the person. */
  attempt(work: () => Promise<void>): Promise<void>;
}

/**
 * Returns the acts for the list of people, stable while the room is the same. Each reports its outcome in a notice; if
 * the room is full, the notice names the people without a seat (docs/product.md#4.11).
 */
export function usePeopleActs({ calls, known: { refresh, change }, tell, attempt }: PeopleActsParts): PeopleActs {
  const { t } = useTranslation('room');
  const store = useRoomStore();
  const video = useVideoStore();
  return useMemo(
    () => ({
      onAdmit: (ids: number[]) =>
        attempt(async () => {
          const { refused } = await calls.admit(ids);
          const full = refused.find((entry) => entry.code === 'room_full');
          if (!full) return;
          const name = store.get().waiting.find((person) => person.id === full.id)?.name ?? '';
          tell({ text: t('people.admittedFull', { name }), tone: 'fault' });
        }),
      onDecline: (person: WaitingPerson) =>
        attempt(async () => {
          await calls.decline([person.id]);
          tell({ text: t('people.declined', { name: person.name }) });
        }),
      onClearWaiting: () =>
        attempt(async () => {
          const { declined } = await calls.clearWaiting();
          tell({ text: t('people.cleared', { count: declined }) });
        }),
      onRemove: (person: Person) =>
        attempt(async () => {
          await calls.remove(person.id);
          video.removed(person.id);
          tell({ text: t('people.removed', { name: person.name }) });
          refresh();
        }),
      onRenewLink: () =>
        attempt(async () => {
          change(await calls.renewJoinLink());
          tell({ text: t('people.linkRenewed'), tone: 'done' });
        }),
      onAdmission: (admission: Admission) =>
        void attempt(async () => {
          await calls.setAdmission(admission);
          refresh();
        }),
    }),
    [attempt, calls, refresh, change, store, t, tell, video],
  );
}
