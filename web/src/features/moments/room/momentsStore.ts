/**
 * The moments of the running live session in the therapist's browser: receives the list, keeps the field, and tracks
 * pending requests.
 */
import { type KeepMoment, type Moment, MOMENTS_SEND, type MomentsValue } from '@fieldroom/contract/moments';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { createEmitter } from '../../../platform/emitter.ts';
import type { ReadableStore } from '../../../platform/useStorePart.ts';
import type { LatestMoments } from '../latestMoments.ts';

interface MomentsModel {
  /** null until the server has sent the list. */
  value: MomentsValue | null;
  /** Whether the strip is open. */
  open: boolean;
}

/** The result of a press on "keep". */
export type KeepAnswer =
  | { kind: 'kept'; moment: Moment }
  | { kind: 'offline' }
  | { kind: 'refused'; problem: ProblemBody };

export interface MomentsStore extends ReadableStore<MomentsModel> {
  setOpen(open: boolean): void;
  /** Keeps the present field. Not possible without a connection: the field would be another one later. */
  keep(): void;
  onAnswer(listener: (answer: KeepAnswer) => void): () => void;
}

/** Creates the store. Takes the messages received so far. It lives as long as the room's connection. */
function createMomentsStore({ connection, last }: Pick<LatestMoments, 'connection' | 'last'>): MomentsStore {
  const changed = createEmitter();
  const answers = createEmitter<KeepAnswer>();
  /** Pending requests, with the ids by which the server knows them. */
  const unanswered = new Set<string>();
  let model: MomentsModel = { value: last(), open: false };

  const set = (next: MomentsModel) => {
    model = next;
    changed.emit();
  };
  const send = (actId: string) => connection.send(MOMENTS_SEND.keep, { actId } satisfies KeepMoment);

  connection.on('MOMENTS', ({ contents }) => {
    set({ ...model, value: contents });
    for (const moment of contents.moments) if (unanswered.delete(moment.actId)) answers.emit({ kind: 'kept', moment });
  });
  connection.on('PROBLEM', ({ contents: { actId, problem } }) => {
    if (actId !== null && unanswered.delete(actId)) answers.emit({ kind: 'refused', problem });
  });
  // A pending request may or may not have arrived: the server applies it once.
  connection.onState((state) => {
    if (state === 'open') for (const actId of unanswered) send(actId);
  });

  return {
    get: () => model,
    subscribe: changed.on,
    setOpen: (open) => set({ ...model, open }),
    keep() {
      const actId = crypto.randomUUID();
      if (connection.state() === 'open' && send(actId)) unanswered.add(actId);
      else answers.emit({ kind: 'offline' });
    },
    onAnswer: answers.on,
  };
}

const stores = new WeakMap<LatestMoments, MomentsStore>();

/** The store of a room: shared by all parts that ask for it. */
export function momentsStoreOf(latest: LatestMoments): MomentsStore {
  let store = stores.get(latest);
  if (!store) stores.set(latest, (store = createMomentsStore(latest)));
  return store;
}
